<?php

declare(strict_types=1);

/* One worker that gives up many requests at once; their responses are written by the first process, two to each. */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Timer;

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set(json_decode($argv[2] ?? '{}', true) + ['worker_num' => 1]);
$held = new Swoole\Table(4096);
$held->column('fd', Swoole\Table::TYPE_INT);
$held->create();
[$released, $accepted, $refused] = [new Swoole\Atomic(), new Swoole\Atomic(), new Swoole\Atomic()];
$server->on('request', static function (Request $request, Response $response) use ($held, $released, $accepted, $refused): void {
    $path = $request->server['request_uri'];
    if ($path === '/held') {
        $response->detach();
        $held->set((string) $request->fd, ['fd' => $request->fd]);
        return;
    }
    if ($path === '/release') {
        $released->set(1);
    }
    $response->end($path === '/results' ? "{$accepted->get()} {$refused->get()}" : (string) $held->count());
});
$server->on('start', static function () use ($held, $released, $accepted, $refused): void {
    Timer::tick(5, static function () use ($held, $released, $accepted, $refused): void {
        if ($released->get() === 0) {
            return;
        }
        $released->set(0);
        foreach (iterator_to_array($held) as $key => $one) {
            $held->del((string) $key);
            $first = Response::create($one['fd']);
            $second = Response::create($one['fd']);
            foreach ([$first, $second] as $response) {
                ($response && @$response->end("for {$one['fd']}") ? $accepted : $refused)->add();
            }
        }
    });
});
$server->start();
