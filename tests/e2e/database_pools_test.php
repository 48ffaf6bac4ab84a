<?php

declare(strict_types=1);

/* Pools of database connections: reconnects, transactions, and the faults of servers and networks. */

namespace Stampede\Tests\E2e;

/** Asks so many times at once. @return list<Peer> */
function peers(Server $server, string $path, int $count): array
{
    $peers = [];
    for ($i = 0; $i < $count; $i++) {
        $peers[] = $peer = new Peer($server->address());
        $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
    }
    return $peers;
}

/** @param list<Peer> $peers @return list<int> */
function statuses_of(array $peers): array
{
    $statuses = [];
    foreach ($peers as $peer) {
        $answers = Answer::all($peer->readToEnd(20));
        $statuses[] = $answers[0]->status ?? 0;
        $peer->close();
    }
    return $statuses;
}

final class database_pools_test extends EndToEndTest
{
    private static mixed $module;
    private static mixed $at;
    private static Database $mysql;
    private static Database $pg;
    /** @var list<Stoppable> */
    private static array $others;

    public static function setUpBeforeClass(): void
    {
        self::$mysql = $mysql = Database::mariadb();
        self::$pg = $pg = Database::postgres();
        $redis = Database::redis();
        [$mysqlProxy, $mysqlProxyPort, $mysqlControl] = self::faulty($mysql->port);
        [$pgProxy, $pgProxyPort, $pgControl] = self::faulty($pg->port);
        self::$module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        self::$at = json_encode(['mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port, 'mysqlProxy' => $mysqlProxyPort, 'pgProxy' => $pgProxyPort,
            'mysqlControl' => $mysqlControl, 'pgControl' => $pgControl], JSON_THROW_ON_ERROR);
        self::$others = [$redis, $mysqlProxy, $pgProxy];
    }

    public function testPools(): void
    {
        [$module, $at] = [self::$module, self::$at];
        Companion::reportChecks($this, [...phpWithModule($module), '-d', 'memory_limit=512M', '-d', 'error_reporting=-1', __DIR__ . '/apps/pools.php', $at], 90.0);
    }

    public function testAServerThatOutlivesItsDatabase(): void
    {
        [$mysql, $pg] = [self::$mysql, self::$pg];
        // A server that outlives its database.
        foreach (['mysql' => [$mysql, ['pdo', 'mysqlnd', 'pdo_mysql']], 'pgsql' => [$pg, ['pdo', 'pdo_pgsql']]] as $driver => [$database, $extensions]) {
            $database->stop();
            $server = new Server('pool_server', ['_driver' => $driver, '_port' => $database->port], [], $extensions);
            $start = microtime(true);
            $this->same("$driver: the database is down at the start: the server is there", [200, 'hello'], ask($server, '/hello'));
            $this->same("$driver: what needs it fails", [503, 'PDOException'], ask($server, '/'));
            $this->check("$driver: at once", microtime(true) - $start < 2);
            $database->start();
            $this->check("$driver: and works within 2 s when it is back", Server::until(2, static fn (): bool => ask($server, '/') === [200, '7']));
            for ($i = 0; $i < 20; $i++) {
                ask($server, '/fail');
            }
            $this->check("$driver: requests that fail with a connection in hand leak none", json_decode(ask($server, '/pool')[1], true)['lent'] === 0, ask($server, '/pool')[1]);
            $peers = peers($server, '/slow', 12);
            $isBusy = static fn (): bool => ($stats = json_decode(ask($server, '/pool')[1], true)) && $stats['lent'] === 8 && $stats['waiting'] === 4;
            $this->check("$driver: eight have one, four wait", Server::until(10, $isBusy), ask($server, '/pool')[1]);
            $database->stop(SIGKILL);
            $this->same("$driver: the database goes: all of them get an error", array_fill(0, 12, 503), statuses_of($peers));
            $this->same("$driver: no dead connection is kept", ['num' => 0, 'idle' => 0, 'lent' => 0, 'waiting' => 0], array_diff_key(json_decode(ask($server, '/pool')[1], true), ['size' => 0]));
            $this->same("$driver: the server goes on", [200, 'hello'], ask($server, '/hello'));
            $database->start();
            $this->check("$driver: and so do its requests, within 2 s", Server::until(2, static fn (): bool => ask($server, '/') === [200, '7']));
            $this->same("$driver: with one connection", ['num' => 1, 'idle' => 1], array_intersect_key(json_decode(ask($server, '/pool')[1], true), ['num' => 0, 'idle' => 0]));
            $this->same("$driver: twelve at once", array_fill(0, 12, 200), statuses_of(peers($server, '/nap', 12)));
            $this->same("$driver: the pool has its size again", ['num' => 8, 'idle' => 8, 'lent' => 0, 'waiting' => 0], array_diff_key(json_decode(ask($server, '/pool')[1], true), ['size' => 0]));
            $this->same("$driver: it ends well", 0, $server->stop());
        }
    }

    /** @return array{External, int, string} a proxy that breaks things, its port and who tells it what */
    private static function faulty(int $target): array
    {
        [$port, $control] = [Server::freePort(), 'tcp://127.0.0.1:' . Server::freePort()];
        return [External::php(__DIR__ . '/apps/fault_proxy.php', $port, ["tcp://127.0.0.1:$target", $control]), $port, $control];
    }
}
