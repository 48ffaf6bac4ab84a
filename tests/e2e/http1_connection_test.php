<?php

declare(strict_types=1);

/*
 * Several requests on one connection, its beginning and its end, and what an answer may look like.
 */

namespace Stampede\Tests\E2e;

/** @return list<Answer> */
function exchange(Server $server, string $requests, int $count): array
{
    $peer = new Peer($server->address());
    $peer->send([$requests]);
    return $peer->answers($count);
}

function get(string $target, string $fields = ''): string
{
    return "GET $target HTTP/1.1\r\nHost: a\r\n$fields\r\n";
}

final class http1_connection_test extends EndToEndTest
{
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('http1');
    }

    public function testPipelining(): void
    {
        $server = self::$server;
        $requests = '';
        $expected = [];
        for ($i = 0; $i < 100; $i++) {
            $body = str_repeat(chr(65 + $i % 26), $i * 3);
            $expected[] = ["/p$i", $body];
            $requests .= $i % 3 === 0 ? "POST /p$i HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" . ($body === '' ? '' : dechex(strlen($body)) . "\r\n$body\r\n") . "0\r\n\r\n"
                : "POST /p$i HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
        }
        $seen = array_map(static fn (Answer $a): array => [$a->seen()['uri'], base64_decode($a->seen()['body'])], exchange($server, $requests, 100));
        $this->check('100 pipelined requests, in order, with their bodies', $seen === $expected, json_encode($seen) ?: '');

        $peer = new Peer($server->address());
        $peer->send([get('/1') . get('/2') . "GET /\r\n\r\n" . get('/3')]);
        $answers = Answer::all($peer->readToEnd(5.0));
        $this->same('valid, valid, invalid, valid: two answers and 400', [200, 200, 400], array_column($answers, 'status'));
        $this->check('... and the connection ends', $peer->ended() && !$peer->wasReset());
    }

    public function testPersistence(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        $hostile->servedAndClosed('Connection: close', get('/', "Connection: close\r\n"), static fn (Answer $a): bool => $a->closes());
        $hostile->servedAndClosed('close in a list', get('/', "Connection: x, Close\r\n"));
        $hostile->servedAndClosed('1.0', "GET / HTTP/1.0\r\n\r\n");
        $hostile->servedAndClosed('1.0 and a streamed answer', "GET /stream HTTP/1.0\r\n\r\n",
            static fn (Answer $a): bool => $a->body === 'one,two' && $a->field('transfer-encoding') === null);
        $answers = exchange($server, "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 2);
        $this->same('1.0 with keep-alive', ['/1', '/2'], array_map(static fn (Answer $a): string => $a->seen()['uri'], $answers));
        $this->same('... says so', 'keep-alive', strtolower($answers[0]->field('connection') ?? ''));
        $peer = new Peer($server->address());
        $peer->send([get('/whole')]);
        $peer->finishSending();
        $this->check('FIN behind a whole request: it is answered', count($peer->answers(1)) === 1, $peer->received());
        $this->check('... and the connection ends', ($peer->readToEnd(3.0) !== '') && $peer->ended());
        $hostile->cut('FIN in a head', "GET / HTTP/1.1\r\nHost: a\r\n");
        $hostile->cut('FIN in a body', "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
    }

    public function testUpgrade(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        $hostile->served('an unknown Upgrade is ignored', get('/', "Connection: upgrade\r\nUpgrade: smoke-signals\r\n"));
        $hostile->served('h2c with a body', "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 5\r\n\r\nhello",
            static fn (Answer $a): bool => base64_decode($a->seen()['body']) === 'hello');
    }

    public function testUrgentData(): void
    {
        $server = self::$server;
        // All of it waits for the server, so that no later bytes tell it of what lies behind the mark.
        $stopped = static function (Peer $peer, callable $send) use ($server): void {
            $worker = $server->workerPid();
            posix_kill($worker, SIGSTOP);
            Server::until(10.0, static fn (): bool => str_contains((string) file_get_contents("/proc/$worker/stat"), ') T '));
            $send($peer);
            posix_kill($worker, SIGCONT);
        };
        $post = "POST /urgent HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n";
        foreach ([
            'in the head' => [substr($post, 0, 12), substr($post, 12) . '12345678'],
            'behind the head' => [$post, '12345678'],
            'in the body' => [$post . '1234', '5678'],
            'behind the request' => [$post . '12345678', ''],
            'in front of it' => ['', $post . '12345678'],
        ] as $name => [$before, $after]) {
            foreach (['a new connection', 'one that has been answered'] as $used => $which) {
                $peer = new Peer($server->address());
                if ($used) {
                    $peer->send([get('/')]);
                    $peer->answers(1);
                }
                $stopped($peer, static fn (Peer $peer): bool => $peer->send([$before]) && $peer->sendUrgent('!') && $peer->send([$after]));
                $answer = $peer->answers($used + 1, 3.0)[$used] ?? null;
                $this->same("urgent data $name is passed over, $which", [200, '12345678'], [$answer?->status, $answer?->status === 200 ? base64_decode($answer->seen()['body']) : null]);
                $peer->send([get('/after')]);
                $answer = $peer->answers($used + 2, 3.0)[$used + 1] ?? null;
                $this->same('... and the connection goes on', [200, '/after'], [$answer?->status, $answer?->status === 200 ? $answer->seen()['uri'] : null]);
            }
        }
        $peer = new Peer($server->address());
        $stopped($peer, static function (Peer $peer): void {  // many marks; the last one counts, bytes of the others are data
            for ($i = 0; $i < 300; $i++) {
                $peer->send(['x']);
                $peer->sendUrgent('!');
            }
            $peer->send([str_repeat('y', 100_000)]);
        });
        $peer->finishSending();
        $this->check('many of them are read to the end', str_starts_with($peer->readToEnd(3.0), 'HTTP/1.1 4'), $peer->received());
    }

    public function testAnswers(): void
    {
        $server = self::$server;
        $peer = new Peer($server->address());
        $peer->send([get('/protected')]);
        $answer = $peer->answers(1)[0] ?? null;
        $this->same('a status with its field', [401, 'Basic realm="here"', 'who are you'], [$answer?->status, $answer?->field('www-authenticate'), $answer?->body]);
        $peer = new Peer($server->address());
        $head = static fn (string $path): string => "HEAD $path HTTP/1.1\r\nHost: a\r\n\r\n";
        $peer->send([$head('/big') . $head('/stream') . $head('/x') . get('/after', "Connection: close\r\n")]);
        $answers = Answer::all($peer->readToEnd(5.0), ['HEAD', 'HEAD', 'HEAD']);
        $this->same('HEAD has no body, the next answer is whole', [200, 200, 200, 200], array_column($answers, 'status'));
        $this->same('... the last is the right one', '/after', $answers[3]->seen()['uri']);
        $this->same('... the length of a HEAD is that of a GET', '1048576', $answers[0]->field('content-length'));
        foreach ([204, 304] as $status) {
            $peer = new Peer($server->address());
            $peer->send([get("/not-modified?status=$status") . get('/after', "Connection: close\r\n")]);
            $answers = Answer::all($peer->readToEnd(5.0));
            $this->check("$status has neither body nor length", $answers[0]->status === $status && $answers[0]->field('content-length') === null
                && $answers[0]->field('transfer-encoding') === null && $answers[1]->status === 200, $peer->received());
        }
        foreach (['end', 'long', 'pieces', 'promise', 'trailer', 'file'] as $way) {
            foreach ([204 => null, 205 => '0', 304 => null] as $status => $length) {
                $peer = new Peer($server->address());
                $peer->send([get("/bodiless?status=$status&way=$way") . $head("/bodiless?status=$status&way=$way") . get('/after', "Connection: close\r\n")]);
                $answers = Answer::all($peer->readToEnd(5.0), ['GET', 'HEAD']);
                $this->same("a body for $status is left out ($way)", [[$status, '', $length, null, null], [$status, '', $length, null, null], '/after'],
                    [...array_map(static fn (Answer $a): array => [$a->status, $a->body, $a->field('content-length'), $a->field('content-type'), $a->field('transfer-encoding')], array_slice($answers, 0, 2)),
                        ($answers[2] ?? null)?->seen()['uri']]);
            }
            // What no HTTP/1.0 knows: where a body without a length ends, other than with the connection.
            $peer = new Peer($server->address());
            $peer->send(["GET /bodiless?status=205&way=$way HTTP/1.0\r\n\r\n"]);
            $this->check("... and for HTTP/1.0 ($way)", preg_match('~^HTTP/1.1 205 .*\r\nContent-Length: 0\r\n(.+\r\n)*\r\n$~Ds', $said = $peer->readToEnd(5.0)) === 1, $said);
        }
        foreach ([100, 101, 103, 199] as $status) {
            $answers = exchange($server, get("/not-modified?status=$status") . get('/after'), 2);
            $this->same("$status is no answer to end with", [500, '/after'], [$answers[0]->status, ($answers[1] ?? null)?->seen()['uri']]);
        }
        foreach (['5' => '5', ' 5 ' => '5', '05' => '5', 'abc' => null, '5x' => null, '' => null, '-5' => null, '+5' => null, '5,5' => null, '99999999999999999999' => null, '18446744073709551615' => null] as $length => $said) {
            $answers = exchange($server, get('/promise?' . http_build_query(['length' => $length])) . get('/after'), 2);
            $this->same('a promised length of ' . json_encode((string) $length), ['hello', $said, '/after'], [$answers[0]->body, $answers[0]->field('content-length'), ($answers[1] ?? null)?->seen()['uri']]);
        }
        $answer = exchange($server, get('/'), 1)[0];
        $date = $answer->field('date') ?? '';
        $this->check('Date is well-formed and now', preg_match('~^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$~D', $date) === 1
            && abs(strtotime($date) - time()) <= 2, $date);
        $answer = exchange($server, get('/stream'), 1)[0];
        $this->check('a streamed answer', $answer->whole && $answer->body === 'one,two' && $answer->field('transfer-encoding') === 'chunked' && $answer->field('content-length') === null);
        foreach ([
            'CR LF in a value' => ['X-Test', "a\r\nX-Evil: b"], 'LF in a value' => ['X-Test', "a\nX-Evil: b"], 'CR in a value' => ['X-Test', "a\rX-Evil: b"],
            'NUL in a value' => ['X-Test', "a\0b"], 'CR LF in a name' => ["X-Test: a\r\nX-Evil", 'b'], 'a space in a name' => ['X Test', 'b'],
            'an empty name' => ['', 'b'], 'a colon in a name' => ['X-Evil:', 'b'],
        ] as $name => [$field, $value]) {
            $peer = new Peer($server->address());
            $peer->send([get('/header?' . http_build_query(['name' => $field, 'value' => $value]), "Connection: close\r\n")]);
            $bytes = $peer->readToEnd(5.0);
            $answers = Answer::all($bytes);
            $this->check("the application sends $name -> refused", count($answers) === 1 && $answers[0]->status < 600 && $answers[0]->field('x-evil') === null
                && !str_contains($bytes, "\0"), $bytes);
        }
    }

    public function testBackPressureAndLeaks(): void
    {
        $server = self::$server;
        $before = $server->memory();
        $peer = new Peer($server->address());
        $count = 3000;  // answers of 1 MiB
        $peer->send([str_repeat(get('/x'), 5) . str_repeat(get('/big'), $count)], 3.0);
        $grown = $server->memory() - $before;
        $this->check('pipelined requests with unread answers: under 32 MiB more', $grown < 32 * 1024, "$grown KiB more");
        $peer->readUntil(static fn (string $bytes): bool => strlen($bytes) > 40 << 20, 20.0);
        $received = $peer->received();
        $end = strrpos($received, 'HTTP/1.1 200 ');
        $answers = Answer::all(substr($received, 0, (int) $end));
        $whole = array_filter($answers, static fn (Answer $a): bool => $a->whole && $a->status === 200);
        $this->check('... and they go on when they are read', count($answers) > 35 && count($whole) === count($answers), strlen($received) . ' bytes, ' . count($answers) . ' answers');
        $peer->abort();
        unset($received, $answers, $whole, $peer);

        $this->check('its connection goes', Server::until(5.0, static fn (): bool => $server->connections() === 0));
        $idle = $server->descriptors();
        for ($i = 0; $i < 500; $i++) {
            $peer = new Peer($server->address());
            $peer->send([match ($i % 5) {
                0 => "GET / HTTP/1.1\r\nHo",
                1 => "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf",
                2 => "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf",
                3 => get('/big'),
                default => str_repeat(get('/'), 20),
            }]);
            $peer->abort();
        }
        $this->check('500 connections reset half-way: no descriptor is left', Server::until(10.0, static fn (): bool => $server->descriptors() <= $idle), "$idle before, " . $server->descriptors() . ' after');
        $answer = exchange($server, get('/still-here'), 1)[0] ?? null;
        $this->same('... and the server goes on', '/still-here', $answer?->seen()['uri']);

        $this->same('it ends with status 0', 0, $server->stop());
        $this->same('and has nothing to complain about', '', $server->output());
    }
}
