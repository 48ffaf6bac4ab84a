<?php

declare(strict_types=1);

/* Connections that two coroutines want at once, and waits that are given up, with real servers. */

namespace Stampede\Tests\E2e;

final class hooks_safety_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $mysql = Database::mariadb();
        $pg = Database::postgres();
        $redis = Database::redis();
        $program = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        Companion::reportChecks($this, [...phpWithModule($program), '-d', 'error_reporting=-1', __DIR__ . '/apps/hooks_safety.php',
            json_encode(['mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port], JSON_THROW_ON_ERROR)], 120.0);
    }
}
