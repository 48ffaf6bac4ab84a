// Made by tools/gen-library from ext/library/*.php; not to be edited.
#pragma once

#include "library/library.h"

namespace stampede::library {

// clang-format off
inline constexpr Source kSources[] = {
    {"swoole\\connectionpool", "stampede://connection_pool.php",
     R"~~~(<?php

declare(strict_types=1);

namespace Swoole;

use RuntimeException;
use Swoole\Coroutine\Channel;
use Throwable;

/**
 * Up to $size connections that coroutines take and give back. A connection is made by the constructor when none is
 * free and the pool is not full yet. With $proxy the constructor is a class name and gets the pool as its argument.
 */
class ConnectionPool
{
    public const DEFAULT_SIZE = 64;

    /** @var Channel|null connections that nobody uses; null once the pool is closed */
    protected $pool;

    /** @var callable */
    protected $constructor;

    /** @var int */
    protected $size;

    /** @var int connections made and not lost */
    protected $num = 0;

    /** @var string|null */
    protected $proxy;

    public function __construct(callable $constructor, int $size = self::DEFAULT_SIZE, ?string $proxy = null)
    {
        $this->pool = new Channel($this->size = $size);
        $this->constructor = $constructor;
        $this->proxy = $proxy;
    }

    /** Makes connections until the pool is full. */
    public function fill(): void
    {
        while ($this->size > $this->num) {
            $this->make();
        }
    }

    /**
     * A connection for the caller alone, until put(). Waits at most $timeout seconds when all are in use, for ever
     * with -1; false when the time is over.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        if ($this->pool === null) {
            throw new RuntimeException('Pool has been closed');
        }
        if ($this->pool->isEmpty() && $this->num < $this->size) {
            $this->make();
        }
        return $this->pool->pop($timeout);
    }

    /**
     * Gives a connection back; null says that it was lost, and another is made when one is needed.
     *
     * @param mixed $connection
     */
    public function put($connection): void
    {
        if ($this->pool === null) {
            return;
        }
        if ($connection !== null) {
            $this->pool->push($connection);
        } else {
            $this->num--;
            $this->make();
        }
    }

    /** No connection is handed out any more, and those in the pool are dropped. */
    public function close(): void
    {
        if ($this->pool === null) {
            return;
        }
        $this->pool->close();
        $this->pool = null;
        $this->num = 0;
    }

    protected function make(): void
    {
        $this->num++;
        try {
            $constructor = $this->constructor;
            $connection = $this->proxy !== null ? new $this->proxy($constructor) : $constructor();
        } catch (Throwable $error) {
            $this->num--;
            throw $error;
        }
        $this->put($connection);
    }
}
)~~~"},
};
// clang-format on

}  // namespace stampede::library
