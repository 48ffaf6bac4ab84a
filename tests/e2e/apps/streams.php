<?php

declare(strict_types=1);

/*
 * Answers in pieces, and events.
 * usage: php -d extension=... streams.php PORT SETTINGS-AS-JSON
 */

use Stampede\Http\EventStream;
use Stampede\Http\ResponseBody;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING] + json_decode($argv[2], true));
$outcome = 'none';
$server->on('request', static function (Request $request, Response $response) use (&$outcome): void {
    switch ($request->server['request_uri']) {
        case '/generator':
            ResponseBody::send($response, (static function () {
                yield 'one,';
                yield 'two,';
                Coroutine::sleep(0.001);
                yield new class {
                    public function __toString(): string
                    {
                        return 'three';
                    }
                };
            })());
            break;
        case '/endless':
            $outcome = 'sends';
            $count = 0;
            $sent = ResponseBody::send($response, (static function () use (&$count) {
                for (;; $count++) {
                    yield str_repeat('x', 65536);
                }
            })());
            $outcome = var_export($sent, true) . ($count < 1000 ? ' in time' : " after $count");
            break;
        case '/stream':
            $file = fopen($request->get['file'], 'r');
            ResponseBody::send($response, $file);
            break;
        case '/throws':
            ResponseBody::send($response, (static function () {
                yield 'begun';
                throw new RuntimeException('in the middle');
            })());
            break;
        case '/hints':
            $sent = $response->earlyHints(['</a.css>; rel=preload; as=style', '</b.js>; rel=preload; as=script']);
            $bad = @$response->earlyHints(["</c>\r\nX-Evil: 1"]);
            $response->write('page');
            $late = $response->earlyHints(['</late>']);
            $response->end(json_encode([$sent, $bad, $late]));
            break;
        case '/events':
            $events = new EventStream($response);
            $events->event("first\r\nand\rmore\nlines", 'greeting', '1', 3000);
            $events->comment('note');
            try {
                $events->event('x', "bad\nname");
            } catch (ValueError $error) {
                $events->event($error->getMessage());
            }
            $events->close();
            break;
        case '/heartbeat':
            $events = new EventStream($response);
            $events->heartbeat(0.02);
            $outcome = 'open';
            while ($events->isOpen()) {
                Coroutine::sleep(0.005);
            }
            $outcome = json_encode(['gone', $events->event('too late')]);
            break;
        default:
            $response->end($outcome);
    }
});
$server->start();
