<?php

declare(strict_types=1);

namespace Stampede\Https;

use Stampede\Acme\Settings;
use Stampede\Config\Configuration;
use Stampede\Exception\ConfigurationException;
use Stampede\Tls\Certificate;
use Stampede\Tls\SelfSigned;

/** The certificates of a server: the first one is for clients that ask for no name or for an unknown one. */
final readonly class Certificates
{
    /**
     * @param non-empty-list<Certificate> $all
     * @param bool $isOfDevelopment signed by itself, for this machine
     */
    private function __construct(public array $all, public bool $isOfDevelopment = false) {}

    /** @throws ConfigurationException when one cannot be used */
    public static function read(Configuration $options): self
    {
        self::demandOpenssl();
        $files = $options->list('tls-certificate');
        $keys = $options->list('tls-key');
        if ($files === [] && $keys !== []) {
            throw new ConfigurationException('The option "tls-key" has no effect without "tls-certificate": give both.');
        }
        $acme = Settings::of($options);
        if ($files === [] && $acme === null) {
            return new self([self::ofDevelopment($options)], isOfDevelopment: true);
        }
        if ($keys !== [] && count($keys) !== count($files)) {
            throw new ConfigurationException(sprintf('There are %d certificates (--tls-certificate) and %d keys (--tls-key): give one key for each certificate, in the same order.', count($files), count($keys)));
        }
        $all = array_map(Certificate::read(...), array_map(self::absolute(...), $files), array_map(self::absolute(...), $keys ?: $files));
        if ($acme !== null) {
            $all[] = $acme->certificate();
        }
        self::refuseTwins($all);
        return new self($all);
    }

    /** @return array<string, mixed> settings of a port with TLS */
    public function settings(): array
    {
        $settings = ['ssl_cert_file' => $this->all[0]->file, 'ssl_key_file' => $this->all[0]->keyFile];
        foreach (array_slice($this->all, 1) as $certificate) {
            foreach ($certificate->names as $name) {
                $settings['ssl_sni_certs'][$name] = ['ssl_cert_file' => $certificate->file, 'ssl_key_file' => $certificate->keyFile];
            }
        }
        return $settings;
    }

    /** @return list<string> all files that it was read from */
    public function files(): array
    {
        return array_values(array_unique(array_merge(...array_map(static fn (Certificate $each): array => [$each->file, $each->keyFile], $this->all))));
    }

    /** @return list<array<string, mixed>> for those who watch over the server */
    public function facts(): array
    {
        return array_map(static fn (Certificate $each): array => ['file' => $each->file, 'names' => $each->names, 'valid_until' => $each->validUntil, 'days_left' => $each->daysLeft()], $this->all);
    }

    private static function ofDevelopment(Configuration $options): Certificate
    {
        if ($options->text('env') === 'prod') {
            throw new ConfigurationException('An https address needs a certificate in production: give --tls-certificate=FILE and --tls-key=FILE, or --acme=DOMAIN.');
        }
        return SelfSigned::certificate($options->text('server-name'));
    }

    /** Not where links lead to: a renewed certificate is what the link leads to then. */
    private static function absolute(string $file): string
    {
        return str_starts_with($file, '/') ? $file : getcwd() . "/{$file}";
    }

    private static function demandOpenssl(): void
    {
        if (!function_exists('openssl_x509_parse')) {
            throw new ConfigurationException('An https address needs the extension openssl of PHP.');
        }
    }

    /** @param list<Certificate> $all */
    private static function refuseTwins(array $all): void
    {
        $owners = [];
        foreach ($all as $certificate) {
            foreach ($certificate->names as $name) {
                $other = $owners[$name] ?? $certificate->file;
                if ($other !== $certificate->file) {
                    throw new ConfigurationException("Two certificates are for the name {$name}: {$other} and {$certificate->file}. Give one of them.");
                }
                $owners[$name] = $certificate->file;
            }
        }
    }
}
