<?php

declare(strict_types=1);

namespace Stampede\Tls;

use OpenSSLAsymmetricKey;
use Stampede\Launcher\LaunchException;

/**
 * The certificate for https in development, signed by itself. It is kept for the user, so that a browser that was told to trust it does so until it expires.
 */
final class SelfSigned
{
    private const DAYS = 397; // the longest that browsers take
    private const DAYS_LEFT = 30; // a new one is made when fewer are left
    private const USUAL_NAMES = ['localhost', '*.localhost', '127.0.0.1', '::1'];

    /** @param string $host the name of the site besides the usual ones of this machine; empty: none */
    public static function certificate(string $host): Certificate
    {
        $folder = self::folder();
        $name = $host === '' ? 'localhost' : (string) preg_replace('/[^a-z0-9.-]+/', '_', strtolower($host));
        [$file, $keyFile] = ["{$folder}/{$name}.pem", "{$folder}/{$name}.key"];
        if (is_file($file) && is_file($keyFile)) {
            try {
                $kept = Certificate::read($file, $keyFile);
                if ($kept->daysLeft() >= self::DAYS_LEFT && $kept->warning() === null) {
                    return $kept;
                }
            } catch (LaunchException) { // a damaged one is replaced
            }
        }
        self::make($file, $keyFile, array_values(array_unique([...self::USUAL_NAMES, ...($host === '' ? [] : [strtolower($host)])])));
        return Certificate::read($file, $keyFile);
    }

    public static function advice(Certificate $certificate): string
    {
        return "HTTPS has a certificate that is signed by itself ({$certificate->file}): browsers warn once. To trust it on this machine: sudo cp {$certificate->file} /usr/local/share/ca-certificates/stampede-" . basename($certificate->file, '.pem') . '.crt && sudo update-ca-certificates';
    }

    private static function folder(): string
    {
        $home = getenv('HOME') ?: (posix_getpwuid(posix_geteuid())['dir'] ?? '');
        $data = getenv('XDG_DATA_HOME') ?: "{$home}/.local/share";
        $folder = "{$data}/stampede/tls";
        if (!is_dir($folder) && !@mkdir($folder, 0700, true) && !is_dir($folder)) {
            throw new LaunchException("The folder {$folder} for the certificate of development cannot be made: set XDG_DATA_HOME to a folder that can be written, or give --tls-certificate and --tls-key.");
        }
        if (fileowner($folder) !== posix_geteuid()) {
            throw new LaunchException("The folder {$folder} for the certificate of development belongs to another user: set XDG_DATA_HOME, or give --tls-certificate and --tls-key.");
        }
        return $folder;
    }

    /** @param list<string> $names */
    private static function make(string $file, string $keyFile, array $names): void
    {
        $configuration = tempnam(dirname($file), 'openssl');
        if ($configuration === false) {
            throw new LaunchException('The certificate of development cannot be written: the folder ' . dirname($file) . ' takes no file.');
        }
        try {
            file_put_contents($configuration, self::configuration($names));
            $options = ['config' => $configuration, 'digest_alg' => 'sha256', 'x509_extensions' => 'server', 'private_key_type' => OPENSSL_KEYTYPE_EC, 'private_key_bits' => 2048, 'curve_name' => 'prime256v1'];
            $key = openssl_pkey_new($options);
            $request = $key === false ? false : openssl_csr_new(['commonName' => 'Stampede in development'], $key, $options);
            $certificate = !$request instanceof \OpenSSLCertificateSigningRequest ? false : openssl_csr_sign($request, null, $key, self::DAYS, $options, random_int(1, PHP_INT_MAX));
            if ($certificate === false || !$key instanceof OpenSSLAsymmetricKey || !openssl_pkey_export($key, $keyText, null, $options) || !openssl_x509_export($certificate, $text)) {
                throw new LaunchException('A certificate for development cannot be made: ' . (openssl_error_string() ?: 'unknown reason') . '.');
            }
            self::write($keyFile, $keyText);
            self::write($file, $text);
        } finally {
            unlink($configuration);
        }
    }

    /** Whole or not at all: another server of this user may read it at the same time. */
    private static function write(string $file, string $text): void
    {
        $new = tempnam(dirname($file), 'new'); // mode 0600
        if ($new === false || file_put_contents($new, $text) !== strlen($text) || !rename($new, $file)) {
            throw new LaunchException("The file {$file} cannot be written: is the disk full?");
        }
    }

    /** @param list<string> $names */
    private static function configuration(array $names): string
    {
        $alternatives = implode(',', array_map(static fn (string $name): string => (filter_var($name, FILTER_VALIDATE_IP) !== false ? 'IP:' : 'DNS:') . $name, $names));
        return <<<CONFIGURATION
            [req]
            distinguished_name = name
            prompt = no
            [name]
            [server]
            basicConstraints = critical,CA:FALSE
            keyUsage = critical,digitalSignature
            extendedKeyUsage = serverAuth
            subjectKeyIdentifier = hash
            subjectAltName = {$alternatives}
            CONFIGURATION;
    }
}
