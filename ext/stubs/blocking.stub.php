<?php

/** @generate-class-entries */

namespace Stampede;

/** For classes that are made of blocking calls and wait in coroutines whatever the hook flags are. */
final class Blocking
{
    /**
     * Calls $work and gives what it gives. Blocking calls of PHP, its extensions and their libraries that it makes wait
     * in the coroutine; outside coroutines they block.
     */
    public static function wait(\Closure $work): mixed {}
}
