<?php

declare(strict_types=1);

namespace Stampede\Tls;

use Stampede\Exception\LaunchException;

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
        $files = PrivateFiles::in(PrivateFiles::home() . '/tls', 'set XDG_DATA_HOME to another one, or give --tls-certificate and --tls-key.');
        $name = $host === '' ? 'localhost' : (string) preg_replace('/[^a-z0-9.-]+/', '_', strtolower($host));
        $kept = self::kept($files->path("{$name}.pem"), $files->path("{$name}.key"));
        if ($kept !== null) {
            return $kept;
        }
        $request = new CertificateRequest(array_values(array_unique([...self::USUAL_NAMES, ...($host === '' ? [] : [strtolower($host)])])));
        $files->write("{$name}.key", $request->key());
        $files->write("{$name}.pem", $request->signedByItself(self::DAYS));
        return Certificate::read($files->path("{$name}.pem"), $files->path("{$name}.key"));
    }

    public static function advice(Certificate $certificate): string
    {
        return "HTTPS has a certificate that is signed by itself ({$certificate->file}): browsers warn once. To trust it on this machine: sudo cp {$certificate->file} /usr/local/share/ca-certificates/stampede-" . basename($certificate->file, '.pem') . '.crt && sudo update-ca-certificates';
    }

    private static function kept(string $file, string $keyFile): ?Certificate
    {
        if (!is_file($file) || !is_file($keyFile)) {
            return null;
        }
        try {
            $kept = Certificate::read($file, $keyFile);
        } catch (LaunchException) { // a damaged one is replaced
            return null;
        }
        return $kept->daysLeft() >= self::DAYS_LEFT && $kept->warning() === null ? $kept : null;
    }
}
