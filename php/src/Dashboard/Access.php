<?php

declare(strict_types=1);

namespace Stampede\Dashboard;

use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Exception\ConfigurationException;
use Swoole\Http\Request;

/** Which clients may see the dashboard: programs of this machine, or those that have the token. */
final readonly class Access
{
    public const COOKIE = 'stampede_dashboard';
    private const LEAST = 16; // characters of a token
    /** Fields of proxies, which may pass on what strangers ask. */
    private const OF_PROXIES = ['forwarded' => 1, 'via' => 1, 'x-forwarded-for' => 1, 'x-forwarded-host' => 1, 'x-forwarded-proto' => 1, 'x-real-ip' => 1];

    private function __construct(private string $token, private string $host) {}

    /**
     * Null: there is no dashboard.
     *
     * @throws ConfigurationException when everybody could look
     */
    public static function of(Configuration $options): ?self
    {
        $token = $options->text('dashboard-token');
        if (!$options->is('dashboard')) {
            return $token === '' ? null : throw new ConfigurationException('The option "dashboard-token" needs --dashboard.');
        }
        if ($options->text('health-listen') === '') {
            throw new ConfigurationException('The option "dashboard" needs --health-listen=ADDRESS:PORT: the dashboard is served there.');
        }
        $address = ListenAddress::parse($options->text('health-listen'));
        if ($token === '' && !$address->isLocal()) {
            throw new ConfigurationException("Everybody who reaches {$address->name()} could see the dashboard: give a --dashboard-token, or a local address such as 127.0.0.1 to --health-listen.");
        }
        if ($token !== '' && preg_match('/^[\x21-\x7e]{' . self::LEAST . ',}$/D', $token) !== 1) {
            throw new ConfigurationException('The option "dashboard-token" must have ' . self::LEAST . ' or more printable characters without spaces.');
        }
        return new self($token, $address->host);
    }

    public function isGranted(Request $request): bool
    {
        if ($this->token === '') {
            return $this->isLocalName((string) ($request->header['host'] ?? '')) && array_intersect_key(self::OF_PROXIES, $request->header ?? []) === [];
        }
        $given = preg_match('/^Bearer +(\S+)$/Di', (string) ($request->header['authorization'] ?? ''), $found) === 1 ? $found[1] : $request->cookie[self::COOKIE] ?? '';
        return is_string($given) && (hash_equals($this->proof(), $given) || hash_equals($this->token, $given));
    }

    /** The browser has been sent here with the token in the address, which it exchanges for a cookie. */
    public function isToken(mixed $given): bool
    {
        return is_string($given) && $this->token !== '' && hash_equals($this->token, $given);
    }

    /** What the cookie has: the token itself stays out of the browser's store. */
    public function proof(): string
    {
        return hash_hmac('sha256', 'stampede dashboard', $this->token);
    }

    /** A page of a stranger can give its own name the address of this machine: then the browser sends that name. */
    private function isLocalName(string $given): bool
    {
        $name = strtolower(trim((string) preg_replace('/:\d+$/D', '', $given), '[]'));
        return in_array($name, ['localhost', $this->host], true) || filter_var($name, FILTER_VALIDATE_IP) !== false;
    }
}
