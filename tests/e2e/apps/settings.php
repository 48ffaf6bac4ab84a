<?php

declare(strict_types=1);

/* A server that shows the effect of its settings. "_unix": one more port on a unix socket; "_second": one more TCP port; "_strict": warnings throw. */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$own = array_filter($settings, static fn (string $name): bool => $name[0] === '_', ARRAY_FILTER_USE_KEY);
$server = new Server('127.0.0.1', (int) $argv[1]);
$server->set(array_diff_key($settings, $own) + ['worker_num' => 1]);
if (isset($own['_unix'])) {
    $server->listen($own['_unix'], 0, SWOOLE_SOCK_UNIX_STREAM);
}
if (isset($own['_strict'])) {
    set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message));
}
if (isset($own['_second'])) {
    $server->listen('127.0.0.1', $own['_second'], SWOOLE_SOCK_TCP)
        ->on('request', static fn (Request $request, Response $response) => $response->end('second ' . $request->server['server_port']));
}
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    switch ($request->server['path_info']) {
        case '/who':
            $status = (string) file_get_contents('/proc/self/status');
            preg_match('/^Uid:\s+(\d+)/m', $status, $uid);
            preg_match('/^Gid:\s+(\d+)/m', $status, $gid);
            $response->end(json_encode([(int) $uid[1], (int) $gid[1], getmypid()]));
            return;
        case '/vars':
            $response->end(getmypid() . ': ' . count($request->get ?? []) . ' ' . count($request->post ?? []));
            return;
        case '/print':
            fwrite(STDERR, "printed by the worker\n");
            $response->end('printed');
            return;
        case '/pid':
            $response->end((string) getmypid());
            return;
        case '/root':
            $response->end(json_encode(scandir('/')));
            return;
        case '/coroutine':
            $response->end((string) Coroutine::getCid());
            return;
        case '/sleep':
            Coroutine::sleep(1);
            $response->end('slept');
            return;
        case '/setting':
            $response->end(json_encode($server->setting));
            return;
        case '/info':
            $response->end(json_encode([$server->getClientInfo($request->fd), $server->exist($request->fd), $server->exist(123456),
                iterator_to_array($server->connections), count($server->connections), $server->getClientList(), $request->fd, $server->worker_id, $server->getWorkerPid() === getmypid(),
                $server->getWorkerStatus(), $server->master_pid === $server->getManagerPid()]));
            return;
        case '/throw':
            throw new Exception('for the log');
        default:
            $response->end('hello');
    }
});
$server->start();
