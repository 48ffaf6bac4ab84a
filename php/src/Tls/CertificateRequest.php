<?php

declare(strict_types=1);

namespace Stampede\Tls;

use OpenSSLAsymmetricKey;
use OpenSSLCertificateSigningRequest;
use Stampede\Exception\ConfigurationException;
use Stampede\Exception\LaunchException;

/** A new key, and the request for a certificate of it that is for several names. */
final readonly class CertificateRequest
{
    private const CURVE = 'prime256v1';
    /** Keys need none of OpenSSL's configuration, but PHP fails when it finds none: a small image of a system has no openssl.cnf. */
    private const NO_CONFIGURATION = ['config' => '/dev/null'];

    private OpenSSLAsymmetricKey $key;
    private OpenSSLCertificateSigningRequest $request;

    /**
     * @param non-empty-list<string> $names hosts and addresses
     * @param array<string, string> $extensions further ones, as OpenSSL's configuration writes them
     */
    public function __construct(private array $names, private array $extensions = [])
    {
        $this->key = self::newKey();
        $this->request = $this->configured(function (array $options): OpenSSLCertificateSigningRequest {
            $key = $this->key;
            // A common name has at most 64 characters, a host up to 253.
            $request = openssl_csr_new(['commonName' => strlen($this->names[0]) <= 64 ? $this->names[0] : 'Stampede'], $key, $options);
            return $request instanceof OpenSSLCertificateSigningRequest ? $request : throw self::failure('request for a certificate');
        });
    }

    public static function newKey(): OpenSSLAsymmetricKey
    {
        // The number of bits is demanded for every type, and counts for none but RSA.
        return openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => self::CURVE, 'private_key_bits' => 2048] + self::NO_CONFIGURATION) ?: throw self::failure('key');
    }

    public static function textOf(OpenSSLAsymmetricKey $key): string
    {
        return openssl_pkey_export($key, $text, null, self::NO_CONFIGURATION) ? $text : throw self::failure('key');
    }

    public function key(): string
    {
        return self::textOf($this->key);
    }

    /** The request in DER format. */
    public function der(): string
    {
        openssl_csr_export($this->request, $text) || throw self::failure('request for a certificate');
        return (string) base64_decode((string) preg_replace('/-----[^-]+-----|\s/', '', $text), true);
    }

    /** A certificate that no authority has signed, in PEM format. */
    public function signedByItself(int $days): string
    {
        return $this->configured(function (array $options) use ($days): string {
            $certificate = openssl_csr_sign($this->request, null, $this->key, $days, $options, random_int(1, PHP_INT_MAX));
            return $certificate !== false && openssl_x509_export($certificate, $text) ? $text : throw self::failure('certificate');
        });
    }

    /**
     * OpenSSL takes the names from a file alone.
     *
     * @template T
     * @param callable(array<string, mixed>): T $use
     * @return T
     */
    private function configured(callable $use): mixed
    {
        $file = tmpfile();
        if ($file === false || fwrite($file, $this->configuration()) === false) {
            throw new ConfigurationException('A certificate needs a temporary file, which cannot be written: is the disk full?');
        }
        fflush($file);
        return $use(['config' => stream_get_meta_data($file)['uri'] ?? '', 'digest_alg' => 'sha256', 'req_extensions' => 'server', 'x509_extensions' => 'server']);
    }

    private function configuration(): string
    {
        $names = implode(',', array_map(static fn (string $name): string => (filter_var($name, FILTER_VALIDATE_IP) !== false ? 'IP:' : 'DNS:') . $name, $this->names));
        $more = implode("\n", array_map(static fn (string $name, string $value): string => "{$name} = {$value}", array_keys($this->extensions), $this->extensions));
        return <<<CONFIGURATION
            [req]
            distinguished_name = name
            prompt = no
            [name]
            [server]
            basicConstraints = critical,CA:FALSE
            keyUsage = critical,digitalSignature
            extendedKeyUsage = serverAuth
            subjectAltName = {$names}
            {$more}
            CONFIGURATION;
    }

    private static function failure(string $what): LaunchException
    {
        return new ConfigurationException("A {$what} cannot be made: " . (openssl_error_string() ?: 'unknown reason') . '.');
    }
}
