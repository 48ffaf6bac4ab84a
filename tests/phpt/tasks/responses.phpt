--TEST--
A request that was given up with detach() is answered by a task worker and by the first process
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\Http\Response;

$detached = new Swoole\Atomic\Long(0);
serve_tasks([], [
    'request' => function ($request, Response $response) use ($detached): void {
        $response->detach();
        match ($request->server['request_uri']) {
            '/first' => $detached->set($request->fd),
            '/server' => $GLOBALS['running']->task(['server', $request->fd]),
            '/number' => $GLOBALS['running']->task(['number', $request->fd]),
        };
    },
    'workerStart' => function ($server): void {
        $GLOBALS['running'] = $server;
    },
    'task' => function ($server, int $task, int $worker, array $data): void {
        [$form, $fd] = $data;
        $response = $form === 'server' ? Response::create($server, $fd) : Response::create($fd);
        $response->header('X-Form', $form);
        if ($form === 'number') {
            $response->write('one ');
        }
        $response->end(str_repeat('x', 3 << 20) . " by $form");
    },
    'start' => function ($server) use ($detached): void {
        Swoole\Timer::tick(5, function () use ($server, $detached): void {
            if (($fd = $detached->get()) > 0) {
                $detached->set(0);
                $response = Response::create($server, $fd);
                $response->status(408);
                $response->end('too slow');
            }
        });
    },
], function (callable $ask): void {
    foreach (['/server', '/number', '/first', '/server'] as $path) {
        echo str_replace(str_repeat('x', 3 << 20), 'large', $ask($path)), "\n";
    }
});
?>
--EXPECT--
large by server
one large by number
too slow
large by server
