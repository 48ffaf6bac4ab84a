<?php

declare(strict_types=1);

/* The checks of database_clients_test.php on Swoole\NameResolver\Redis. A check is a line of JSON. argv: {"redis": port} */

use Swoole\Coroutine;
use Swoole\NameResolver\Exception;
use Swoole\NameResolver\Redis;

$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => "name resolver with Redis: $name", 'expected' => $expected, 'actual' => $actual], JSON_THROW_ON_ERROR), "\n";
}

Coroutine\run(static function () use ($at): void {
    $resolver = new Redis("redis://127.0.0.1:{$at['redis']}/2");
    check('no such service', null, $resolver->getCluster('web'));
    check('nodes join', [true, true], [$resolver->join('web', '10.0.0.1', 80), $resolver->join('web', '::1', 81)]);
    $cluster = $resolver->getCluster('web');
    $nodes = [$cluster?->pop(), $cluster?->pop(), $cluster?->pop()];
    $nodes = array_map(static fn (array|false $node): string => $node === false ? 'none' : "{$node['host']} {$node['port']}", $nodes);
    sort($nodes);
    check('they are found', ['10.0.0.1 80', '::1 81', 'none'], $nodes);
    check('one leaves', true, $resolver->leave('web', '10.0.0.1', 80));
    check('the other is there', ['host' => '::1', 'port' => 81, 'weight' => 100], $resolver->lookup('web'));
    $nobody = stream_socket_server('tcp://127.0.0.1:0');
    $address = (string) stream_socket_get_name($nobody, false);
    fclose($nobody);
    try {
        (new Redis("redis://$address"))->getCluster('web');
        check('a server that is not there', 'an exception', 'none');
    } catch (Exception $error) {
        check('a server that is not there', true, str_contains($error->getMessage(), 'refused'));
    }
});
