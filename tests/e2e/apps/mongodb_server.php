<?php

declare(strict_types=1);

/*
 * Speaks enough of MongoDB's protocol for a driver to connect and ask. A command whose document has a text "wait:MILLISECONDS:WORD" gets its response
 * that much later, and the response has the word; "open" as a word leaves a cursor, which gives one document for each getMore and is noted when it is
 * killed. The command "killed" tells how many were.
 */

use Swoole\Coroutine;
use Swoole\Coroutine\Server;
use Swoole\Coroutine\Server\Connection;

function document(string ...$elements): string
{
    $body = implode('', $elements) . "\0";
    return pack('V', strlen($body) + 4) . $body;
}

function number(string $name, int $value): string
{
    return "\x10$name\0" . pack('V', $value);
}

function long(string $name, int $value): string
{
    return "\x12$name\0" . pack('P', $value);
}

function truth(string $name): string
{
    return "\x08$name\0\x01";
}

function text(string $name, string $value): string
{
    return "\x02$name\0" . pack('V', strlen($value) + 1) . "$value\0";
}

function within(string $name, string $document): string
{
    return "\x03$name\0$document";
}

function entries(string $name, string ...$documents): string
{
    $all = '';
    foreach ($documents as $i => $document) {
        $all .= within((string) $i, $document);
    }
    return "\x04$name\0" . document($all);
}

/** The name of the command, and what its document asks to wait and to say. @return array{string, int, string} */
function command(string $document): array
{
    $name = substr($document, 5, strpos($document, "\0", 5) - 5);
    return preg_match('/wait:(\d+):(\w+)/', $document, $found) === 1 ? [$name, (int) $found[1], $found[2]] : [$name, 0, ''];
}

$killed = 0;
$respond = static function (string $document) use (&$killed): string {
    [$name, $wait, $word] = command($document);
    if ($wait > 0) {
        Coroutine::sleep($wait / 1000);
    }
    $done = "\x01ok\0" . pack('e', 1.0);
    $cursor = static fn (string $batch, string $word, bool $open): string => document(within('cursor', document(entries($batch, document(text('word', $word))), long('id', $open ? 77 : 0), text('ns', 'a.b'))), $done);
    switch ($name) {
        case 'hello':
        case 'isMaster':
        case 'ismaster':
            return document(truth('ismaster'), truth('isWritablePrimary'), number('maxBsonObjectSize', 1 << 24), number('maxMessageSizeBytes', 48000000), number('maxWriteBatchSize', 1000), number('minWireVersion', 0), number('maxWireVersion', 13), $done);
        case 'find':
            return $cursor('firstBatch', $word, $word === 'open');
        case 'getMore':
            Coroutine::sleep(0.05);
            return $cursor('nextBatch', 'more', true);
        case 'killCursors':
            $killed++;
            Coroutine::sleep(0.05);
            return document($done);
        case 'killed':
            return document(number('killed', $killed), $done);
        default:
            return document(text('word', $word), $done);
    }
};

Coroutine\run(static function () use ($argv, $respond): void {
    $server = new Server('127.0.0.1', (int) $argv[1]);
    $server->handle(static function (Connection $connection) use ($respond): void {
        $socket = $connection->exportSocket();
        while (strlen((string) ($head = $socket->recvAll(16, -1))) === 16) {
            ['size' => $size, 'id' => $id, 'kind' => $kind] = unpack('Vsize/Vid/Vto/Vkind', $head);
            $body = (string) $socket->recvAll($size - 16, -1);
            // The first question of a connection is of an older kind.
            $response = $kind === 2004
                ? pack('VPVV', 8, 0, 0, 1) . $respond(substr($body, strpos($body, "\0", 4) + 9))
                : pack('V', 0) . "\0" . $respond(substr($body, 5));
            $socket->sendAll(pack('VVVV', strlen($response) + 16, 1, $id, $kind === 2004 ? 1 : 2013) . $response);
        }
        $connection->close();
    });
    $server->start();
});
