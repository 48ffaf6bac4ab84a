<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine;
use Swoole\Coroutine\System;
use Swoole\NameResolver;
use Swoole\NameResolver\Cluster;
use Swoole\NameResolver\Context;

/**
 * The name resolvers of this process, in the order in which they are asked.
 *
 * @internal
 */
final class NameResolvers
{
    private const MOST_NODES = 16;

    /** @var list<NameResolver> */
    private static array $resolvers = [];

    /** @var array<int, true> Coroutines whose look-up is being done: what a resolver connects to is asked of the name servers. */
    private static array $asking = [];

    public static function add(NameResolver $ns): bool
    {
        if (in_array($ns, self::$resolvers, true)) {
            return false;
        }
        self::$resolvers[] = $ns;
        return true;
    }

    public static function remove(NameResolver $ns): bool
    {
        $place = array_search($ns, self::$resolvers, true);
        if ($place === false) {
            return false;
        }
        array_splice(self::$resolvers, $place, 1);
        return true;
    }

    /** The option name_resolver: these and no others. @param array<mixed> $resolvers */
    public static function use(array $resolvers): void
    {
        foreach ($resolvers as $resolver) {
            if (!$resolver instanceof NameResolver) {
                throw new \TypeError('The option name_resolver takes objects of Swoole\NameResolver, ' . get_debug_type($resolver) . ' given');
            }
        }
        self::$resolvers = array_values($resolvers);
    }

    /** swoole_name_resolver_lookup(); "" when the name is not found */
    public static function lookup(string $name, Context $ctx): string
    {
        $next = $ctx->next();
        if ($next !== null) {
            return $next;
        }
        $found = self::ask($name);
        if ($found === null) {
            return self::address($name, $ctx->family());
        }
        if ($found instanceof Cluster) {
            $ctx->keep($found);
            return (string) $ctx->next();
        }
        return $ctx->formed($found);
    }

    /**
     * For a client that connects.
     *
     * @return list<string>|null "host:port", in the order in which they are tried; null: ask the name servers
     */
    public static function nodes(string $name): ?array
    {
        $found = self::ask($name);
        if ($found === null) {
            return null;
        }
        if (!$found instanceof Cluster) {
            return $found === '' ? [] : [is_array($found) ? self::text($found) : $found];
        }
        $nodes = [];
        while (count($nodes) < self::MOST_NODES && ($node = $found->pop()) !== false) {
            $nodes[] = self::text($node);
        }
        return $nodes;
    }

    /** @param array{host: string, port: int} $node @return string "host:port", with brackets around an IPv6 address */
    public static function text(array $node): string
    {
        return (str_contains($node['host'], ':') ? "[{$node['host']}]" : $node['host']) . ":{$node['port']}";
    }

    /** Of a name that no resolver knows; "" when it has none. Outside of coroutines the process waits for it. */
    private static function address(string $name, int $family): string
    {
        if (Coroutine::getCid() > 0) {
            return (string) System::gethostbyname($name, $family);
        }
        if ($family === AF_INET6) {
            return (string) ((@dns_get_record($name, DNS_AAAA) ?: [])[0]['ipv6'] ?? '');
        }
        $address = gethostbyname($name);
        return filter_var($address, FILTER_VALIDATE_IP) === false ? '' : $address;
    }

    /**
     * The first resolver that does not leave the name to the next one; null when all of them do.
     *
     * @return Cluster|array{host: string, port: int, weight: int}|string|null
     */
    private static function ask(string $name): Cluster|array|string|null
    {
        $cid = Coroutine::getCid();
        if (isset(self::$asking[$cid])) {
            return null;
        }
        self::$asking[$cid] = true;
        try {
            foreach (self::$resolvers as $resolver) {
                $found = $resolver->lookup($name);
                if ($found === false) {
                    return null;
                }
                if ($found !== null) {
                    return $found;
                }
            }
            return null;
        } finally {
            unset(self::$asking[$cid]);
        }
    }
}
