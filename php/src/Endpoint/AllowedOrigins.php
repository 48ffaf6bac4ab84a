<?php

declare(strict_types=1);

namespace Stampede\Endpoint;

use Stampede\Exception\ConfigurationException;
use Swoole\Http\Request;

/**
 * Which pages may open a WebSocket here: a browser lets every page do it, sends the cookies of the user with it, and says where the page came from.
 * What sends no origin is no browser, and could send any.
 */
final readonly class AllowedOrigins
{
    private const ANY = '*';
    private const PORTS = ['http' => 80, 'https' => 443];

    /** @param list<string> $allowed besides the own one */
    private function __construct(private array $allowed) {}

    /** @throws ConfigurationException */
    public static function parse(string $given): self
    {
        $allowed = [];
        foreach (array_filter(array_map(trim(...), explode(',', $given)), static fn (string $origin): bool => $origin !== '') as $origin) {
            $allowed[] = $origin === self::ANY ? self::ANY : self::normal($origin)
                ?? throw new ConfigurationException("The option \"origins\": \"{$origin}\" is none; it must be like https://example.com or http://localhost:3000.");
        }
        return new self($allowed);
    }

    public function allow(Request $request): bool
    {
        $given = $request->header['origin'] ?? '';
        if ($given === '' || in_array(self::ANY, $this->allowed, true)) {
            return true;
        }
        $origin = self::normal($given);
        if ($origin === null) { // "null": a page without an origin, in a sandbox for example
            return false;
        }
        // Behind a proxy that ends TLS the scheme of the page is not ours.
        $scheme = substr($origin, 0, (int) strpos($origin, ':'));
        return $origin === self::normal("{$scheme}://" . ($request->header['host'] ?? '')) || in_array($origin, $this->allowed, true);
    }

    /** Scheme, host and port; null when it is no origin. */
    private static function normal(string $origin): ?string
    {
        if (preg_match('~^(https?)://([^/?#@\s:\[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$~i', $origin, $found) !== 1) {
            return null;
        }
        $scheme = strtolower($found[1]);
        return "{$scheme}://" . strtolower($found[2]) . ':' . (int) ($found[3] ?? self::PORTS[$scheme]);
    }
}
