<?php

/* The server of bench/soak/requests: every request builds all arrays, a reference cycle, a timer and a waiting coroutine. usage: server.php PORT */

$server = new Swoole\Http\Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static function ($request, $response) {
    $seen = [$request->header, $request->server, $request->get, $request->cookie, $request->post, $request->files];
    $cycle = new stdClass();
    $cycle->self = $cycle;
    $cycle->seen = $seen;
    $cycle->response = $response; // with its fields: what the collector frees must be all of it
    if (isset($request->get['wait'])) {
        Swoole\Coroutine::sleep(0.002);
    }
    $response->header('Content-Type', 'application/json');
    $response->cookie('seen', 'yes');
    $response->end(json_encode($seen));
});
$server->start();
