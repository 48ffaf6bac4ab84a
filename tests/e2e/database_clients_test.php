<?php

declare(strict_types=1);

/* The clients of databases that older code uses, against real servers. */

namespace Stampede\Tests\E2e;

final class database_clients_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $mysql = Database::mariadb();
        $pg = Database::postgres();
        $redis = Database::redis();
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $at = json_encode(['mysql' => $mysql->port, 'socket' => "$mysql->folder/sock", 'pg' => $pg->port, 'redis' => $redis->port, 'redisSocket' => "$redis->folder/sock"], JSON_THROW_ON_ERROR);
        foreach (['mysql_client', 'redis_client', 'redis_restart', 'postgresql_client', 'name_resolvers'] as $app) {
            Companion::reportChecks($this, [...phpWithModule($module), '-d', 'memory_limit=512M', '-d', 'error_reporting=-1', __DIR__ . "/apps/$app.php", $at], 60.0);
        }
    }
}
