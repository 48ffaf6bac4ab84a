<?php

declare(strict_types=1);

/* The checks of database_clients_test.php on clients of Redis whose server dies under 200 of them and comes back. A check is a line of JSON. */

namespace Stampede\Tests\E2e;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\WaitGroup;

require __DIR__ . '/../lib/bootstrap.php';
require __DIR__ . '/../lib/Database.php';

const CLIENTS = 200;

$server = Database::redis();

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function descriptors(): int
{
    return count(scandir('/proc/self/fd') ?: []);
}

/** @return array<string, array{callable(): object, callable(object): mixed, mixed}> makes one, waits with it, and what it says of the loss */
$clients = [
    'Redis client' => [
        static function () use ($server): Coroutine\Redis {
            $redis = new Coroutine\Redis();
            $redis->connect('127.0.0.1', $server->port);
            return $redis;
        },
        static fn (Coroutine\Redis $redis): mixed => $redis->blPop('never', 60) === false ? [$redis->errType, $redis->connected] : 'an answer',
        [3, false],
    ],
    'phpredis' => [
        static function () use ($server): \Redis {
            $redis = new \Redis();
            $redis->connect('127.0.0.1', $server->port);
            return $redis;
        },
        static function (\Redis $redis) use ($server): mixed {
            try {
                return $redis->blPop('never', 60);
            } catch (\RedisException $error) {
                return str_replace((string) $server->port, 'PORT', $error->getMessage());
            }
        },
        'read error on connection to 127.0.0.1:PORT',
    ],
];

foreach ($clients as $name => [$make, $wait, $loss]) {
    $before = descriptors();
    Coroutine\run(static function () use ($name, $make, $wait, $loss, $server, &$before): void {
        $before = descriptors(); // with what the first loop keeps
        $isBack = new Channel(CLIENTS);
        $group = new WaitGroup(CLIENTS);
        $said = $after = [];
        for ($i = 0; $i < CLIENTS; $i++) {
            Coroutine::create(static function () use ($i, $make, $wait, $isBack, $group, &$said, &$after): void {
                $redis = $make();
                $said[$i] = $wait($redis);
                $isBack->pop(60);
                $after[$i] = $redis->set("n$i", "$i") === true ? $redis->get("n$i") : 'no answer';
                $group->done();
            });
        }
        $observer = new Coroutine\Redis();
        $observer->connect('127.0.0.1', $server->port);
        $areBlocked = static fn (): bool => str_contains((string) $observer->request(['INFO', 'clients']), 'blocked_clients:' . CLIENTS);
        check("$name: all of them wait", true, Server::until(30, $areBlocked));
        $observer->close();
        $server->stop(SIGKILL);
        check("$name: each is told of the loss", true, Server::until(30, static function () use (&$said): bool {
            return count($said) === CLIENTS;
        }));
        check("$name: in the words of the driver", [json_encode($loss)], array_values(array_unique(array_map(json_encode(...), $said))));
        $server->start();
        for ($i = 0; $i < CLIENTS; $i++) {
            $isBack->push(true);
        }
        check("$name: they go on", true, $group->wait(60));
        ksort($after);
        check("$name: connected again by themselves, each with its own answer", array_map(strval(...), range(0, CLIENTS - 1)), $after);
    });
    check("$name: nothing is left behind", [$before, 0], [descriptors(), count(iterator_to_array(Coroutine::list()))]);
}
