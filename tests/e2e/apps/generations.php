<?php

declare(strict_types=1);

/*
 * A server whose workers are forked by a boot process. The file of the setting "_code" is what it boots: it returns a value, throws,
 * exits ... Settings beginning with "_" are this program's own.
 */

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

final class Booted
{
    public static mixed $code = null;
    public static int $by = 0;
    /** @var list<mixed> */
    public static array $kept = [];
}

$settings = json_decode($argv[2] ?? '{}', true);
$code = $settings['_code'];
unset($settings['_code']);
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_PROCESS);
$server->set($settings);
$server->on('boot', static function () use ($code): void {
    Booted::$by = getmypid();
    Booted::$code = require $code;
});
$server->on('bootCheck', static function (): void {
    $check = Booted::$code['check'] ?? null;
    Booted::$kept[] = 'checked';
    is_callable($check) && $check();
});
$server->on('bootError', static function (Server $server, string $why): void {
    echo 'told by ', getmypid() === $server->master_pid ? 'the supervisor' : 'another', ": {$why}\n";
});
$server->on('request', static function (Request $request, Response $response): void {
    $response->end(json_encode(match ($request->server['path_info']) {
        '/code' => Booted::$code,
        '/kept' => Booted::$kept,
        '/family' => ['pid' => getmypid(), 'parent' => (int) explode(' ', (string) file_get_contents('/proc/self/stat'))[3], 'by' => Booted::$by],
        '/user' => (int) preg_replace('/^.*\nUid:\s+(\d+).*$/s', '$1', (string) file_get_contents('/proc/self/status')),
        '/task' => $request->server['path_info'] === '/task' ? $GLOBALS['server']->taskwait('who', 10) : null,
        '/throw' => throw new RuntimeException('thrown by ' . getmypid()),
        '/random' => [mt_rand(), random_int(0, PHP_INT_MAX), lcg_value()],
        default => getmypid(),
    }));
});
$server->on('task', static fn (): array => [getmypid(), (int) explode(' ', (string) file_get_contents('/proc/self/stat'))[3], Booted::$by]);
$server->start();
