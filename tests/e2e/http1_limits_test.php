<?php

declare(strict_types=1);

/*
 * What is too much: heads, bodies, forms, time. The answer can be read although the client is still sending, memory stays
 * bounded, and others are served meanwhile.
 */

namespace Stampede\Tests\E2e;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Sends a head, and the body only when told to. @return array{Peer, list<Answer>} */
function expecting(Server $server, string $head, string $body): array
{
    $peer = new Peer($server->address());
    $peer->send([$head]);
    $peer->answers(1);
    if (str_starts_with($peer->received(), 'HTTP/1.1 100 ')) {
        $peer->send([$body]);
    }
    return [$peer, $peer->answers(2, 3.0)];
}

function form(string $type, string $body): string
{
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: $type\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
}

function part(string $disposition, string $data): string
{
    return "--xyz\r\nContent-Disposition: form-data; $disposition\r\n\r\n$data\r\n";
}

final class http1_limits_test extends EndToEndTest
{
    private static Server $server;
    private static string $head;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('http1');
        self::$head = "GET / HTTP/1.1\r\nHost: a\r\n";
    }

    public function testHeads(): void
    {
        [$server, $head] = [self::$server, self::$head];
        $hostile = new Hostile($this, $server);
        $hostile->refused('a target of 128 KiB', 'GET /' . str_repeat('a', 128 * KIB) . " HTTP/1.1\r\nHost: a\r\n\r\n", [414]);
        $hostile->refused('4 MiB without a line end', str_repeat('a', 4 * MIB), [400, 414, 431]);
        $hostile->refused('a target of 4 MiB without an end', 'GET /' . str_repeat('a', 4 * MIB), [414]);
        $hostile->refused('20,000 fields', $head . str_repeat("X: y\r\n", 20000) . "\r\n", [431]);
        $hostile->refused('a field of 1 MiB', $head . 'X: ' . str_repeat('y', MIB) . "\r\n\r\n", [431]);
        $hostile->refused('a name of 256 KiB', $head . str_repeat('X', 256 * KIB) . ": y\r\n\r\n", [431]);
        $hostile->refused('a cookie of 256 KiB', $head . 'Cookie: a=' . str_repeat('y', 256 * KIB) . "\r\n\r\n", [431]);
        $hostile->refused('a head of 8 MiB', $head . str_repeat('X: ' . str_repeat('y', 8 * KIB) . "\r\n", 1024) . "\r\n", [431]);
        $hostile->served('a field of 4 KiB', $head . 'X: ' . str_repeat('y', 4 * KIB) . "\r\n\r\n");
        $cookies = implode('; ', array_map(static fn (int $i): string => "c$i=$i", range(1, 700)));
        $start = microtime(true);
        $hostile->served('700 cookies', "{$head}Cookie: $cookies\r\n\r\n", static fn (Answer $a): bool => count($a->seen()['cookie']) === 700);
        $this->check('... within 2 s', microtime(true) - $start < 2.0);
    }

    public function testBodies(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        $tooLong = 3 * MIB;
        $post = "POST / HTTP/1.1\r\nHost: a\r\n";
        $hostile->refused('a length over the limit, nothing sent', "{$post}Content-Length: $tooLong\r\n\r\n", [413]);
        $hostile->refused('a length over the limit, all sent', "{$post}Content-Length: $tooLong\r\n\r\n" . str_repeat('x', $tooLong), [413]);
        $hostile->refused('chunks over the limit', "{$post}Transfer-Encoding: chunked\r\n\r\n" . str_repeat("10000\r\n" . str_repeat('x', 0x10000) . "\r\n", 128) . "0\r\n\r\n", [413]);
        [$peer, $answers] = expecting($server, "{$post}Content-Length: $tooLong\r\nExpect: 100-continue\r\n\r\n", '');
        $this->check('a length over the limit with Expect -> 413 and no 100', count($answers) === 1 && $answers[0]->status === 413, $peer->received());
        $longest = str_repeat('0123456789abcdef', 2 * MIB / 16 - 64);
        $hostile->served('nearly the longest body', "{$post}Content-Length: " . strlen($longest) . "\r\n\r\n$longest",
            static fn (Answer $a): bool => base64_decode($a->seen()['body']) === $longest);
    }

    public function testExpectations(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        $post = "POST / HTTP/1.1\r\nHost: a\r\n";
        [$peer, $answers] = expecting($server, "{$post}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", 'hello');
        $this->same('Expect -> 100, then the answer', [100, 200], array_column($answers, 'status'));
        $this->same('... to the whole body', 'hello', base64_decode(end($answers)->seen()['body']));
        $peer->send([Hostile::VALID]);
        $this->same('... and the connection goes on', '/next', ($peer->answers(3)[2] ?? null)?->seen()['uri']);
        $hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";
        foreach (['100-continue', '100-CONTINUE', "\t100-Continue \t"] as $expect) {
            $peer = new Peer($server->address());
            $peer->send(["{$post}Content-Length: " . strlen($hidden) . "\r\nExpect: $expect\r\n\r\n$hidden" . Hostile::VALID]);
            $final = [];
            $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '/next'));
            $final = array_values(array_filter(Answer::all($peer->received()), static fn (Answer $a): bool => $a->status >= 200));
            $this->same("Expect with a request hidden in the body at once ($expect)", ['/', '/next'], array_map(static fn (Answer $a): string => $a->seen()['uri'], $final));
        }
        $peer = new Peer($server->address());
        $peer->send(["{$post}Expect: 100-continue\r\n\r\n" . Hostile::VALID]);
        $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '/next'));
        $final = array_values(array_filter(Answer::all($peer->received()), static fn (Answer $a): bool => $a->status >= 200));
        $this->same('Expect without a body', ['/', '/next'], array_map(static fn (Answer $a): string => $a->seen()['uri'], $final));
        $hostile->servedAndClosed('Expect in 1.0 gets no 100', "POST / HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
            static fn (Answer $a): bool => base64_decode($a->seen()['body']) === 'hello');
        $hostile->refused('an unknown expectation', "{$post}Content-Length: 5\r\nExpect: tea\r\n\r\nhello", [417]);
        $hostile->refused('a folded expectation', "{$post}Content-Length: 5\r\nExpect: 100-\r\n continue\r\n\r\nhello");
        $packed = gzencode(str_repeat('a', MIB), 9);
        $hostile->served('a compressed body is passed on as it is', "{$post}Content-Encoding: gzip\r\nContent-Length: " . strlen($packed) . "\r\n\r\n$packed",
            static fn (Answer $a): bool => base64_decode($a->seen()['body']) === $packed);
    }

    public function testForms(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        /** Whatever the answer is, it comes soon and the server goes on. */
        $bounded = function (string $name, string $request, ?callable $check = null) use ($server): void {
            $start = microtime(true);
            $peer = new Peer($server->address());
            $peer->send([$request]);
            $answer = $peer->answers(1)[0] ?? null;
            $ok = $answer !== null && $answer->whole && $answer->status < 500 && microtime(true) - $start < 2.0;
            $this->check("$name -> bounded, within 2 s", $ok && ($answer->status !== 200 || $check === null || $check($answer->seen())), substr($peer->received(), 0, 500));
        };
        $multipart = 'multipart/form-data; boundary=xyz';
        $urlencoded = 'application/x-www-form-urlencoded';
        $hostile->served('a field and a file', form($multipart, part('name="a"', '1') . part('name="f"; filename="../../x.txt"', 'data') . "--xyz--\r\n"),
            static fn (Answer $a): bool => $a->seen()['post'] === ['a' => '1'] && $a->seen()['files']['f']['name'] === 'x.txt' && $a->seen()['files']['f']['size'] === 4);
        $bounded('no boundary', form('multipart/form-data', part('name="a"', '1') . '--xyz--'), static fn (array $seen): bool => !$seen['post']);
        $bounded('a boundary of 4 KiB', form('multipart/form-data; boundary=' . str_repeat('x', 4096), 'x'), static fn (array $seen): bool => !$seen['post']);
        $bounded('a form without its end', form($multipart, part('name="a"', '1') . part('name="b"', '2')), static fn (array $seen): bool => ($seen['post'] ?? []) === ['a' => '1']);
        $bounded('a part head of 512 KiB', form($multipart, "--xyz\r\nX: " . str_repeat('y', 512 * KIB) . "\r\n\r\nx\r\n--xyz--"));
        $bounded('20,000 lines in a part head', form($multipart, "--xyz\r\n" . str_repeat("X: y\r\n", 20000) . "\r\nx\r\n--xyz--"));
        $bounded('a name of 300 KiB', form($multipart, part('name="' . str_repeat('n', 300 * KIB) . '"', 'x') . '--xyz--'));
        $bounded('an endless preamble', form($multipart, str_repeat("no boundary here\r\n", 100000)));
        $bounded('10,000 fields', form($multipart, implode('', array_map(static fn (int $i): string => part("name=\"f$i\"", ''), range(1, 10000))) . '--xyz--'),
            static fn (array $seen): bool => count($seen['post'] ?? []) <= 1000);
        $bounded('5,000 files', form($multipart, implode('', array_map(static fn (int $i): string => part("name=\"f$i\"; filename=\"$i\"", 'x'), range(1, 5000))) . '--xyz--'),
            static fn (array $seen): bool => count($seen['files'] ?? []) <= 20);
        $bounded('50,000 urlencoded pairs', form($urlencoded, implode('&', array_map(static fn (int $i): string => "k$i=v", range(1, 50000)))),
            static fn (array $seen): bool => count($seen['post']) <= 1000);
        $bounded('50,000 keys that fall into one place of a table', form($urlencoded, implode('&', array_map(static fn (int $i): string => ($i << 16) . '=v', range(1, 50000)))),
            static fn (array $seen): bool => count($seen['post']) <= 1000);
        $bounded('5,000 levels of nesting', form($urlencoded, 'a' . str_repeat('[b]', 5000) . '=1'));
        $bounded('bad escapes', form($urlencoded, str_repeat('%zz=%&', 100000)));
        $bounded('NUL in a file name', form($multipart, part("name=\"f\"; filename=\"a\0b\"", 'x') . '--xyz--'), static fn (array $seen): bool => ($seen['files']['f']['name'] ?? 'a') === 'a');
    }

    public function testTime(): void
    {
        $server = self::$server;
        $post = "POST / HTTP/1.1\r\nHost: a\r\n";
        $complaints = preg_grep('~^$|Input variables exceeded|Input variable nesting level~', explode("\n", $server->output()), PREG_GREP_INVERT);
        $this->same('the server complains about forms only', [], array_values($complaints ?: []));
        $server->stop();
        $server = new Server('http1', ['http_header_timeout' => 1, 'http_body_timeout' => 1, 'http_idle_timeout' => 1, 'http_write_timeout' => 1]);
        $hostile = new Hostile($this, $server);

        /** How long the connection lives when nothing more is sent than what `feed` gives (null: go on waiting). */
        $lifetime = static function (string $first, ?callable $feed = null) use ($server): array {
            $peer = new Peer($server->address());
            if ($first !== '') {
                $peer->send([$first]);
            }
            $start = microtime(true);
            while (!$peer->ended() && microtime(true) - $start < 8.0) {
                $peer->readToEnd(0.1);
                if ($feed !== null && !$peer->ended()) {
                    $peer->send([$feed()], 0.1);
                }
            }
            return [microtime(true) - $start, $peer];
        };
        $others = function (string $name) use ($server): void {
            $start = microtime(true);
            $peer = new Peer($server->address());
            $peer->send([Hostile::VALID]);
            $ok = count($peer->answers(1)) === 1 && microtime(true) - $start < 1.0;
            $this->check("others are served within 1 s: $name", $ok);
        };
        $line = "GET / HTTP/1.1\r\nHost: a\r\n";
        foreach ([
            'silent from the start' => ['', null],
            'half a line' => ['GET / HT', null],
            'half a head' => [$line, null],
            'a head dripped by bytes' => [$line . 'X: ', static fn (): string => 'x'],
            'a head dripped by lines' => [$line, static fn (): string => "X: y\r\n"],
            'dripped empty lines' => ['', static fn (): string => "\r\n"],
            'a silent body' => ["{$post}Content-Length: 100\r\n\r\nhello", null],
            'a silent chunked body' => ["{$post}Transfer-Encoding: chunked\r\n\r\n5\r\nhel", null],
            'a body dripped below 500 bytes a second' => ["{$post}Content-Length: 100000\r\n\r\n", static fn (): string => 'twenty bytes of body'],
            'idle between requests' => [Hostile::VALID, null],
        ] as $name => [$first, $feed]) {
            [$seconds, $peer] = $lifetime($first, $feed);
            $received = $peer->received();
            $quiet = $received === '' || str_starts_with($received, 'HTTP/1.1 408 ') || str_contains($name, 'idle') || str_contains($name, 'empty lines');
            $this->check("$name -> 408 or close after 1 s", $peer->ended() && $seconds > 0.4 && $seconds < 4.0 && $quiet,
                sprintf("%.1f s, %s, received: %s", $seconds, $peer->ended() ? 'closed' : 'open', $received));
        }

        $half = [];
        for ($i = 0; $i < 500; $i++) {
            $half[] = $peer = new Peer($server->address());
            $peer->send(["GET / HTTP/1.1\r\nHo"]);
        }
        $others('500 half requests');
        $this->check('... which end', Server::until(6.0, static function () use (&$half): bool {
            foreach ($half as $i => $peer) {
                $peer->readToEnd(0.0);
                if ($peer->ended()) {
                    unset($half[$i]);
                }
            }
            return $half === [];
        }), count($half) . ' are open');

        // An answer that nobody reads: the server gives up when nothing moves.
        $this->check('no connection is left', Server::until(5.0, static fn (): bool => $server->connections() === 0));
        $peer = new Peer($server->address());
        $peer->send([str_repeat("GET /big HTTP/1.1
Host: a

", 40)]);
        $this->check('an answer that nobody reads is begun', Server::until(2.0, static fn (): bool => $server->connections() === 1));
        $others('an answer that nobody reads');
        $this->check('... -> dropped', Server::until(8.0, static fn (): bool => $server->connections() === 0));
        $peer->close();

        // A byte now and then is no progress: it opens no window.
        $socket = stream_socket_client($server->address());
        stream_set_read_buffer($socket, 0);
        fwrite($socket, str_repeat("GET /big HTTP/1.1\r\nHost: a\r\n\r\n", 40));
        $this->check('an answer read byte by byte is begun', Server::until(2.0, static fn (): bool => $server->connections() === 1));
        $this->check('... -> dropped', Server::until(8.0, static function () use ($socket, $server): bool {
            $one = fread($socket, 1);
            return $one === false || $server->connections() === 0;
        }) && $server->connections() === 0);
        fclose($socket);

        $this->same('the server ends with status 0', 0, $server->stop());
    }
}
