<?php

declare(strict_types=1);

/*
 * Hundreds of coroutines over three connections: statements that outlive the time in which their coroutine had the connection, second users, and
 * connections that are closed while another coroutine waits in them, that the server ends, or that come back in a state of their own.
 */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
[$mysql, $pg, $redis] = [Database::mariadb(), Database::postgres(), Database::redis()];
$at = json_encode(['mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port], JSON_THROW_ON_ERROR);
$module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
$apps = [
    'statements.php' => ['pooled', 'ends', 'second_user', 'closing'],
    'ending_statements.php' => ['in_turn', 'long_parameter', 'transactions', 'reset', 'cancelled', 'collection'],
    'lost_connections.php' => ['left_open', 'lost', 'results', 'executing'],
];
foreach ($apps as $app => $parts) {
    foreach ($parts as $part) {
        Companion::reportChecks($report, [...phpWithModule($module), '-d', 'memory_limit=512M', '-d', 'error_reporting=-1', __DIR__ . "/apps/$app", $at, $part], 120.0);
    }
}
$report->finish();
