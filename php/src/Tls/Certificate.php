<?php

declare(strict_types=1);

namespace Stampede\Tls;

use Stampede\Exception\ConfigurationException;

/** A certificate of the server with its key and its chain, as they are in files. */
final readonly class Certificate
{
    private const DAY = 86400; // seconds

    /** @param list<string> $names hosts and addresses that it is for, in lower case */
    private function __construct(
        public string $file,
        public string $keyFile,
        public array $names,
        public int $validFrom,
        public int $validUntil,
        public bool $isSignedByItself,
        private string $authorityKey,
        private string $serialNumber,
    ) {}

    /**
     * @param string $keyFile may be the same file
     * @throws ConfigurationException when a server could not use it
     */
    public static function read(string $file, string $keyFile): self
    {
        $chain = self::chain($file);
        [$own] = $chain;
        foreach (array_slice($chain, 1) as $i => $issuer) {
            if ($chain[$i]['issuer'] != $issuer['subject']) { // fields of a name have no fixed order
                throw new ConfigurationException(sprintf(
                    'The certificates in %s are in the wrong order: "%s" was not issued by "%s", which follows it. The certificate of the server comes first, then that of each issuer.',
                    $file,
                    self::title($chain[$i]),
                    self::title($issuer),
                ));
            }
        }
        $key = openssl_pkey_get_private(self::key($keyFile));
        if ($key === false && $keyFile === $file) {
            throw new ConfigurationException("The file {$file} has a certificate and no key: give the file of its key with --tls-key.");
        }
        if ($key === false) {
            throw new ConfigurationException("The key file {$keyFile} cannot be used: " . (openssl_error_string() ?: 'it is no private key') . '.');
        }
        if (!openssl_x509_check_private_key($own['certificate'], $key)) {
            throw new ConfigurationException("The key in {$keyFile} does not belong to the certificate in {$file}.");
        }
        return new self($file, $keyFile, self::names($own), (int) $own['validFrom_time_t'], (int) $own['validTo_time_t'], $own['issuer'] == $own['subject'], (string) ($own['extensions']['authorityKeyIdentifier'] ?? ''), (string) ($own['serialNumberHex'] ?? ''));
    }

    /** By which an authority knows it, RFC 9773; empty: it has no such name. */
    public function renewalName(): string
    {
        if ($this->isSignedByItself || preg_match('/(?:keyid:)?((?:[0-9A-F]{2}:?){8,})/i', $this->authorityKey, $found) !== 1) {
            return '';
        }
        $serial = (string) hex2bin(str_pad($this->serialNumber, strlen($this->serialNumber) + strlen($this->serialNumber) % 2, '0', STR_PAD_LEFT));
        $serial = ord($serial[0] ?? "\0") > 0x7f ? "\0{$serial}" : $serial; // as DER has it
        return self::encode((string) hex2bin(str_replace(':', '', $found[1]))) . '.' . self::encode($serial);
    }

    public function daysLeft(): int
    {
        return (int) floor(($this->validUntil - time()) / self::DAY);
    }

    /** Why clients refuse it now; null when they do not. */
    public function warning(): ?string
    {
        return match (true) {
            $this->validUntil < time() => "The certificate in {$this->file} has expired at " . gmdate('Y-m-d H:i', $this->validUntil) . ' UTC: clients refuse it.',
            $this->validFrom > time() => "The certificate in {$this->file} is valid from " . gmdate('Y-m-d H:i', $this->validFrom) . ' UTC on, until then clients refuse it; or the clock of this machine is wrong.',
            default => null,
        };
    }

    /** @return non-empty-list<array<string, mixed>> what each certificate of the file says, the server's own first */
    private static function chain(string $file): array
    {
        preg_match_all('/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/s', self::contents($file, 'certificate'), $found);
        $chain = [];
        foreach ($found[0] as $i => $text) {
            $facts = openssl_x509_parse($text);
            if ($facts === false) {
                throw new ConfigurationException("The certificate file {$file} cannot be used: certificate " . ($i + 1) . ' in it is damaged.');
            }
            $chain[] = ['certificate' => $text] + $facts;
        }
        return $chain ?: throw new ConfigurationException("The certificate file {$file} cannot be used: it has no certificate in PEM format (\"-----BEGIN CERTIFICATE-----\").");
    }

    private static function key(string $file): string
    {
        $text = self::contents($file, 'key');
        if (preg_match('/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m', $text) === 1) {
            throw new ConfigurationException("The key file {$file} is encrypted: write a file without a passphrase by \"openssl pkey -in {$file} -out FILE\", which only the server's user may read.");
        }
        return $text;
    }

    private static function contents(string $file, string $what): string
    {
        error_clear_last();
        $text = is_dir($file) ? false : @file_get_contents($file);
        if ($text === false) {
            $reason = is_dir($file) ? 'it is a folder' : preg_replace('/^.*: /', '', error_get_last()['message'] ?? 'unknown reason');
            throw new ConfigurationException("The {$what} file {$file} cannot be read: {$reason}.");
        }
        return $text;
    }

    private static function encode(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }

    /** @param array<string, mixed> $facts */
    private static function title(array $facts): string
    {
        $name = $facts['subject']['CN'] ?? $facts['name'];
        return is_array($name) ? implode(', ', $name) : $name;
    }

    /**
     * @param array<string, mixed> $facts
     * @return list<string>
     */
    private static function names(array $facts): array
    {
        $names = [];
        foreach (explode(',', (string) ($facts['extensions']['subjectAltName'] ?? '')) as $entry) {
            if (preg_match('/^\s*(?:DNS|IP Address):(\S+)/', $entry, $found) === 1) {
                $names[] = strtolower($found[1]);
            }
        }
        return $names ?: [strtolower(self::title($facts))];
    }
}
