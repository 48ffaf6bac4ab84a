<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Stampede\Tls\CertificateRequest;
use Swoole\Coroutine;

/** A certificate from its order to its download. RFC 8555, section 7.4. */
final readonly class Order
{
    private const LOOKS = 60; // for a state, so many times at most
    private const PAUSE = 1; // seconds between two looks, unless the authority says how many
    private const LONGEST_PAUSE = 30;

    public function __construct(private Account $account, private Proof $proof) {}

    /**
     * @param non-empty-list<string> $names
     * @param string $replaces what the authority calls the certificate before; empty: there is none
     * @return string the chain and the key, in PEM format
     */
    public function certificate(array $names, string $replaces): string
    {
        $order = $this->place($names, $replaces);
        $url = $order->fields['location'] ?? '';
        foreach ($order->json()['authorizations'] ?? [] as $authorization) {
            $this->prove((string) $authorization);
        }
        $request = new CertificateRequest($names);
        $this->await($url, ['ready', 'valid']);
        $this->account->post((string) ($order->json()['finalize'] ?? ''), ['csr' => Jws::encode($request->der())]);
        $done = $this->await($url, ['valid']);
        $chain = $this->account->post((string) ($done['certificate'] ?? ''))->body;
        return rtrim($chain) . "\n" . $request->key();
    }

    /** @param non-empty-list<string> $names */
    private function place(array $names, string $replaces): HttpResponse
    {
        $wish = ['identifiers' => array_map(static fn (string $name): array => ['type' => 'dns', 'value' => $name], $names)];
        if ($replaces !== '') {
            try {
                return $this->account->post($this->account->urlOf('newOrder'), $wish + ['replaces' => $replaces]);
            } catch (AcmeException $failure) {
                if ($failure->type === '') { // not refused, which may be because of the certificate before: not reached
                    throw $failure;
                }
            }
        }
        return $this->account->post($this->account->urlOf('newOrder'), $wish);
    }

    private function prove(string $url): void
    {
        $authorization = $this->account->post($url)->json();
        if (($authorization['status'] ?? '') === 'valid') {
            return;
        }
        $name = (string) ($authorization['identifier']['value'] ?? '');
        $challenges = array_filter($authorization['challenges'] ?? [], fn (array $challenge): bool => ($challenge['type'] ?? '') === $this->proof->type());
        $challenge = reset($challenges) ?: throw new AcmeException("The authority does not offer the proof {$this->proof->type()} for {$name}.");
        $token = (string) ($challenge['token'] ?? '');
        $this->proof->show($name, $token, "{$token}.{$this->account->thumbprint()}");
        try {
            $this->account->post((string) ($challenge['url'] ?? ''), []);
            $this->await($url, ['valid']);
        } finally {
            $this->proof->hide($name, $token);
        }
    }

    /**
     * @param list<string> $states
     * @return array<string, mixed> what is at the URL, in one of the states
     */
    private function await(string $url, array $states): array
    {
        for ($look = 0; $look < self::LOOKS; $look++) {
            $response = $this->account->post($url);
            $facts = $response->json();
            if (in_array($facts['status'] ?? '', $states, true)) {
                return $facts;
            }
            if (($facts['status'] ?? '') === 'invalid') {
                throw new AcmeException('The authority refuses: ' . self::reason($facts));
            }
            $this->pause(min(self::LONGEST_PAUSE, max(self::PAUSE, $response->retryAfter())));
        }
        throw new AcmeException('The authority does not come to an end with the order.');
    }

    private function pause(int $seconds): void
    {
        Coroutine::sleep($seconds);
        if (Coroutine::isCanceled()) {
            throw new AcmeException('The server is being stopped.');
        }
    }

    /** @param array<string, mixed> $facts of an order or an authorization */
    private static function reason(array $facts): string
    {
        $name = $facts['identifier']['value'] ?? '';
        foreach ([$facts, ...array_filter($facts['challenges'] ?? [], is_array(...))] as $each) {
            if (isset($each['error'])) {
                return ($name !== '' ? "{$name}: " : '') . Account::sentence($each['error']);
            }
        }
        return 'it does not say why.';
    }
}
