<?php

declare(strict_types=1);

namespace Stampede\Https;

use Stampede\Acme\HandshakeProof;
use Stampede\Acme\PageProof;
use Stampede\Acme\Proof;
use Stampede\Acme\Settings;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Exception\ConfigurationException;
use Stampede\Tls\Certificate;
use Stampede\Tls\SelfSigned;

/** What the https addresses of a server have in common. */
final readonly class HttpsSettings
{
    /** @param list<ListenAddress> $redirected addresses without TLS whose clients are sent to an https address */
    private function __construct(
        public Certificates $certificates,
        public array $redirected,
        private string $clientAuthorities,
        private int $strictTransport,
        public ?Settings $acme,
        public ?Proof $proof,
    ) {}

    /**
     * @return self|null null: there is no https address
     * @throws ConfigurationException for options that cannot be used, or would have no effect
     */
    public static function of(Configuration $options): ?self
    {
        $isSecure = array_filter($options->list('listen'), static fn (string $address): bool => ListenAddress::parse($address)->isSecure) !== [];
        if (!$isSecure) {
            foreach (['redirect', 'tls-certificate', 'tls-key', 'tls-client-ca', 'hsts', 'acme'] as $name) {
                if (!in_array($options->get($name), [[], '', 0], true)) {
                    throw new ConfigurationException("The option \"{$name}\" has no effect: no address of --listen begins with https://, such as https://0.0.0.0:443.");
                }
            }
            return null;
        }
        $acme = Settings::of($options);
        $redirected = self::redirected($options);
        return new self(Certificates::read($options), $redirected, self::clientAuthorities($options), $options->number('hsts'), $acme, $acme === null ? null : self::proof($options, $redirected));
    }

    /** @return array<string, mixed> of each https port */
    public function settings(): array
    {
        $settings = ['open_http2_protocol' => true] + $this->certificates->settings();
        if ($this->clientAuthorities !== '') {
            $settings += ['ssl_verify_peer' => true, 'ssl_client_cert_file' => $this->clientAuthorities];
        }
        if ($this->proof instanceof HandshakeProof) {
            $settings['ssl_proof_folder'] = $this->proof->folder;
        }
        return $settings;
    }

    /** @return string the value of the field Strict-Transport-Security; empty: it is not sent */
    public function strictTransport(): string
    {
        return $this->strictTransport > 0 ? "max-age={$this->strictTransport}" : '';
    }

    /** @return list<string> sentences for the user at the start */
    public function remarks(): array
    {
        $remarks = array_values(array_filter(array_map(static fn (Certificate $each): ?string => $each->warning(), $this->certificates->all)));
        if ($this->certificates->isOfDevelopment) {
            $remarks[] = SelfSigned::advice($this->certificates->all[0]);
        }
        return $remarks;
    }

    /** @param list<ListenAddress> $redirected */
    private static function proof(Configuration $options, array $redirected): Proof
    {
        $plain = array_filter($options->list('listen'), static fn (string $address): bool => self::isPublic(ListenAddress::parse($address)));
        return $redirected !== [] || $plain !== [] ? new PageProof() : new HandshakeProof();
    }

    private static function isPublic(ListenAddress $address): bool
    {
        return !$address->isSecure && !$address->isLocal();
    }

    /** @return list<ListenAddress> */
    private static function redirected(Configuration $options): array
    {
        $addresses = array_map(ListenAddress::parse(...), $options->list('redirect'));
        foreach ($addresses as $address) {
            if ($address->isSecure) {
                throw new ConfigurationException("The option \"redirect\" must name addresses without TLS, such as http://0.0.0.0:80, not {$address->name()}.");
            }
        }
        return $addresses;
    }

    private static function clientAuthorities(Configuration $options): string
    {
        $file = $options->text('tls-client-ca');
        if ($file !== '' && !is_readable($file)) {
            throw new ConfigurationException("The file {$file} of the option \"tls-client-ca\" cannot be read.");
        }
        if ($file !== '' && !str_contains((string) file_get_contents($file), '-----BEGIN CERTIFICATE-----')) {
            throw new ConfigurationException("The file {$file} of the option \"tls-client-ca\" has no certificate (in PEM).");
        }
        return $file;
    }
}
