<?php

declare(strict_types=1);

namespace Swoole\Database;

use Error;

/** A connection or statement behind a proxy: two copies would use one connection at once. */
class ObjectProxy extends \Swoole\ObjectProxy
{
    public function __clone(): void
    {
        throw new Error('Database connections and statements cannot be cloned: take another one from the pool.');
    }
}
