<?php

declare(strict_types=1);

/* What is too much over HTTP/2: heads, bodies, streams, frames without use, resets, time. Memory stays bounded and others are served. */

namespace Stampede\Tests\E2e;

use Stampede\Tests\E2e\Http2Peer as P;

const KIB = 1024;

final class http2_limits_test extends EndToEndTest
{
    private static string $calm;
    private static mixed $request;
    private static Server $server;
    private static mixed $before;

    public static function setUpBeforeClass(): void
    {
        self::$server = $server = new Server('http2', ['http_header_timeout' => 2, 'http_body_timeout' => 2, 'http_idle_timeout' => 3, 'http_write_timeout' => 2, 'http_linger_timeout' => 0.5,
            'package_max_length' => 256 * KIB]);
        $head = P::END_HEADERS | P::END_STREAM;
        self::$before = $server->memory();
        self::$request = P::block(P::request());
        self::$calm = 'goaway ENHANCE_YOUR_CALM';
    }

    public function testHeads(): void
    {
        [$calm, $request] = [self::$calm, self::$request];
        $this->reject('a bomb of 4,000 bytes 12,000 times', self::frames(self::bomb(4000, 12000), 16384), ['status 431', $calm]);
        $this->reject('a bomb of 1 byte 16,000 times', self::frames(self::bomb(1, 16000), 16384), ['status 431', $calm]);
        $this->reject('16,000 crumbs of a cookie', self::frames($request . "\x60\x03a=b" . str_repeat("\xbe", 16000), 16384), ['status 431', $calm]);
        $this->reject('200 fields and a few', self::frames($request . str_repeat(P::field('x', 'y'), 205), 16384), ['status 431']);
        $this->reject('190 fields', self::frames($request . str_repeat(P::field('x', 'y'), 190), 16384), ['status 200']);
        $this->reject('a field of 60 KiB', self::frames($request . P::field('x', str_repeat('v', 60 * KIB)), 16384), ['status 200']);
        $this->reject('a field of 70 KiB', self::frames($request . P::field('x', str_repeat('v', 70 * KIB)), 16384), ['status 431', 'goaway COMPRESSION_ERROR']);
        $this->reject('30 fields of 3 KiB', self::frames($request . str_repeat(P::field('x', str_repeat('v', 3 * KIB)), 30), 16384), ['status 431']);
        $this->reject('a head of 1 MiB', self::frames($request . str_repeat(P::field('x', str_repeat('v', 4 * KIB)), 256), 16384), ['status 431', $calm]);
        $this->reject('20,000 fields', self::frames($request . str_repeat(P::field('x', 'y'), 20000), 16384), ['status 431', $calm]);
        $this->reject('50,000 empty CONTINUATIONs', P::frame(P::HEADERS, P::END_STREAM, 1, $request) . str_repeat(P::frame(P::CONTINUATION, 0, 1), 50000), [$calm]);
        $this->reject('32 MiB of CONTINUATION', P::frame(P::HEADERS, P::END_STREAM, 1, $request) . str_repeat(P::frame(P::CONTINUATION, 0, 1, str_repeat(P::field('x', str_repeat('v', 1000)), 16)), 2000), [$calm]);
        $this->reject('a path of 20 KiB', self::frames(P::block(P::request('/' . str_repeat('p', 20 * KIB))), 16384), ['status 414']);
        $this->reject('trailers of 1 MiB', P::post(1) . self::frames(str_repeat(P::field('x', str_repeat('v', 4 * KIB)), 256), 16384), ['status 431', $calm]);
        $this->served('heads');
    }

    public function testBodies(): void
    {
        $server = self::$server;
        $this->reject('a length over the limit', P::post(1, '/length', [['content-length', '300000']]), ['status 413']);
        $this->reject('a body over the limit', P::post(1, '/length') . str_repeat(P::frame(P::DATA, 0, 1, str_repeat('x', 16384)), 20), ['status 413']);
        $peer = new P($server->address());
        $peer->send(P::post(1, '/length', [['content-length', '300000']]));
        $peer->until(static fn (P $peer): bool => $peer->reset(1) !== null);
        $this->same('... after which the rest is not wanted', 'NO_ERROR', $peer->reset(1));
        $peer->send(P::get(3));
        $this->same('... and the connection goes on', 'status 200', $peer->outcome(3));
        $peer->close();
        $peer = new P($server->address());  // as curl does, which has read the answer
        for ($i = 0; $i < 300; $i++) {
            $peer->send(P::post(2 * $i + 1, '/length', [['content-length', '300000']]));
            $peer->until(static fn (P $peer): bool => $peer->over(2 * $i + 1));
            $peer->send(P::frame(P::RST_STREAM, 0, 2 * $i + 1, pack('N', 8)));
        }
        $peer->send(P::get(601));
        $this->same('who resets what is answered is not ended', 'status 200', $peer->outcome(601));
        $peer->close();
        $file = (string) tempnam(sys_get_temp_dir(), 'stampede-body-');
        file_put_contents($file, str_repeat('b', 3 << 20));
        foreach (['--data-binary', '-T', '-F'] as $way) {
            $given = ['--data-binary' => "@$file", '-T' => $file, '-F' => "f=@$file"][$way];
            $said = (string) shell_exec('curl -s -m 10 -o /dev/null -w "%{http_code} %{exitcode}" --http2-prior-knowledge ' . $way . ' ' . escapeshellarg($given) . " http://127.0.0.1:$server->port/length");
            $this->same("a body that is too large: curl $way can read why", '413 0', $said);
        }
        unlink($file);
        $peer = new P($server->address());
        $peer->send(P::post(1, '/length'), ...array_fill(0, 15, P::frame(P::DATA, 0, 1, str_repeat('x', 16384))));
        $peer->send(P::frame(P::DATA, P::END_STREAM, 1));
        $this->same('a body below it', 'status 200', $peer->outcome(1));
        $this->same('... is complete', (string) (15 * 16384), $peer->body(1));
        $peer->send(P::post(3, '/length', [['expect', '100-continue'], ['content-length', '3']]));
        $this->check('Expect: 100-continue is answered', $peer->until(static fn (P $peer): bool => $peer->status(3) === 100));
        $peer->send(P::frame(P::DATA, P::END_STREAM, 3, 'abc'));
        $this->check('... and so is the request', $peer->until(static fn (P $peer): bool => $peer->over(3)) && $peer->status(3) === 200 && $peer->body(3) === '3');
        $peer->close();
    }

    public function testStreams(): void
    {
        $server = self::$server;
        $peer = new P($server->address());
        $peer->send(implode('', array_map(static fn (int $i): string => P::get(2 * $i + 1, '/wait'), range(0, 139))));
        $peer->until(static fn (P $peer): bool => $peer->reset(279) !== null);
        $this->same('a stream above the limit is refused', 'REFUSED_STREAM', $peer->reset(279));
        $this->same('... the last one within it is not', null, $peer->reset(255));
        $other = new P($server->address());
        $other->send(P::get(1, '/open'));
        $other->outcome(1);
        $this->check('... and those within it are answered', $peer->until(static fn (P $peer): bool => count(array_filter(range(1, 255, 2), $peer->over(...))) === 128));
        $this->same('... without an end of the connection', null, $peer->goaway());
        $other->close();
        $peer->close();
    }

    public function testRefusedUploads(): void
    {
        // Peers whose uploads are refused and who never end them, also not by a reset: their next requests do not wait until the patience with those is over.
        $patient = new Server('http2', ['http_linger_timeout' => 60, 'package_max_length' => 256 * KIB]);
        $peer = new P($patient->address());
        $ends = ['answered' => 0, 'reset' => [], 'closed' => []];
        $read = 0;
        $look = static function (P $peer) use (&$ends, &$read): void {  // at what has come since
            foreach (array_slice($peer->frames(), $read) as $frame) {
                $read++;
                $ends['answered'] += $frame['type'] === P::HEADERS ? 1 : 0;
                if ($frame['type'] === P::RST_STREAM) {
                    $ends['reset'][] = $frame['stream'];
                }
            }
        };
        $opened = 0;
        for (; $opened < 500; $opened++) {  // as many at a time as the server allows
            $room = $peer->until(static function (P $peer) use ($look, &$ends, &$opened): bool {
                $look($peer);
                return $opened - count($ends['reset']) < 128;
            });
            if (!$room) {
                break;
            }
            $peer->send(P::post(2 * $opened + 1, '/length', [['content-length', '300000']]));
        }
        $peer->until(static function (P $peer) use ($look, &$ends, &$opened): bool {
            $look($peer);
            return $ends['answered'] === $opened;
        });
        $this->same('refused uploads that are not ended leave places for others', [500, 500, null], [$opened, $ends['answered'], $peer->goaway()]);
        $this->same('... by an end of the oldest ones that is no error', [range(1, 2 * count($ends['reset']) - 1, 2), ['NO_ERROR']],
            [$ends['reset'], array_values(array_unique(array_map($peer->reset(...), array_slice($ends['reset'], 0, 20))))]);
        $this->check('... while the newest have time', count($ends['reset']) > 300 && count($ends['reset']) < 450, (string) count($ends['reset']));
        // Its resets have crossed the server's, and its data as well.
        $peer->send(...array_map(static fn (int $id): string => P::frame(P::DATA, 0, $id, 'late') . P::frame(P::RST_STREAM, 0, $id, pack('N', 8)), $ends['reset']));
        $peer->send(P::get(2 * $opened + 1));
        $this->same('... and resets that cross theirs are no flood', 'status 200', $peer->outcome(2 * $opened + 1));
        $peer->close();
        $peer = new P($patient->address());
        $peer->send(P::post(1, '/length', [['content-length', '300000']]), ...array_map(static fn (int $i): string => P::get(2 * $i + 1), range(1, 60)));
        $peer->until(static fn (P $peer): bool => $peer->over(121));
        $this->same('one that is refused has its time beside others', ['status 413', null], [$peer->outcome(1), $peer->reset(1)]);
        $peer->close();
        unset($patient);
    }

    public function testFramesWithoutUse(): void
    {
        $server = self::$server;
        $flood = function (string $name, string $frame, int $count, string $start = '') use ($server): void {
            $peer = new P($server->address());
            $peer->send($start);
            for ($sent = 0; $sent < $count && $peer->send(str_repeat($frame, 500)); $sent += 500);
            $peer->until(static fn (P $peer): bool => $peer->goaway() !== null, 5.0);
            $this->same("$name is ended", 'ENHANCE_YOUR_CALM', $peer->goaway());
            $peer->close();
        };
        $flood('a flood of PING', P::frame(P::PING, 0, 0, '12345678'), 30000);
        $flood('a flood of SETTINGS', P::settings([4 => 65535]), 30000);
        $flood('a flood of PRIORITY', P::frame(P::PRIORITY, 0, 1, pack('NC', 0, 1)), 30000);
        $flood('a flood of PRIORITY_UPDATE', P::frame(P::PRIORITY_UPDATE, 0, 0, pack('N', 1) . 'u=1'), 30000, P::post(1));
        $flood('a flood of frames of a type that nobody knows', P::frame(0x42, 0, 0, 'unknown'), 30000);
        $flood('a flood of WINDOW_UPDATE', P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 1)), 30000);
        $flood('a flood of empty DATA', P::frame(P::DATA, 0, 1), 30000, P::post(1));
        $flood('a flood of DATA that is padding', P::frame(P::DATA, P::PADDED, 1, "\x07\0\0\0\0\0\0\0"), 30000, P::post(1));
        // The same from a peer that reads nothing of what is said to that.
        foreach (['PING' => P::frame(P::PING, 0, 0, '12345678'), 'SETTINGS' => P::settings([4 => 65535])] as $name => $frame) {
            $memory = $server->memory();
            $socket = stream_socket_client($server->address());
            fwrite($socket, P::PREFACE . P::settings([]));
            stream_set_blocking($socket, false);
            $bytes = str_repeat($frame, 1000);
            $sent = $taken = 0;
            $none = null;
            for ($deadline = microtime(true) + 10.0; microtime(true) < $deadline && $sent < 32 << 20;) {
                $writable = [$socket];
                $taken = stream_select($none, $writable, $none, 0, 50_000) > 0 ? @fwrite($socket, substr($bytes, $sent % strlen($bytes))) : 0;
                if ($taken === false) {
                    break;
                }
                $sent += $taken;
            }
            $this->check("a flood of $name, unread, is cut off", $taken === false && $sent < 16 << 20, "$sent bytes were taken");
            $this->check('... and takes little memory', $server->memory() - $memory < 4 * KIB, $server->memory() - $memory . ' KiB');
            fclose($socket);
        }
        $this->served('floods');
    }

    public function testResets(): void
    {
        $server = self::$server;
        $resets = function (string $name, callable $request, string $error = 'ENHANCE_YOUR_CALM') use ($server): void {
            $peer = new P($server->address());
            for ($i = 0; $i < 2000 && $peer->send($request(2 * $i + 1)); $i++);
            $peer->until(static fn (P $peer): bool => $peer->goaway() !== null, 5.0);
            $this->same("$name is ended", $error, $peer->goaway());
            $peer->close();
        };
        $rst = static fn (int $stream): string => P::frame(P::RST_STREAM, 0, $stream, pack('N', 8));
        $resets('rapid reset', static fn (int $stream): string => P::get($stream) . $rst($stream));
        $resets('reset of unfinished requests', static fn (int $stream): string => P::post($stream) . $rst($stream));
        $resets('resets that bad requests cause', static fn (int $stream): string => P::get($stream, '/', [['te', 'gzip']]));
        $resets('resets that WINDOW_UPDATE by 0 causes', static fn (int $stream): string => P::get($stream, '/wait') . P::frame(P::WINDOW_UPDATE, 0, $stream, pack('N', 0)), 'PROTOCOL_ERROR');
        $resets('resets that too large windows cause', static fn (int $stream): string => P::get($stream, '/wait') . P::frame(P::WINDOW_UPDATE, 0, $stream, pack('N', 2 ** 31 - 1)));
        $resets('resets that a length causes', static fn (int $stream): string => P::post($stream, '/length', [['content-length', '1']]) . P::frame(P::DATA, P::END_STREAM, $stream, 'too long'));
        $resets('resets that trailers cause', static fn (int $stream): string => P::post($stream) . P::frame(P::HEADERS, P::END_HEADERS | P::END_STREAM, $stream, P::field(':path', '/')));
        $resets('resets that DATA behind the end causes', static fn (int $stream): string => P::get($stream, '/wait') . P::frame(P::DATA, 0, $stream, 'x'), 'STREAM_CLOSED');
        $peer = new P($server->address());
        $ok = true;
        for ($i = 0; $i < 300 && $ok; $i++) {
            $ok = $peer->send(P::get(6 * $i + 1) . P::get(6 * $i + 3), P::get(6 * $i + 5, '/wait') . $rst(6 * $i + 5));
            $ok = $ok && ($i % 50 !== 49 || $peer->until(static fn (P $peer): bool => $peer->over(6 * $i + 1)));
        }
        $this->check('who cancels fewer requests than he completes is not ended', $ok && $peer->until(static fn (P $peer): bool => $peer->over(1797)), (string) $peer->goaway());
        $peer->close();
        $this->served('resets');
    }

    public function testTime(): void
    {
        [$server, $request, $before] = [self::$server, self::$request, self::$before];
        $start = microtime(true);
        $silent = new P($server->address(), null);
        $silent->send(substr(P::PREFACE, 0, 5));
        $idle = new P($server->address());
        $slowHead = new P($server->address());
        $slowHead->send(P::frame(P::HEADERS, P::END_STREAM, 1, $request));
        $slowBody = new P($server->address());
        $slowBody->send(P::post(1) . P::frame(P::DATA, 0, 1, 'x'));
        $noWindow = new P($server->address(), [4 => 0]);
        $noWindow->send(implode('', array_map(static fn (int $i): string => P::get(2 * $i + 1, '/big?kib=64'), range(0, 99))));
        $dripped = new P($server->address(), [4 => 1]);
        $dripped->send(P::get(1, '/big?kib=1024'));
        $fullWindow = new P($server->address(), [4 => strlen('body in pieces')]);  // all bytes fit, the end that follows them does not
        $fullWindow->send(P::get(1, '/trailers'));
        $connectionDripped = new P($server->address(), [4 => 1 << 20]);
        $connectionDripped->send(P::get(1, '/big?kib=1024'));
        $writer = new P($server->address(), [4 => 0]);
        $writer->send(P::get(1, '/stream'));
        $drops = 0;
        $idle->send(P::get(1));
        for ($round = 0; $round < 100 && !$idle->ended(); $round++) {  // PING does not keep it, bytes of a window do not help the other
            $idle->send(P::frame(P::PING, 0, 0, '12345678'));
            $dripped->send(P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 1)));
            $connectionDripped->send(P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 1)));
            $idle->until(static fn (P $peer): bool => $peer->ended(), 0.2);
        }
        $this->check('an idle connection is ended, PING or not', $idle->ended() && $idle->goaway() === 'NO_ERROR', (string) $idle->goaway());
        $this->check('... not before its time', microtime(true) - $start >= 2.9);
        $this->check('a preface that does not end is', $silent->until(static fn (P $peer): bool => $peer->ended()));
        $this->check('a head that does not end is', $slowHead->until(static fn (P $peer): bool => $peer->goaway() !== null || $peer->ended()));
        $this->check('a body that does not end is answered', $slowBody->until(static fn (P $peer): bool => $peer->status(1) === 408), $slowBody->outcome(1));
        $this->check('100 answers without a window are dropped', $noWindow->until(static fn (P $peer): bool => count(array_filter(range(1, 199, 2), $peer->over(...))) === 100 || $peer->ended()));
        $this->check('a window of one byte at a time does not help', $dripped->until(static fn (P $peer): bool => $peer->reset(1) !== null), (string) strlen($dripped->body(1)));
        $this->check('... nor does one of the whole connection', $connectionDripped->until(static fn (P $peer): bool => $peer->reset(1) !== null));
        $this->check('an answer of which only the end waits for a window is dropped', $fullWindow->until(static fn (P $peer): bool => $peer->reset(1) !== null), (string) $fullWindow->reset(1));
        $this->check('a handler that writes to nobody is told', $writer->until(static fn (P $peer): bool => $peer->reset(1) !== null) && (self::state()['cut'] ?? 0) >= 1);
        foreach (['without a window' => $noWindow, 'with a window of one byte at a time' => $dripped, 'with a body that does not end' => $slowBody] as $name => $peer) {
            $this->check("a connection $name ends with its streams", $peer->until(static fn (P $peer): bool => $peer->ended()) && $peer->goaway() === 'NO_ERROR', (string) $peer->goaway());
        }
        foreach ([$silent, $idle, $slowHead, $slowBody, $noWindow, $dripped, $fullWindow, $connectionDripped, $writer] as $peer) {
            $peer->close();
        }
        $this->served('time');
        $this->check('no connection is left', Server::until(10.0, static fn (): bool => (self::state()['stats']['connection_num'] ?? 0) === 1), json_encode(self::state()['stats'] ?? null, JSON_THROW_ON_ERROR));
        $grown = $server->memory() - $before;
        $this->check('memory stays within 64 MiB', $grown < 64 * KIB, "$grown KiB more");
        $this->same('nothing was logged', '', $server->output());
    }

    private static function state(): array
    {
        $server = self::$server;
        $peer = new P($server->address());
        $peer->send(P::get(1, '/state'));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $state = json_decode($peer->body(1), true);
        $peer->close();
        return is_array($state) ? $state : [];
    }

    private function served(string $name): void
    {
        $server = self::$server;
        $peer = new P($server->address());
        $peer->send(P::get(1));
        $this->same("... and the next peer is served ($name)", 'status 200', $peer->outcome(1));
        $peer->close();
    }

    private function reject(string $name, string $bytes, array $expected): void
    {
        $server = self::$server;
        $peer = new P($server->address());
        $peer->send($bytes);
        $outcome = $peer->outcome(1);
        $this->check("$name -> " . implode(' or ', $expected), in_array($outcome, $expected, true), $outcome);
        $peer->close();
    }

    private static function frames(string $block, int $size): string
    {
        $pieces = str_split($block, $size);
        $bytes = P::frame(P::HEADERS, P::END_STREAM | (count($pieces) === 1 ? P::END_HEADERS : 0), 1, array_shift($pieces));
        foreach ($pieces as $i => $piece) {
            $bytes .= P::frame(P::CONTINUATION, $i === count($pieces) - 1 ? P::END_HEADERS : 0, 1, $piece);
        }
        return $bytes;
    }

    // An entry of the dynamic table, then only its number (62).
    private static function bomb(int $size, int $count): string
    {
        $request = self::$request;
        return $request . "\x40\x01x" . P::integer($size, 7, 0) . str_repeat('v', $size) . str_repeat("\xbe", $count);
    }
}
