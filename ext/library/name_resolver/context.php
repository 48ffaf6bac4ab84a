<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

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

    /** @internal The next node of the cluster of before; null: there was none. */
    public function next(): ?string
    {
        return $this->cluster === null ? null : $this->formed((string) $this->cluster->pop());
    }

    /** @internal */
    public function formed(string $node): string
    {
        return $this->withPort ? $node : trim((string) preg_replace('~:\d+$~', '', $node), '[]');
    }
}
