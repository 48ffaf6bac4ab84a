<?php

declare(strict_types=1);

/*
 * A server for assistants (Model Context Protocol, over HTTP): the Markdown pages of a folder, to be listed, read and searched.
 * usage: php -d extension=modules/stampede.so examples/mcp/server.php [HOST:PORT [FOLDER]]
 */

use Mcp\Dispatcher;
use Mcp\HttpTransport;
use Mcp\Pages;
use Mcp\Sessions;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Timer;

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Mcp\\')) {
        require __DIR__ . '/src/' . substr($class, 4) . '.php';
    }
});

const LOOK_EVERY = 1000; // milliseconds, for changed pages
const EXPIRE_EVERY = 60_000;

if (preg_match('/^([\w.-]+):(\d+)$/', $argv[1] ?? '127.0.0.1:9520', $at) !== 1) {
    fwrite(STDERR, "usage: server.php [HOST:PORT [FOLDER]]\n");
    exit(1);
}
$folder = realpath($argv[2] ?? dirname(__DIR__, 2) . '/docs');
if ($folder === false || !is_dir($folder)) {
    fwrite(STDERR, "The folder {$argv[2]} does not exist.\n");
    exit(1);
}
preg_match('/^Max open files +(\d+)/m', (string) file_get_contents('/proc/self/limits'), $files);

$server = new Server($at[1], (int) $at[2]);
$server->set([
    'worker_num' => 1, // sessions are in its memory; it holds tens of thousands of them
    'hook_flags' => SWOOLE_HOOK_ALL,
    'max_connection' => (int) ($files[1] ?? 1024) - 100,
    'max_coroutine' => 100_000,
    'backlog' => 8192,
    'package_max_length' => 1 << 20,
]);
$server->on('start', static function () use ($at, $folder): void {
    echo "The pages of {$folder} are at http://{$at[1]}:{$at[2]}/mcp\n";
});
$sessions = new Sessions();
$transport = null;
$server->on('workerExit', $sessions->closeAll(...));
$server->on('workerStart', static function () use ($at, $folder, $sessions, &$transport): void {
    $pages = new Pages($folder);
    $transport = new HttpTransport($sessions, new Dispatcher($pages), $at[1]);
    Timer::tick(EXPIRE_EVERY, $sessions->expire(...));
    Timer::tick(LOOK_EVERY, static function () use ($pages, $sessions): void {
        if ($pages->haveChanged()) {
            $sessions->notify('notifications/resources/list_changed');
        }
    });
});
$server->on('request', static function (Request $request, Response $response) use (&$transport): void {
    $transport?->handle($request, $response);
});
$server->start();
