<?php

declare(strict_types=1);

namespace LlmProxy;

use RuntimeException;

/**
 * @param string $given HOST:PORT
 * @return array{string, int}
 */
function address(string $given): array
{
    if (preg_match('/^([\w.-]+):(\d+)$/', $given, $found) !== 1) {
        throw new RuntimeException("An address is HOST:PORT, not {$given}.");
    }
    return [$found[1], (int) $found[2]];
}

/** Thousands of connections are more open files than processes usually may have. @return int how many there may be */
function allow_files(int $wanted): int
{
    if (limit_of_files() < $wanted && function_exists('posix_setrlimit')) {
        @posix_setrlimit(POSIX_RLIMIT_NOFILE, $wanted, $wanted); // one that may not goes on with what it has
    }
    return limit_of_files();
}

function limit_of_files(): int
{
    return preg_match('/^Max open files +(\d+)/m', (string) file_get_contents('/proc/self/limits'), $found) === 1 ? (int) $found[1] : PHP_INT_MAX;
}
