<?php

declare(strict_types=1);

namespace Stampede\Middleware;

use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Swoole\Http\Request;

/**
 * Hosts by which a server for development is asked, when it listens on this machine alone. A page of a foreign host whose name leads here would
 * read what only the developer may see: pages, and errors with source code.
 */
final readonly class AllowedHosts
{
    /** @param string $name of the site; empty: none */
    private function __construct(private string $name) {}

    /** @return self|null null: every host is served */
    public static function of(Configuration $options): ?self
    {
        $addresses = array_map(ListenAddress::parse(...), $options->list('listen'));
        $isLocal = array_filter($addresses, static fn (ListenAddress $address): bool => !$address->isLocal()) === [];
        return $options->text('env') !== 'prod' && $isLocal ? new self(strtolower($options->text('server-name'))) : null;
    }

    public function allows(Request $request): bool
    {
        if (!isset($request->header['host'])) {
            return true;
        }
        $host = strtolower(rtrim((string) preg_replace('/:\d*$/D', '', $request->header['host']), '.'));
        // Names without a dot, and those below "test" and "localhost", are of this machine or its network: nobody can register them.
        return $host === $this->name || $host === '[::1]' || preg_match('/^[^.:]*$|^127(\.\d{1,3}){3}$|\.(localhost|test)$/D', $host) === 1;
    }
}
