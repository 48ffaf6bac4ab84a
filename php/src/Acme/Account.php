<?php

declare(strict_types=1);

namespace Stampede\Acme;

/** An account of an authority: requests in its name, each with a fresh number of the authority. RFC 8555, section 6. */
final class Account
{
    private const TRIES = 25; // of a request whose number the authority does not take

    private string $nonce = '';
    /** @var array<string, mixed> */
    private array $directory = [];
    private string $url = ''; // of the account

    /**
     * @param string $externalAccount KID:SECRET of an account that the authority knows already; empty: none
     */
    public function __construct(
        private readonly Http $http,
        private readonly Jws $jws,
        private readonly string $directoryUrl,
        private readonly string $email,
        private readonly string $externalAccount,
    ) {}

    public function thumbprint(): string
    {
        return $this->jws->thumbprint();
    }

    /** The URL that the authority has for something; empty: it does not have it. */
    public function urlOf(string $what): string
    {
        if ($this->directory === []) {
            $response = $this->http->request('GET', $this->directoryUrl);
            $this->directory = $response->json();
            if ($response->status !== 200 || !isset($this->directory['newNonce'], $this->directory['newAccount'], $this->directory['newOrder'])) {
                $this->directory = [];
                throw new AcmeException("{$this->directoryUrl} is no directory of an ACME authority (status {$response->status}).", retryAfter: $response->retryAfter());
            }
        }
        $url = $this->directory[$what] ?? '';
        return is_string($url) ? $url : '';
    }

    /**
     * @param array<string, mixed>|null $payload null: something is read
     * @throws AcmeException when the authority refuses it
     */
    public function post(string $url, ?array $payload = null): HttpResponse
    {
        if ($this->url === '') {
            $this->url = $this->open();
        }
        return $this->send($url, ['kid' => $this->url], $payload);
    }

    /** The present account of this key, or a new one. @return string its URL */
    private function open(): string
    {
        $url = $this->urlOf('newAccount');
        $wish = ['termsOfServiceAgreed' => true];
        if ($this->email !== '') {
            $wish['contact'] = ["mailto:{$this->email}"];
        }
        if ($this->externalAccount !== '') {
            [$name, $secret] = explode(':', $this->externalAccount, 2);
            $wish['externalAccountBinding'] = $this->jws->bind($url, $name, Jws::decode($secret));
        }
        $account = $this->send($url, ['jwk' => $this->jws->jwk], $wish)->fields['location'] ?? '';
        return $account !== '' ? $account : throw new AcmeException('The authority has made an account and does not say where.');
    }

    /**
     * @param array<string, mixed> $signer
     * @param array<string, mixed>|null $payload
     */
    private function send(string $url, array $signer, ?array $payload): HttpResponse
    {
        for ($try = 1;; $try++) {
            $response = $this->http->request('POST', $url, $this->jws->sign($signer + ['nonce' => $this->freshNonce(), 'url' => $url], $payload));
            $this->nonce = $response->fields['replay-nonce'] ?? '';
            if ($response->status < 400) {
                return $response;
            }
            $problem = $response->json();
            $type = str_replace('urn:ietf:params:acme:error:', '', (string) ($problem['type'] ?? ''));
            if ($type !== 'badNonce' || $try >= self::TRIES) {
                throw new AcmeException('The authority refuses: ' . self::sentence($problem, $response->status), $type, $response->retryAfter());
            }
        }
    }

    private function freshNonce(): string
    {
        $nonce = $this->nonce !== '' ? $this->nonce : ($this->http->request('HEAD', $this->urlOf('newNonce'))->fields['replay-nonce'] ?? '');
        $this->nonce = '';
        return $nonce !== '' ? $nonce : throw new AcmeException('The authority gives no number for a request (Replay-Nonce).');
    }

    /** @param array<string, mixed> $problem */
    public static function sentence(array $problem, int $status = 0): string
    {
        $detail = (string) ($problem['detail'] ?? '');
        foreach (is_array($problem['subproblems'] ?? null) ? $problem['subproblems'] : [] as $each) {
            $detail .= ' ' . ($each['identifier']['value'] ?? '') . ': ' . ($each['detail'] ?? '');
        }
        return rtrim($detail !== '' ? $detail : "status {$status}", '.') . '.';
    }
}
