<?php

declare(strict_types=1);

/*
 * Sends back what comes: TCP on the first port, UDP on the second.
 * usage: server.php TCP-PORT UDP-PORT [MODE], where MODE is "base" (one worker), or with SWOOLE_PROCESS and two workers "mode N" (the
 * dispatch_mode) or "function" (dispatch_func, which does what mode 2 does).
 */

$mode = $argv[3] ?? 'base';
$server = new Swoole\Server('127.0.0.1', (int) $argv[1], $mode === 'base' ? SWOOLE_BASE : SWOOLE_PROCESS);
$server->set(['worker_num' => $mode === 'base' ? 1 : 2, 'log_level' => SWOOLE_LOG_WARNING]);
if (preg_match('/^mode (\d)$/', $mode, $found) === 1) {
    $server->set(['dispatch_mode' => (int) $found[1]]);
} elseif ($mode === 'function') {
    $server->set(['dispatch_func' => static fn (Swoole\Server $server, int $fd, int $type, string $data): int => $fd % 2]);
}
$server->listen('127.0.0.1', (int) $argv[2], SWOOLE_SOCK_UDP);
$server->on('receive', static function (Swoole\Server $server, int $fd, int $reactor, string $data): void {
    $server->send($fd, $data);
});
$server->on('packet', static function (Swoole\Server $server, string $data, array $client): void {
    $server->sendto($client['address'], $client['port'], $data);
});
$server->start();
