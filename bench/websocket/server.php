<?php

/* The server of bench/websocket: sends a message back, or with "broadcast" to everybody. usage: server.php PORT MODE [FLAGS] */

[, $port, $mode] = $argv;
$flags = (int) ($argv[3] ?? SWOOLE_WEBSOCKET_FLAG_FIN);
$server = new Swoole\WebSocket\Server('0.0.0.0', (int) $port, SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'max_connection' => 100000, 'backlog' => 4096, 'websocket_compression' => $mode === 'compressed']);
$all = [];
if ($mode === 'broadcast' || $mode === 'compressed') {
    $server->on('open', static function ($server, $request) use (&$all) {
        $all[] = $request->fd;
    });
    $server->on('close', static function ($server, $fd) use (&$all) {
        $all = array_values(array_diff($all, [$fd]));
    });
    $server->on('message', static function ($server, $frame) use (&$all, $flags) {
        foreach ($all as $fd) {
            $server->push($fd, $frame->data, SWOOLE_WEBSOCKET_OPCODE_TEXT, $flags);
        }
    });
} else {
    $server->on('message', static function ($server, $frame) {
        $server->push($frame->fd, $frame->data);
    });
}
$server->start();
