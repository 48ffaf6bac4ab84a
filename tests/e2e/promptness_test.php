<?php

declare(strict_types=1);

/*
 * What a handler sends leaves before the handler goes on, however long that takes: answers, pieces of them, frames.
 */

namespace Stampede\Tests\E2e;

final class promptness_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $folder = External::folder();
        $file = "$folder/go";  // another one for each handler
        $settings = ['open_http2_protocol' => true, 'http_compression' => false];
        $server = new Server('prompt', $settings);
        /** Lets the handler go, and waits until the worker serves again. */
        $release = static function () use (&$file, &$server): void {
            touch($file);
            $peer = new Peer($server->address());
            $peer->send(["GET /end?file=$file HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $peer->answers(1);
            $file .= '1';
        };
        foreach (['end', 'deferred', 'called', 'write', 'hints', 'file', 'redirect'] as $way) {
            $peer = new Peer($server->address());
            $peer->send(["GET /$way?file=$file HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $peer->readUntil(static fn (string $got): bool => str_contains($got, 'sent'), 5.0);
            $this->check("$way: before the handler has ended", str_contains($peer->received(), 'sent'), $peer->received());
            $release();
        }
        $peer = new Peer($server->address());
        $peer->send([str_repeat("GET /end?file=$file HTTP/1.1\r\nHost: a\r\n\r\n", 2)]);
        $peer->readUntil(static fn (string $got): bool => str_contains($got, 'sent'), 5.0);
        $this->same('one of two that came together: the first one', 1, substr_count($peer->received(), 'sent'));
        $release();
        $this->same('... and the second one', 2, substr_count($peer->readUntil(static fn (string $got): bool => substr_count($got, 'sent') === 2), 'sent'));

        $url = str_replace('tcp:', 'http:', $server->address());
        $curl = proc_open(['curl', '-sN', '--http2-prior-knowledge', "$url/end?file=$file"], [1 => ['pipe', 'w']], $pipes);
        $ready = [$pipes[1]];
        $none = [];
        $this->same('HTTP/2', 1, stream_select($ready, $none, $none, 5));
        $release();
        proc_close($curl);

        $websocket = new WebSocketPeer($server, '/');
        $websocket->peer->send([WebSocketPeer::frame($file, 1)]);
        $this->same('a frame', 'sent', $websocket->text(5.0));
        $release();

        // Without coroutines it is the same.
        $server->stop();
        $server = new Server('prompt', ['enable_coroutine' => false] + $settings);
        $peer = new Peer($server->address());
        $peer->send(["GET /end?file=$file HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('without coroutines', str_contains($peer->readUntil(static fn (string $got): bool => str_contains($got, 'sent'), 5.0), 'sent'), $peer->received());
        $release();
        array_map(unlink(...), glob("$folder/*"));
        rmdir($folder);
    }
}
