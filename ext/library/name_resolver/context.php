<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

use Stampede\Library\NameResolvers;

/** One look-up by swoole_name_resolver_lookup(): asked again, it gives the next node. */
class Context
{
    private ?Cluster $cluster = null;

    /** @param bool $withPort "host:port" instead of the host alone */
    public function __construct(private readonly int $family = AF_INET, private readonly bool $withPort = false)
    {
    }

    /** @internal */
    public function family(): int
    {
        return $this->family;
    }

    /** @internal */
    public function keep(Cluster $cluster): void
    {
        $this->cluster = $cluster;
    }

    /** @internal The next node of the cluster of before; null: there is none. */
    public function next(): ?string
    {
        $node = $this->cluster?->pop() ?? false;
        return $node === false ? null : $this->formed($node);
    }

    /** @internal @param array{host: string, port: int}|string $node "host:port" as a string */
    public function formed(array|string $node): string
    {
        $text = is_array($node) ? NameResolvers::text($node) : $node;
        return $this->withPort ? $text : trim((string) preg_replace('~:\d+$~', '', $text), '[]');
    }
}
