<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Closure;

/** Tells the application who the client is that has shown a certificate: SSL_CLIENT_... of $_SERVER, as Apache's mod_ssl names them. */
final class ClientCertificates implements RequestHandler
{
    private const MOST = 200; // certificates that are kept read

    /** @var array<string, array<string, string>> variables by certificate */
    private array $known = [];

    /** @param Closure(int): string $certificate of a connection, in PEM; empty without one */
    public function __construct(private readonly RequestHandler $next, private readonly Closure $certificate) {}

    public function handle(Exchange $exchange): void
    {
        $certificate = isset($exchange->request->server['https']) ? ($this->certificate)($exchange->request->fd) : '';
        if ($certificate !== '') {
            $exchange->request->server['client_certificate'] = $this->known[$certificate] ??= $this->read($certificate);
        }
        $this->next->handle($exchange);
    }

    /** @return array<string, string> */
    private function read(string $certificate): array
    {
        if (count($this->known) >= self::MOST) {
            $this->known = [];
        }
        $facts = openssl_x509_parse($certificate) ?: [];
        $date = static fn (string $name): string => isset($facts[$name]) ? gmdate('M j H:i:s Y', (int) $facts[$name]) . ' GMT' : '';
        return [
            'SSL_CLIENT_VERIFY' => 'SUCCESS', // the handshake has refused all others
            'SSL_CLIENT_S_DN' => self::name($facts['subject'] ?? []),
            'SSL_CLIENT_S_DN_CN' => self::text($facts['subject']['CN'] ?? ''),
            'SSL_CLIENT_I_DN' => self::name($facts['issuer'] ?? []),
            'SSL_CLIENT_M_SERIAL' => (string) ($facts['serialNumberHex'] ?? ''),
            'SSL_CLIENT_V_START' => $date('validFrom_time_t'),
            'SSL_CLIENT_V_END' => $date('validTo_time_t'),
            'SSL_CLIENT_CERT' => $certificate,
        ];
    }

    /** @param array<string, string|list<string>> $parts as RFC 2253 writes it: the last first */
    private static function name(array $parts): string
    {
        $written = [];
        foreach ($parts as $type => $values) {
            foreach ((array) $values as $value) {
                $written[] = "{$type}=" . addcslashes($value, ',+"\\<>;=#');
            }
        }
        return implode(',', array_reverse($written));
    }

    /** @param string|list<string> $value */
    private static function text(string|array $value): string
    {
        return is_array($value) ? implode(',', $value) : $value;
    }
}
