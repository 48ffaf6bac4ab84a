<?php

declare(strict_types=1);

/* A server that speaks HTTP/2: with curl, nghttp and h2load, and frame by frame where they do not show enough. */

namespace Stampede\Tests\E2e;

use Stampede\Tests\E2e\Http2Peer as P;

final class http2_server_test extends EndToEndTest
{
    private static Certificates $certificates;
    private static string $plain;
    private static string $tls;
    private static Server $server;
    private static Server $secure;

    public static function setUpBeforeClass(): void
    {
        self::$certificates = $certificates = new Certificates();
        self::$server = $server = new Server('http2', ['package_max_length' => 4 << 20]);
        self::$secure = $secure = new Server('http2', ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]);
        self::$plain = "http://127.0.0.1:$server->port";
        self::$tls = "https://127.0.0.1:$secure->port";
    }

    public function testTheWaysToHTTP2(): void
    {
        [$plain, $tls, $server] = [self::$plain, self::$tls, self::$server];
        foreach (['--http2-prior-knowledge' => [$plain, 'HTTP/2', 1], '--http2' => [$plain, 'HTTP/2', 1], '--http1.1' => [$plain, 'HTTP/1.1', 0]] as $option => [$url, $protocol, $stream]) {
            $answer = self::seen(self::curl($option, "$url/seen?a=1", '-H', 'X-Test: yes', '-b', 'c=d'));
            $this->same("curl $option", [$protocol, $stream, '1', 'yes', 'd'], [$answer['protocol'] ?? null, $answer['stream'] ?? null, $answer['get']['a'] ?? null, $answer['header']['x-test'] ?? null, $answer['cookie']['c'] ?? null]);
        }
        $this->same('curl over TLS agrees on HTTP/2', 'HTTP/2', self::seen(self::curl("$tls/seen"))['protocol'] ?? null);
        $this->same('... or on HTTP/1.1', 'HTTP/1.1', self::seen(self::curl('--http1.1', "$tls/seen"))['protocol'] ?? null);
        $this->same('the host is the authority', "127.0.0.1:$server->port", self::seen(self::curl('--http2-prior-knowledge', "$plain/seen"))['header']['host'] ?? null);
        $answer = self::seen(self::curl('--http2', '-d', 'x=1&y=2', "$plain/seen"));
        $this->same('an upgrade with a body', ['HTTP/2', 'POST', '2'], [$answer['protocol'] ?? null, $answer['method'] ?? null, $answer['post']['y'] ?? null]);
        $this->same('nghttp', "hello\n", self::runOf('nghttp', "$plain/"));
        $this->same('nghttp with an upgrade', "hello\n", substr(self::runOf('nghttp', '-u', "$plain/"), -6));
        $this->check('nghttp with padding and a form', (self::seen(self::runOf('nghttp', '-b', '64', '-d', __FILE__, "$plain/seen"))['length'] ?? 0) === filesize(__FILE__));
        $peer = new Peer($server->address());
        $peer->send(["GET /seen HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: !\r\n\r\n"]);
        $this->check('settings that cannot be read leave it HTTP/1', ($peer->answers(1)[0]->status ?? 0) === 200);
        $peer->close();
        foreach ([[$plain, '10', '10'], [$plain, '50', '50'], [$tls, '10', '10']] as [$url, $connections, $streams]) {
            $said = self::runOf('h2load', '-c', $connections, '-m', $streams, '-n', '10000', "$url/");
            $this->check("h2load, $connections connections of $streams, $url", str_contains($said, '10000 succeeded, 0 failed'), $said);
        }
    }

    public function testAnswers(): void
    {
        [$plain, $tls, $server] = [self::$plain, self::$tls, self::$server];
        $big = str_repeat('0123456789abcdef', 8192 * 64);
        foreach ([['--http2-prior-knowledge', $plain], ['--http2', $tls]] as [$option, $url]) {
            $this->same("8 MiB, $url", md5($big), md5(self::curl($option, "$url/big?kib=8192")));
            $this->same('... by sendfile', md5_file(PHP_BINARY), md5(self::curl($option, "$url/file?name=" . PHP_BINARY)));
        }
        $file = (string) tempnam(sys_get_temp_dir(), 'stampede-body-');
        file_put_contents($file, str_repeat('b', 3 << 20));
        $this->same('a body of 3 MiB', (string) (3 << 20), self::curl('--http2-prior-knowledge', '--data-binary', "@$file", "$plain/length"));
        unlink($file);
        $head = self::curl('--http2-prior-knowledge', '-I', "$plain/big?kib=64");
        $this->check('HEAD has a length and no body', preg_match('~^HTTP/2 200.*content-length: 65536\r\n~s', $head) === 1, $head);
        foreach ([204, 304] as $status) {
            $said = self::curl('--http2-prior-knowledge', '-i', "$plain/empty?status=$status");
            $this->check("$status has neither", str_starts_with($said, "HTTP/2 $status") && !str_contains($said, 'content-length') && str_ends_with($said, "\r\n\r\n"), $said);
        }
        foreach (['end', 'long', 'pieces', 'promise', 'trailer', 'file'] as $way) {
            $peer = new P($server->address());
            foreach ([204, 205, 304] as $i => $status) {
                $peer->send(P::get($stream = 2 * $i + 1, "/bodiless?status=$status&way=$way"));
                $peer->until(static fn (P $peer): bool => $peer->over($stream));
                $frames = array_values(array_filter($peer->frames(), static fn (array $frame): bool => $frame['stream'] === $stream));
                $this->same("a body for $status is left out, the head is the end ($way)", [[P::HEADERS, P::END_HEADERS | P::END_STREAM], $status],
                    [...array_map(static fn (array $frame): array => [$frame['type'], $frame['flags']], $frames), $peer->status($stream)]);
            }
            $peer->close();
        }
        foreach ([100, 101, 103] as $status) {
            $this->check("$status is no answer to end with", str_starts_with(self::curl('--http2-prior-knowledge', '-i', "$plain/empty?status=$status"), 'HTTP/2 500'));
        }
        $said = self::curl('--http2-prior-knowledge', '-i', "$plain/fields");
        $this->check('fields of the connection are left out', preg_match('/^(connection|keep-alive|upgrade|transfer-encoding):/mi', $said) === 0, $said);
        $this->check('... the others are there', str_contains($said, "x-mixed: spaced\r\n") && str_contains($said, "set-cookie: a=1\r\nset-cookie: b=2\r\n"), $said);
        $this->check('a handler that fails is a 500', str_starts_with(self::curl('--http2-prior-knowledge', '-i', "$plain/fail"), 'HTTP/2 500'));
        foreach (['--http1.1', '--http2-prior-knowledge'] as $option) {
            foreach ([16, 100_000] as $size) {
                $said = self::curl($option, '-w', '|%{http_code} %{exitcode}', "$plain/over?size=$size");
                $this->same("no more than the promised length, pieces of $size, $option", 'twelve bytes++++++++|200 0', $said);
            }
        }
        $said = self::runOf('nghttp', '-v', "$plain/trailers");
        $this->check('trailers come behind the body', preg_match('/body .*in pieces.*x-sum: 42.*END_STREAM/s', $said) === 1, $said);
    }

    public function testFrameByFrame(): void
    {
        [$server, $plain] = [self::$server, self::$plain];
        $peer = new P($server->address(), [4 => 1 << 20]);
        $peer->send(P::get(1, '/wait') . P::get(3, '/half') . P::get(5));
        $peer->until(static fn (P $peer): bool => $peer->over(3) && $peer->over(5));
        $this->same('who waits does not hold up the others', ['INTERNAL_ERROR', 200, false], [$peer->reset(3), $peer->status(5), $peer->over(1)]);
        $peer->send(P::get(7, '/open'));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $this->same('... and is answered', 'waited', $peer->body(1));
        $peer->send(P::get(9, '/seen', [['cookie', 'a=1'], ['cookie', 'b=2']]));
        $peer->until(static fn (P $peer): bool => $peer->over(9));
        $this->same('crumbs of a cookie are one', ['a' => '1', 'b' => '2'], self::seen($peer->body(9))['cookie'] ?? null);

        // Crumbs of a cookie are no fields, and a cookie may be as long as all of them.
        $many = static fn (int $count, int $size): array => array_map(static fn (int $i): array => ['cookie', sprintf('c%d=%s', $i, str_repeat('v', $size))], range(1, $count));
        $api = static fn (int $count): array => array_map(static fn (int $i): array => ["x-field-$i", str_repeat('f', 40)], range(1, $count));
        $bytes = static fn (array $cookies): int => array_sum(array_map(static fn (array $field): int => strlen($field[1]) + 2, $cookies));
        foreach ([[90, 20, 15], [90, 675, 15], [300, 10, 15], [900, 40, 15], [60, 1000, 100], [1, 61000, 100]] as [$count, $size, $others]) {
            $cookies = $many($count, $size);
            $crumbs = new P($server->address(), [4 => 1 << 20]);
            $crumbs->send(P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 1 << 20)));
            $block = str_split(P::block([...P::request('/seen'), ...$api($others), ...$cookies]), 16384);
            foreach ($block as $i => $piece) {
                $flags = ($i === 0 ? P::END_STREAM : 0) | ($i === count($block) - 1 ? P::END_HEADERS : 0);
                $crumbs->send(P::frame($i === 0 ? P::HEADERS : P::CONTINUATION, $flags, 1, $piece));
            }
            $crumbs->until(static fn (P $peer): bool => $peer->over(1) || $peer->goaway() !== null);
            $said = self::seen($crumbs->body(1));
            $this->same("$count cookies of {$bytes($cookies)} bytes beside $others fields", [200, $count, $others],
                [$crumbs->status(1), count($said['cookie'] ?? []), count(preg_grep('~^x-field-~', array_keys($said['header'] ?? [])))]);
            $crumbs->close();
        }

        // Lengths beside trailers.
        foreach (['whole' => '5', str_repeat('w', 5000) => '\d\d'] as $body => $length) {  // the second one compressed
            $said = self::runOf('nghttp', '-v', "$plain/whole?body=$body");
            $this->check('a length stands beside trailers', preg_match("/content-length: $length\r?\n.*x-sum: 42.*END_STREAM/s", $said) === 1, $said);
        }
        $said = self::runOf('nghttp', '-v', "$plain/whole");
        $this->check('trailers of an empty body come', preg_match('/x-sum: 42.*END_STREAM/s', $said) === 1, $said);

        // What a handler says to the connection.
        $sent = static fn (P $peer, int $type): array => array_map(static fn (array $frame): string => $frame['payload'],
            array_values(array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === $type && $frame['flags'] === 0)));
        $told = new P($server->address());
        $told->send(P::get(1, '/announce?what=ping') . P::get(3, '/announce?what=ping&text=ping+me') . P::get(5, '/announce?what=ping&text=12345678'));
        $told->until(static fn (P $peer): bool => $peer->over(1) && $peer->over(3) && $peer->over(5));
        $this->same('ping() sends PING', [["\0\0\0\0\0\0\0\0", "ping me\0", '12345678'], 'true', 'true', 'true'], [$sent($told, P::PING), $told->body(1), $told->body(3), $told->body(5)]);
        $told->send(...array_map(static fn (string $payload): string => P::frame(P::PING, P::ACK, 0, $payload), $sent($told, P::PING)));
        $told->send(P::get(7, '/announce?what=goaway&error=11&text=enough+for+now'));
        $told->until(static fn (P $peer): bool => $peer->ended());
        $this->same('goaway() sends GOAWAY with error and text', [[pack('NN', 7, 11) . 'enough for now'], 'true', 200], [$sent($told, P::GOAWAY), $told->body(7), $told->status(7)]);
        $told->close();
        $told = new P($server->address());
        $told->send(P::get(1, '/wait') . P::get(3, '/announce?what=goaway+alone'));
        $told->until(static fn (P $peer): bool => $peer->over(3));
        $other = new P($server->address());
        $other->send(P::get(1, '/open'));
        $other->outcome(1);
        $this->check('... after which the requests that have come are answered', $told->until(static fn (P $peer): bool => $peer->over(1)) && $told->body(1) === 'waited', (string) $told->goaway());
        $this->same('... in order', [pack('NN', 3, 0)], $sent($told, P::GOAWAY));
        $other->close();
        $told->close();
        $peer->send(P::get(11, '/wait') . P::frame(P::RST_STREAM, 0, 11, pack('N', 8)) . P::get(13, '/open'));
        $peer->until(static fn (P $peer): bool => $peer->over(13));
        $this->same('an answer to a stream that is gone is nobody\'s', '', $peer->body(11));
        $peer->close();

        $order = function (string $name, string $bytes) use ($server): void {
            $peer = new P($server->address(), [4 => 4 << 20]);
            $peer->send(P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 64 << 20)) . $bytes);
            $peer->until(static fn (P $peer): bool => $peer->over(1) && $peer->over(3));
            $ends = array_column(array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === P::DATA && ($frame['flags'] & P::END_STREAM) !== 0), 'stream');
            $this->same($name, [3, 1], $ends);
            $peer->close();
        };
        $order('the field priority', P::get(1, '/big?kib=1024', [['priority', 'u=6']]) . P::get(3, '/big?kib=1024', [['priority', 'u=1']]));
        $order('PRIORITY_UPDATE', P::frame(P::PRIORITY_UPDATE, 0, 0, pack('N', 3) . 'u=0') . P::get(1, '/big?kib=1024') . P::get(3, '/big?kib=1024'));

        $peer = new P($server->address(), [4 => 10]);
        $peer->send(P::get(1, '/big?kib=1'));
        $peer->until(static fn (P $peer): bool => strlen($peer->body(1)) === 10);
        $this->same('not a byte above the window', 10, strlen($peer->body(1)));
        $peer->send(P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 5)));
        $peer->until(static fn (P $peer): bool => strlen($peer->body(1)) === 15);
        $peer->send(P::settings([4 => 2000]));
        $this->check('a larger one by SETTINGS lets it go on', $peer->until(static fn (P $peer): bool => $peer->over(1)) && strlen($peer->body(1)) === 1024);
        $peer->close();
        $peer = new P($server->address(), [5 => 20000, 4 => 1 << 20]);
        $peer->send(P::get(1, '/big?kib=40'));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $sizes = array_map(static fn (array $frame): int => strlen($frame['payload']), array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === P::DATA));
        $this->check('frames keep to the size the peer takes', max($sizes) <= 20000 && array_sum($sizes) === 40960, implode(' ', $sizes));
        $peer->close();
    }

    public function testDrain(): void
    {
        [$server, $secure] = [self::$server, self::$secure];
        $peer = new P($server->address());
        $peer->send(P::get(1, '/wait'));
        $peer->send(P::get(3));
        $peer->until(static fn (P $peer): bool => $peer->over(3));
        posix_kill($server->pid(), SIGTERM);
        $goaways = static fn (P $peer): array => array_values(array_filter($peer->frames(), static fn (array $frame): bool => $frame['type'] === P::GOAWAY));
        $this->check('who drains says so first', $peer->until(static fn (P $peer): bool => $goaways($peer) !== []) && str_starts_with($goaways($peer)[0]['payload'], "\x7f\xff\xff\xff"));
        $peer->send(P::get(5));
        $peer->until(static fn (P $peer): bool => $peer->over(5));
        $this->same('... and answers what was on its way', 200, $peer->status(5));
        $this->check('... then names the last one', $peer->until(static fn (P $peer): bool => count($goaways($peer)) === 2) && substr($goaways($peer)[1]['payload'], 0, 8) === pack('NN', 5, 0));
        $this->check('what waits is cut off when the time is over', $peer->until(static fn (P $peer): bool => $peer->ended()));
        $peer->close();
        Server::until(10.0, static fn (): bool => !$server->alive());
        $this->same('the server ends well', 0, $server->stop());
        $this->same('... and so does the other', 0, $secure->stop());
        $this->check('only the failed handler was logged', preg_match_all('/^\[/m', $server->output() . $secure->output()) <= 2, $server->output() . $secure->output());
    }

    private static function runOf(string ...$command): string
    {
        return (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
    }

    private static function curl(string ...$arguments): string
    {
        return self::runOf('curl', '-s', '-k', '-m', '20', ...$arguments);
    }

    private static function seen(string $text): array
    {
        $seen = json_decode($text, true);
        return is_array($seen) ? $seen : ['raw' => $text];
    }
}
