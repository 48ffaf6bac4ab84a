<?php

declare(strict_types=1);

/*
 * Bodies of answers that come in pieces: from iterables and PHP streams, and events. Who reads slowly holds them back, who goes away
 * ends them.
 */

namespace Stampede\Tests\E2e;

const MIB = 1024 * 1024;

final class streams_test extends EndToEndTest
{
    private static string $folder;
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('streams', ['open_http2_protocol' => true]);
        self::$folder = External::folder();
    }

    public function testBodies(): void
    {
        [$folder, $server] = [self::$folder, self::$server];
        $this->same('a generator', 'one,two,three', self::ask('/generator')->answers(1)[0]->body);
        $file = "$folder/file";
        file_put_contents($file, str_repeat(random_bytes(MIB), 10));
        $memory = $server->memory();
        $this->same('a PHP stream', md5_file($file), md5(self::ask("/stream?file=$file")->answers(1, 30.0)[0]->body));
        $this->check('... memory is flat', $server->memory() - $memory < 4096, "$memory, then {$server->memory()} KiB");
        $url = str_replace('tcp:', 'http:', $server->address());
        $this->same('... by HTTP/2', md5_file($file), md5((string) shell_exec("curl -s --http2-prior-knowledge '$url/stream?file=$file'")));
        unlink($file);
        rmdir($folder);
        $memory = $server->memory();
        $peer = self::ask('/endless');
        $this->check('an endless body whose peer does not read', Server::until(5, static fn (): bool => self::outcome() === 'sends'));
        $this->check('... waits', $server->memory() - $memory < 6144, "$memory, then {$server->memory()} KiB");
        $peer->abort();
        $this->check('... and ends when the peer goes', Server::until(5, static fn (): bool => self::outcome() === 'false in time'), self::outcome());
        $peer = self::ask('/throws');
        $cut = $peer->readToEnd();
        $this->check('what throws in the middle is cut off, not ended', str_contains($cut, "5\r\nbegun\r\n") && !str_contains($cut, "0\r\n\r\n") && $peer->ended(), $cut);

        $links = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload; as=style\r\nLink: </b.js>; rel=preload; as=script\r\n\r\nHTTP/1.1 200 ";
        $peer = self::ask('/hints');
        $peer->readUntil(static fn (string $got): bool => str_ends_with($got, "0\r\n\r\n"));
        $this->check('early hints', str_starts_with($peer->received(), $links) && str_contains($peer->received(), '[true,false,false]')
            && substr_count($peer->received(), ' 103 ') === 1, $peer->received());
        $peer = new Peer($server->address());
        $peer->send(["GET /hints HTTP/1.0\r\n\r\n"]);
        $this->check('... not for HTTP/1.0', str_starts_with($peer->readToEnd(), 'HTTP/1.1 200 '), $peer->received());
        $seen = (string) shell_exec("curl -s -i --http2-prior-knowledge '$url/hints'");
        $this->check('... by HTTP/2', preg_match('~^HTTP/2 103 \r\nlink: </a.css>; rel=preload; as=style\r\nlink: </b.js>.*\r\n\r\nHTTP/2 200 ~', $seen) === 1, $seen);
    }

    public function testEvents(): void
    {
        $answer = self::ask('/events')->answers(1)[0];
        $this->same('events: the type', ['text/event-stream', 'no-cache'], [$answer->field('content-type'), $answer->field('cache-control')]);
        $this->same('events: fields, lines of every kind, comments, and no line breaks in names', "event: greeting\nid: 1\nretry: 3000\ndata: first\ndata: and\ndata: more\ndata: lines\n\n"
            . ": note\n\ndata: the event of an event must not hold a line break or NUL\n\n", $answer->body);
        $peer = self::ask('/heartbeat');
        $peer->readUntil(static fn (string $got): bool => substr_count($got, ": \n\n") >= 3);
        $this->check('events: a heartbeat while nothing happens', substr_count($peer->received(), ": \n\n") >= 3, $peer->received());
        $peer->abort();
        $this->check('events: a client that goes is noticed', Server::until(5, static fn (): bool => self::outcome() === '["gone",false]'), self::outcome());
    }

    private static function ask(string $path, string $more = ''): Peer
    {
        $server = self::$server;
        $peer = new Peer($server->address());
        $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\n$more\r\n"]);
        return $peer;
    }

    private static function outcome(): string
    {
        return self::ask('/outcome')->answers(1)[0]->body;
    }
}
