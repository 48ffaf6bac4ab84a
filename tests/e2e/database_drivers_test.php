<?php

declare(strict_types=1);

/* PHP's own drivers of databases in coroutines: the same results, warnings and exceptions as without, many at once. */

namespace Stampede\Tests\E2e;

final class database_drivers_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $mysql = Database::mariadb();
        $pg = Database::postgres();
        $redis = Database::redis();
        $proxies = $ports = $controls = [];
        foreach (['mysql' => $mysql->port, 'pg' => $pg->port] as $name => $target) {
            [$ports[$name], $controls[$name]] = [Server::freePort(), 'tcp://127.0.0.1:' . Server::freePort()];
            $proxies[] = External::php(__DIR__ . '/apps/fault_proxy.php', $ports[$name], ["tcp://127.0.0.1:$target", $controls[$name]]);
        }
        $rude = [];
        foreach (['garbage', 'closing', 'silent'] as $kind) {
            $rude[$kind] = Server::freePort();
            $proxies[] = External::php(__DIR__ . '/apps/rude_server.php', $rude[$kind], [$kind]);
        }
        $drivers = glob('/usr/lib/*/odbc/libmaodbc.so') ?: [''];
        $odbc = "Driver=$drivers[0];Server=127.0.0.1;Port=$mysql->port;Database=test;UID=root";
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $at = json_encode(['mysql' => $mysql->port, 'socket' => "$mysql->folder/sock", 'pg' => $pg->port, 'redis' => $redis->port, 'mysqlProxy' => $ports['mysql'], 'mysqlControl' => $controls['mysql'],
            'pgProxy' => $ports['pg'], 'pgControl' => $controls['pg'], 'odbc' => $odbc, 'folder' => $redis->folder] + $rude, JSON_THROW_ON_ERROR);
        Companion::reportChecks($this, [...phpWithModule($module), '-d', 'memory_limit=1G', '-d', 'error_reporting=-1', __DIR__ . '/apps/database_drivers.php', $at], 120.0);
    }
}
