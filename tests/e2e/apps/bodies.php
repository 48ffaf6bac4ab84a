<?php

declare(strict_types=1);

/*
 * Reads bodies in pieces and as a whole.
 * usage: php -d extension=... bodies.php PORT SETTINGS-AS-JSON
 */

use Stampede\Http\Body;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING] + json_decode($argv[2], true));
$outcome = 'none';
$server->on('request', static function (Request $request, Response $response) use (&$outcome): void {
    $body = new Body($request);
    switch ($request->server['request_uri']) {
        case '/echo':
            foreach ($body as $piece) {
                $response->write($piece);
            }
            $response->end();
            break;
        case '/gate':
            while (!file_exists($request->get['file'])) {
                Coroutine::sleep(0.01);
            }
            // no break
        case '/hash':
            $outcome = 'reads';
            $hash = hash_init('md5');
            $size = 0;
            while (is_string($piece = $body->read(100_000)) && $piece !== '') {
                hash_update($hash, $piece);
                $size += strlen($piece);
            }
            $outcome = $piece === '' ? 'whole' : 'cut with ' . swoole_last_error();
            $response->end(json_encode([hash_final($hash), $size, $body->eof()]));
            break;
        case '/fields':
            $response->end(json_encode([$request->getContent(), isset($request->header['content-encoding']), isset($request->header['content-length']), $request->post]));
            break;
        case '/content':
            $content = $request->getContent();
            $response->end(json_encode([$content === false ? false : md5($content), $request->post]));
            break;
        case '/later':
            $first = $body->read(3);
            $response->end(json_encode([$first, $request->getContent()]));
            break;
        case '/timeout':
            $first = $body->read(10, 0.05);
            $response->end(json_encode([$first, swoole_last_error()]));
            break;
        case '/two':
            $failed = null;
            Coroutine::create(static function () use ($body, &$outcome): void {
                $outcome = 'the other: ' . json_encode($body->read());
            });
            set_error_handler(static function () use (&$failed): bool {
                return $failed = true;
            });
            $body->read(timeout: 5);
            $response->end(json_encode([$failed]));
            break;
        case '/foreach':
            $outcome = 'reads';
            try {
                foreach ($body as $piece) {
                }
                $outcome = 'whole';
            } catch (Swoole\Exception $error) {
                $outcome = $error->getMessage();
            }
            break;
        case '/outcome':
            $response->end($outcome);
            break;
        default:
            $response->status(403);
            $response->end('no');
    }
});
$server->start();
