<?php

declare(strict_types=1);

/* One worker that sends back what comes: TCP on the first port, UDP on the second. usage: server.php TCP-PORT UDP-PORT */

$server = new Swoole\Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING]);
$server->listen('127.0.0.1', (int) $argv[2], SWOOLE_SOCK_UDP);
$server->on('receive', static function (Swoole\Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, $data);
});
$server->on('packet', static function (Swoole\Server $server, string $data, array $client): void {
    $server->sendto($client['address'], $client['port'], $data);
});
$server->start();
