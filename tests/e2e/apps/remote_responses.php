<?php

declare(strict_types=1);

/* Requests that their worker gives up, and whose responses the first process of the server writes when it is asked to. */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Timer;

$settings = json_decode($argv[2] ?? '{}', true);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS, SWOOLE_SOCK_TCP | (isset($settings['ssl_cert_file']) ? SWOOLE_SSL : 0));
$server->set($settings + ['worker_num' => 1, 'open_http2_protocol' => true, 'max_wait_time' => 20]);
$held = new Swoole\Table(64);
$held->column('stream', Swoole\Table::TYPE_INT);
$held->column('fd', Swoole\Table::TYPE_INT);
$held->create();
$released = new Swoole\Atomic(0);
$server->on('request', static function (Request $request, Response $response) use ($held, $released): void {
    $path = $request->server['request_uri'];
    if ($path === '/held') {
        $response->detach();
        $held->set("$request->fd-$request->streamId", ['fd' => $request->fd, 'stream' => $request->streamId]);
        return;
    }
    if ($path === '/release') {
        $released->set(1);
    }
    $response->end($path === '/pid' ? (string) getmypid() : (string) $held->count());
});
$server->on('start', static function (Server $server) use ($held, $released): void {
    Timer::tick(5, static function () use ($server, $held, $released): void {
        if ($released->get() === 0) {
            return;
        }
        $released->set(0);
        foreach (iterator_to_array($held) as $key => $one) {
            $held->del($key);
            $request = new Request();
            $request->streamId = $one['stream'];
            $responses = [Response::create([$server, $request], $one['fd']), Response::create([$server, $request], $one['fd'])];
            foreach ($responses as $number => $response) {
                $response && @$response->end("response $number of {$one['stream']}");
            }
        }
    });
});
$server->start();
