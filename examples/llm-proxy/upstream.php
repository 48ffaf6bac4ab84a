<?php

declare(strict_types=1);

/*
 * Stands in for a language model: plays recording.jsonl to everybody who asks, at its pace or so that it lasts SECONDS.
 * usage: php -d extension=modules/stampede.so examples/llm-proxy/upstream.php HOST:PORT [SECONDS]
 */

use LlmProxy\Recording;
use Stampede\Http\EventStream;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

use function LlmProxy\address;
use function LlmProxy\allow_files;

require __DIR__ . '/lib.php';
require __DIR__ . '/Recording.php';

$recording = Recording::read(__DIR__ . '/recording.jsonl');
if (isset($argv[2])) {
    $recording = $recording->lasting((float) $argv[2]);
}
[$host, $port] = address($argv[1] ?? '127.0.0.1:9511');
$files = allow_files(30_000);
$server = new Server($host, $port);
$server->set(['worker_num' => 1, 'max_connection' => $files - 100, 'max_coroutine' => 100_000, 'backlog' => 8192]);
$server->on('request', static function (Request $request, Response $response) use ($recording): void {
    if (($request->header['authorization'] ?? '') !== 'Bearer key-of-the-proxy') {
        $response->status(401);
        $response->end('{"error": {"message": "This key is not known."}}');
        return;
    }
    $stream = new EventStream($response);
    foreach ($recording->tokens as ['after' => $pause, 'token' => $token]) {
        Coroutine::sleep($pause);
        if (!$stream->event(json_encode(['choices' => [['index' => 0, 'delta' => ['content' => $token]]]], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE))) {
            return; // nobody listens any more
        }
    }
    $stream->event('[DONE]');
    $stream->close();
});
$server->start();
