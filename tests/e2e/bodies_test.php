<?php

declare(strict_types=1);

/*
 * Request bodies as streams: the handler runs before they are there, and a peer that sends faster than it reads waits.
 */

namespace Stampede\Tests\E2e;

const MIB = 1024 * 1024;

function bodyHead(string $path, ?int $length, string $more = ''): string
{
    $framing = $length === null ? 'Transfer-Encoding: chunked' : "Content-Length: $length";
    return "POST $path HTTP/1.1\r\nHost: a\r\n{$more}Content-Type: application/octet-stream\r\n$framing\r\n\r\n";
}

/** @param iterable<string> $pieces */
function exchanged(Server $server, iterable $pieces): Answer
{
    $peer = new Peer($server->address());
    $peer->send($pieces, 60.0);
    $answer = $peer->answers(1, 30.0)[0] ?? throw new \RuntimeException("no answer:\n" . $peer->received() . $server->output());
    $peer->close();
    return $answer;
}

function outcome(Server $server): string
{
    return exchanged($server, ["GET /outcome HTTP/1.1\r\nHost: a\r\n\r\n"])->body;
}

function compressed(string $path, string $coding, string $body, string $type = 'text/plain'): string
{
    return "POST $path HTTP/1.1\r\nHost: a\r\nContent-Encoding: $coding\r\nContent-Type: $type\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
}

final class bodies_test extends EndToEndTest
{
    private static mixed $large;
    private static Server $server;
    private static mixed $memory;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = External::folder();
        self::$server = $server = new Server('bodies', ['http_stream_request_body' => true, 'upload_max_filesize' => '64M', 'open_http2_protocol' => true]);
        self::$large = str_repeat(random_bytes(MIB), 20);
        exchanged($server, [bodyHead('/hash', 5), 'hello']);
        self::$memory = $server->memory();
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        rmdir(self::$folder);
    }

    public function testABodyOf20MiB(): void
    {
        [$large, $server, $memory] = [self::$large, self::$server, self::$memory];
        $this->same('20 MiB with a length', [md5($large), 20 * MIB, true], exchanged($server, [bodyHead('/hash', 20 * MIB), $large])->seen());
        $chunked = static function (string $path) use ($large): \Generator {
            yield bodyHead($path, null);
            foreach (str_split($large, 300_001) as $chunk) {
                yield dechex(strlen($chunk)) . "\r\n$chunk\r\n";
            }
            yield "0\r\n\r\n";
        };
        $this->same('20 MiB in chunks', [md5($large), 20 * MIB, true], exchanged($server, $chunked('/hash'))->seen());
        $this->check('... memory is flat', $server->memory() - $memory < 4096, "$memory, then {$server->memory()} KiB");
    }

    public function testAHandlerThatAnswersBeforeTheBodyIsThere(): void
    {
        $server = self::$server;
        $peer = new Peer($server->address());
        $peer->send([bodyHead('/echo', 10), 'first']);
        $peer->readUntil(static fn (string $got): bool => str_contains($got, "5\r\nfirst\r\n"));
        $this->check('the handler reads and answers before the body is there', str_contains($peer->received(), "5\r\nfirst\r\n"), $peer->received());
        $peer->send(['secnd']);
        $this->same('... and goes on with what comes', 'firstsecnd', $peer->answers(1)[0]->body ?? '');
        $peer->close();

        $peer = new Peer($server->address());
        $peer->send([bodyHead('/hash', 5) . 'hello' . bodyHead('/hash', 3) . 'end' . "GET /outcome HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $answers = $peer->answers(3);
        $this->same('bodies in one packet with the next request: framing holds', [5, 3, 'whole'], [$answers[0]->seen()[1], $answers[1]->seen()[1], $answers[2]->body]);
        $peer->close();
    }

    public function testBackPressure(): void
    {
        [$large, $server, $folder] = [self::$large, self::$server, self::$folder];
        $gate = "$folder/gate";
        $memory = $server->memory();
        $sent = 0;
        $endless = static function () use ($gate, $large, &$sent): \Generator {
            yield bodyHead("/gate?file=$gate", 60 * MIB);
            for (; $sent < 60; $sent++) {
                yield substr($large, 0, MIB);
            }
        };
        $peer = new Peer($server->address());
        $this->check('a peer that sends faster than the handler reads waits', !$peer->send($endless(), 1.0) && $sent < 20, "$sent MiB were taken");
        $this->check('... memory is flat', $server->memory() - $memory < 4096, "$memory, then {$server->memory()} KiB");
        touch($gate);
        $peer->abort();
        $this->check('... a peer that goes away is noticed', Server::until(5, static fn (): bool => str_starts_with(outcome($server), 'cut')), outcome($server));
        unlink($gate);
        $peer = new Peer($server->address());
        $peer->send([bodyHead("/gate?file=$gate", 2 * MIB), substr($large, 0, MIB)]);
        touch($gate);
        $peer->send([substr($large, 0, MIB)]);
        $this->same('who waited is read to the end', [md5(substr($large, 0, MIB) . substr($large, 0, MIB)), 2 * MIB, true], $peer->answers(1)[0]->seen());
        $peer->close();
        unlink($gate);
    }

    public function testHandlersThatDoNotRead(): void
    {
        $server = self::$server;
        $answer = exchanged($server, [bodyHead('/no', 5) . 'hello']);
        $this->same('an answer without a look at the body that is there: the connection stays', [403, false], [$answer->status, $answer->closes()]);
        $peer = new Peer($server->address());
        $peer->send([bodyHead('/no', 30 * MIB), 'hello']);
        $answer = $peer->answers(1)[0];
        $this->same('... that is not there: the connection goes', [403, true], [$answer->status, $answer->closes()]);
        $peer->close();
        exchanged($server, [bodyHead('/hash', 5), 'hello']);
        $hidden = "GET /no HTTP/1.1\r\nHost: a\r\n\r\n";
        foreach (['none' => '', 'one' => "Expect: 100-continue\r\n", 'two' => "Expect: 100-continue\r\nExpect: 100-continue\r\n"] as $name => $expect) {
            $peer = new Peer($server->address());
            $peer->send([bodyHead('/no', 3 * strlen($hidden), $expect)]);
            $peer->answers(1);
            $peer->send([str_repeat($hidden, 4)]);
            $answers = Answer::all($peer->readToEnd());
            $this->same("... and what comes late is no request, expectations: $name", [1, true], [count($answers), $peer->ended()]);
        }
        $peer = new Peer($server->address());
        $peer->send([bodyHead('/no', 5, "Expect: 100-continue\r\n")]);
        $this->check('Expect: who does not read does not ask for it', str_starts_with($peer->readUntil(static fn (string $got): bool => str_contains($got, "\r\n\r\n")), 'HTTP/1.1 403'));
        $peer->close();
        $peer = new Peer($server->address());
        $peer->send([bodyHead('/hash', 5, "Expect: 100-continue\r\n")]);
        $this->check('Expect: who reads does', str_starts_with($peer->readUntil(static fn (string $got): bool => str_contains($got, "\r\n\r\n")), 'HTTP/1.1 100'));
        $peer->send(['hello']);
        $peer->readUntil(static fn (string $got): bool => str_contains($got, md5('hello')));
        $this->check('... and gets it', str_contains($peer->received(), md5('hello')), $peer->received());
        $peer->close();
    }

    public function testBodiesThatBreakOff(): void
    {
        $server = self::$server;
        foreach (['/hash' => 'cut with 1004', '/foreach' => 'the body of the request broke off'] as $path => $expected) {
            exchanged($server, [bodyHead('/hash', 5), 'hello']);
            $peer = new Peer($server->address());
            $peer->send([bodyHead($path, 100), 'half']);
            Server::until(5, static fn (): bool => outcome($server) === 'reads');
            $peer->finishSending();
            $this->check("a body that breaks off: $path", Server::until(5, static fn (): bool => outcome($server) === $expected), outcome($server));
            $peer->close();
        }
        $peer = new Peer($server->address());
        $peer->send([bodyHead('/hash', null), "5\r\nhello\r\nnonsense\r\n"]);
        $this->same('bad chunks: 400', 400, $peer->answers(1)[0]->status ?? 0);
        $peer->close();
        $this->same('a length above upload_max_filesize: 413, the handler is not called', 413, exchanged($server, [bodyHead('/no', 65 * MIB)])->status);
        $this->same('a piece that does not come in time', [false, 110], exchanged($server, [bodyHead('/timeout', 5)])->seen());
        $this->same('two readers at once: the second is told', [true], exchanged($server, [bodyHead('/two', 5)])->seen());
        $this->check('... and the first one hears that the request is over', Server::until(5, static fn (): bool => outcome($server) === 'the other: false'), outcome($server));
        $slow = new Server('bodies', ['http_stream_request_body' => true, 'http_body_timeout' => 0.2]);
        $this->same('a peer that stops sending: 408', 408, exchanged($slow, [bodyHead('/hash', 5), 'he'])->status);
        unset($slow);
    }

    public function testGetContent(): void
    {
        [$large, $server] = [self::$large, self::$server];
        $this->same('getContent() waits for the rest', [md5('hello'), null], exchanged($server, [bodyHead('/content', 5), 'hel', 'lo'])->seen());
        $this->same('... gives what was not read', ['hel', 'lo'], exchanged($server, [bodyHead('/later', 5), 'hel', 'lo'])->seen());
        $most = substr($large, 0, 2 * MIB);
        $this->same('... up to package_max_length', [md5($most), null], exchanged($server, [bodyHead('/content', 2 * MIB), $most])->seen());
        $this->same('... and no more', [false, null], exchanged($server, [bodyHead('/content', 3 * MIB), substr($large, 0, 3 * MIB)])->seen());
        $form = "POST /content HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b";
        $this->same('a form is not streamed', [md5('a=b'), ['a' => 'b']], exchanged($server, [$form])->seen());
    }

    public function testHTTP2(): void
    {
        [$large, $server, $folder] = [self::$large, self::$server, self::$folder];
        $gate = "$folder/gate";
        file_put_contents("$folder/large", $large);
        $curl = 'curl -s --http2-prior-knowledge -H "Content-Type: application/octet-stream" -H "Expect:" --data-binary ' . escapeshellarg("@$folder/large");
        $url = str_replace('tcp:', 'http:', $server->address());
        $memory = $server->memory();
        $this->same('HTTP/2: 20 MiB', [md5($large), 20 * MIB, true], json_decode((string) shell_exec("$curl $url/hash"), true));
        $this->check('... memory is flat', $server->memory() - $memory < 6144, "$memory, then {$server->memory()} KiB");
        $this->same('HTTP/2: there and back', md5($large), md5((string) shell_exec("$curl $url/echo")));
        $this->same('HTTP/2: an answer without a look at the body can be read', '403 0', (string) shell_exec("$curl -o /dev/null -w '%{http_code} %{exitcode}' $url/no"));
        $peer = new Http2Peer($server->address());
        $peer->send(Http2Peer::post(1, '/hash'), Http2Peer::frame(0, 0, 1, 'half'));
        Server::until(5, static fn (): bool => outcome($server) === 'reads');
        $peer->send(Http2Peer::frame(3, 0, 1, pack('N', 8)));
        $this->check('HTTP/2: a stream that is reset', Server::until(5, static fn (): bool => outcome($server) === 'cut with 1004'), outcome($server));
        $peer->send(Http2Peer::post(3, "/gate?file=$gate"));
        $memory = $server->memory();
        for ($i = 0; $i < 64; $i++) {
            $peer->send(Http2Peer::frame(0, 0, 3, str_repeat('x', 16384)));
        }
        $peer->send(Http2Peer::frame(6, 0, 0, 'answered'));
        $peer->until(static fn (): bool => str_contains($peer->received(), 'answered'));
        $given = array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === 8 && $frame['stream'] === 3);
        $this->same('HTTP/2: a stream that is not read gets no window', [], array_values($given));
        touch($gate);
        $this->check('... until it is', $peer->until(static fn (): bool => array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === 8 && $frame['stream'] === 3) !== []));
        $peer->send(Http2Peer::frame(0, 1, 3, 'end'));
        $peer->until(static fn (): bool => $peer->over(3));
        $this->check('... and then comes to its end', str_contains($peer->body(3), (string) (MIB + 3)), $peer->body(3));
        $peer->close();
        array_map(unlink(...), ["$folder/large", $gate]);
    }

    public function testWithoutStreaming(): void
    {
        $folder = self::$folder;
        $server = new Server('bodies');
        $this->same('a body in memory is read the same way', [md5('hello'), 5, true], exchanged($server, [bodyHead('/hash', 5), 'hel', 'lo'])->seen());
        $this->same('... in pieces', 'hello', exchanged($server, [bodyHead('/echo', 5), 'hello'])->body);
        unset($server);

        $server = new Server('bodies');
        $packed = (string) gzencode('hello');
        $this->same('compressed bodies are passed on as they are', md5($packed), exchanged($server, [compressed('/content', 'gzip', $packed)])->seen()[0]);
        unset($server);
        foreach ([false, true] as $streamed) {
            $how = $streamed ? ' (streamed)' : '';
            $server = new Server('bodies', ['http_request_decompression' => true, 'http_stream_request_body' => $streamed, 'open_http2_protocol' => true]);
            $packings = ['gzip' => $packed, 'deflate' => gzcompress('hello'), 'br' => hex2bin('0b028068656c6c6f03'), 'zstd' => hex2bin('28b52ffd2005290000') . 'hello'];
            foreach ($packings as $coding => $body) {
                $this->same("$coding$how", ['hello', false, false, null], exchanged($server, [compressed('/fields', $coding, $body)])->seen());
            }
            $members = array_map(static fn (string $member): string => dechex(strlen($member)) . "\r\n$member\r\n", [(string) gzencode('one '), (string) gzencode('two')]);
            $this->same("two members of gzip, a chunk each$how", 'one two', exchanged($server, ["POST /fields HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                . implode('', $members) . "0\r\n\r\n"])->seen()[0]);
            $this->same("no coding$how", ['hello', false, true, null], exchanged($server, ["POST /fields HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"])->seen());
            $this->same("identity$how", 'hello', exchanged($server, [compressed('/fields', 'identity', 'hello')])->seen()[0]);
            $this->same("an unknown coding: 415$how", 415, exchanged($server, [compressed('/fields', 'lzma', 'hello')])->status);
            $this->same("two codings: 415$how", 415, exchanged($server, [compressed('/fields', 'gzip, br', $packed)])->status);
            $this->same("a form$how", ['a' => 'b'], exchanged($server, [compressed('/fields', 'gzip', (string) gzencode('a=b'), 'application/x-www-form-urlencoded')])->seen()[3]);
            $file = "$folder-form";
            file_put_contents($file, $packed);
            $curl = 'curl -s --http2-prior-knowledge -H "Content-Encoding: gzip" -H "Content-Type: text/plain" --data-binary ' . escapeshellarg("@$file");
            $this->same("HTTP/2$how", ['hello', false, false, null], json_decode((string) shell_exec($curl . ' ' . str_replace('tcp:', 'http:', $server->address()) . '/fields'), true));
            unlink($file);
            if ($streamed) {
                $memory = $server->memory();
                $bomb = (string) gzencode(str_repeat("\0", 256 * MIB), 9);
                $peer = new Peer($server->address());
                $peer->send([compressed('/hash', 'gzip', $bomb)], 20.0);
                $peer->readToEnd(20.0);
                $this->check('a bomb in a stream never reaches its reader as a whole', !str_contains($peer->received(), (string) (256 * MIB)), $peer->received());
                $this->check('... bounded memory', $server->memory() - $memory < 16384, "$memory, then {$server->memory()} KiB");
            } else {
                $memory = $server->memory();
                $bomb = (string) gzencode(str_repeat("\0", 64 * MIB), 9);
                $this->same('a bomb: 413', 413, exchanged($server, [compressed('/fields', 'gzip', $bomb)])->status);
                $this->same('a small bomb below every size: 413', 413, exchanged($server, [compressed('/fields', 'gzip', (string) gzencode(str_repeat("\0", 2 * MIB - 5), 9))])->status);
                $this->check('... bounded memory', $server->memory() - $memory < 8192, "$memory, then {$server->memory()} KiB");
                $this->same('what is not compressed at all: 400', 400, exchanged($server, [compressed('/fields', 'gzip', 'hello')])->status);
                $this->same('what breaks off: 400', 400, exchanged($server, [compressed('/fields', 'gzip', substr($packed, 0, -9))])->status);
            }
            unset($server);
        }
    }
}
