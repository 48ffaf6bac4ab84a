<?php

declare(strict_types=1);

/*
 * A server that can be broken in every way. Settings beginning with "_" are this program's own:
 * _mode, _boot (file: when it holds "fail", workers die at start), _events (file that gets a line per life-cycle event).
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$settings = json_decode($argv[2] ?? '{}', true);
$own = array_filter($settings, static fn (string $name): bool => $name[0] === '_', ARRAY_FILTER_USE_KEY);
$server = new Server('127.0.0.1', (int) $argv[1], $own['_mode'] ?? SWOOLE_BASE);
$server->set(array_diff_key($settings, $own));

$note = static function (string $line) use ($own): void {
    if (isset($own['_events'])) {
        file_put_contents($own['_events'], getmypid() . " $line\n", FILE_APPEND);
    }
};
foreach (['start', 'shutdown', 'beforeShutdown', 'managerStart', 'managerStop', 'beforeReload', 'afterReload'] as $event) {
    $server->on($event, static fn (Server $server) => $note($event));
}
foreach (['workerStop', 'workerExit'] as $event) {
    $server->on($event, static fn (Server $server, int $id) => $note("$event $id"));
}
$server->on('workerError', static fn (Server $server, int $id, int $pid, int $code, int $signal) => $note("workerError $id $pid $code $signal"));
$server->on('workerStart', static function (Server $server, int $id) use ($note, $own): void {
    $note("workerStart $id");
    if (isset($own['_boot']) && trim((string) @file_get_contents($own['_boot'])) === 'fail') {
        throw new RuntimeException('this worker cannot start');
    }
});
if (isset($own['_connections'])) {
    $server->on('connect', static fn (Server $server, int $fd, int $reactor) => $note("connect $fd"));
    $server->on('close', static fn (Server $server, int $fd, int $reactor) => $note("close $fd $reactor"));
}

function overflow(int $depth): int
{
    return array_sum(array_map(static fn (int $x): int => overflow($x), [$depth + 1]));
}

$server->on('request', static function (Request $request, Response $response) use ($server): void {
    switch ($request->server['path_info']) {
        case '/pid':
            $response->end((string) getmypid());
            return;
        case '/sleep':
            Coroutine::sleep((float) ($request->get['t'] ?? 0.3));
            $response->end('slept ' . getmypid());
            return;
        case '/throw':
            throw new RuntimeException("a fault\r\n\x1b[31mred");
        case '/throw-late':
            $response->write('begun');
            throw new RuntimeException('a late fault');
        case '/exit':
            $response->header('X-Before', 'exit');
            exit(7);
        case '/exit-caught':
            try {
                exit(7);
            } catch (Swoole\ExitException $exit) {
                $response->end($exit->getMessage() . ' ' . $exit->getStatus());
            }
            return;
        case '/exit-ended':
            $response->end('whole');
            exit;
        case '/fatal':
            trigger_error('a fatal error', E_USER_ERROR);
        case '/fatal-in-wait':
            Stampede\Blocking::wait(static fn () => trigger_error('a fatal error in a call that waits', E_USER_ERROR));
            return;
        case '/blocking-child':  // 200 when the child's sleep blocks, as the hook flags of this server say
            Coroutine::sleep(0.6);
            $slept = false;
            Coroutine::create(static function () use (&$slept): void {
                usleep(20000);
                $slept = true;
            });
            $response->status($slept ? 200 : 500);
            $response->end();
            return;
        case '/memory':
            ini_set('memory_limit', '64M');
            $rows = [];
            while (true) {
                $rows[] = str_repeat('x', 100000);
            }
        case '/eat':
            ini_set('memory_limit', '-1');
            $response->end((string) strlen(str_repeat('x', (int) $request->get['mb'] << 20)));
            return;
        case '/compute':
            // Seconds of the processor, the kernel's share of it too, which may be the larger one.
            $used = static fn (): float => ($now = getrusage())['ru_utime.tv_sec'] + $now['ru_stime.tv_sec'] + ($now['ru_utime.tv_usec'] + $now['ru_stime.tv_usec']) / 1e6;
            for ($end = $used() + (float) $request->get['s']; $used() < $end;) {
                for ($i = 0; $i < 10_000; $i++) {
                }
            }
            $response->end('computed');
            return;
        case '/recursion':
            $response->end((string) overflow(0));
            return;
        case '/loop':
            for ($i = 0;; $i++) {
            }
        case '/unanswered':
            return;
        case '/garbage':
            $a = $b = new stdClass();
            $a->self = $b;
            $b->rows = [$request->server, $request->header, $request->get, $request->cookie];
            $response->end('ok');
            return;
        case '/many':
            $made = 0;
            $refused = 0;
            for ($i = 0; $i < 100000; $i++) {
                $id = @go(static function (): void {
                    Coroutine::sleep(0.5);
                });
                $id === false ? $refused++ : $made++;
            }
            $response->end(json_encode([$made, $refused]));
            return;
        case '/stats':
            $response->end(json_encode($server->stats()));
            return;
        case '/reload':
            $response->end(json_encode($server->reload()));
            return;
        case '/shutdown':
            $response->end(json_encode($server->shutdown()));
            return;
        case '/stop':
            $response->end(json_encode($server->stop()));
            return;
        case '/isolated':
            $id = $request->get['id'];
            $errors = [];
            ob_start();
            set_error_handler(static function (int $level, string $message) use (&$errors): bool {
                $errors[] = $message;
                return true;
            });
            $reporting = error_reporting(E_ALL & ~(1 << ((int) $id % 8)));
            Coroutine::getContext()['id'] = $id;
            $GLOBALS['shared'] = $id;
            for ($i = 0; $i < 5; $i++) {
                echo $id;
                @trigger_error("silenced $id");
                Coroutine::sleep(0.002 * (1 + ((int) $id + $i) % 3));
                trigger_error("of $id", E_USER_NOTICE);
            }
            $response->header('X-Id', $id);
            $response->cookie('id', $id);
            $level = error_reporting($reporting);
            restore_error_handler();
            $response->end(json_encode(['output' => ob_get_clean(), 'errors' => array_values(array_unique($errors)), 'level' => $level, 'context' => Coroutine::getContext()['id'],
                'body' => $request->getContent(), 'post' => $request->post, 'cookie' => $request->cookie, 'header' => $request->header['x-id'], 'fd' => $request->fd === $response->fd]));
            return;
        case '/body':
            $response->end(hash('sha256', (string) $request->getContent()));
            return;
        case '/file':
            $response->sendfile(__FILE__);
            return;
        case '/large':
            for ($i = 0; $i < 3000; $i++) {
                if (!$response->write(str_repeat('y', 100000))) {
                    file_put_contents($request->get['note'], 'write failed');
                    return;
                }
            }
            $response->end();
            return;
        default:
            $response->end('hello');
    }
});
$server->start();
file_put_contents('php://stdout', "start returned\n");
