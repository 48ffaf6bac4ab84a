<?php

declare(strict_types=1);

/*
 * A server whose workers come and go. Settings beginning with "_" are this program's own: _code (a file that workers load when they
 * start), _reserve (MiB that each has from then on).
 */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

use function Stampede\set_workers;

final class Held
{
    public static string $bytes = '';
    public static mixed $code = null;
}

$settings = json_decode($argv[2] ?? '{}', true);
$own = array_filter($settings, static fn (string $name): bool => $name[0] === '_', ARRAY_FILTER_USE_KEY);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set(array_diff_key($settings, $own));
if (isset($own['_code'])) {
    realpath($own['_code']); // the supervisor knows where it leads
    is_file($own['_code']);
}

$server->on('workerStart', static function () use ($own): void {
    if (isset($own['_code'])) {
        Held::$code = require $own['_code'];
    }
    Held::$bytes = str_repeat('x', ($own['_reserve'] ?? 0) << 20);
});
$server->on('pipeMessage', static function (): void {});
$server->on('task', static function (Server $server, int $id, int $from, int $megabytes): int {
    Held::$bytes .= str_repeat('x', $megabytes << 20);
    return getmypid();
});
$server->on('request', static function (Request $request, Response $response) use ($server): void {
    $number = (int) ($request->get['n'] ?? 0);
    switch ($request->server['path_info']) {
        case '/set':
            $result = @set_workers($number);
            $response->end(json_encode([$result, $result ? '' : error_get_last()['message']]));
            return;
        case '/message':
            $result = @$server->sendMessage('x', $number);
            $response->end(json_encode([$result, $result ? '' : error_get_last()['message']]));
            return;
        case '/grow':
            Held::$bytes .= str_repeat('x', $number << 20);
            break;
        case '/task':
            $response->end((string) $server->taskwait($number, 10));
            return;
        case '/code':
            $response->end(json_encode(Held::$code));
            return;
    }
    $response->end((string) getmypid());
});
try {
    $server->start();
} catch (Swoole\Exception $exception) {
    echo $exception->getMessage(), "\n";
    exit(1);
}
