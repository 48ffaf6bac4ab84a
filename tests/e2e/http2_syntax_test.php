<?php

declare(strict_types=1);

/* Frames and heads that are wrong (RFC 9113, RFC 7541): each ends the way the standard says, and the server serves the next peer. */

namespace Stampede\Tests\E2e;

use Stampede\Tests\E2e\Http2Peer as P;

final class http2_syntax_test extends EndToEndTest
{
    private static mixed $head;
    private static Server $server;
    private static array $malformed;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('http2', ['http_header_timeout' => 2, 'http_linger_timeout' => 0.5]);
        self::$head = P::END_HEADERS | P::END_STREAM;
        self::$malformed = ['reset PROTOCOL_ERROR', 'goaway PROTOCOL_ERROR'];
    }

    public function testARequest(): void
    {
        $this->expect('a request', P::get(1), 'status 200');
    }

    public function testTheStart(): void
    {
        $this->expect('a wrong preface', str_repeat('x', 24) . P::settings([]) . P::get(1), 'closed', settings: null);
        $this->expect('a preface with a wrong end', substr(P::PREFACE, 0, -2) . 'xx' . P::settings([]) . P::get(1), 'closed', settings: null);
        $this->expect('a first frame that is not SETTINGS', P::PREFACE . P::get(1), 'goaway PROTOCOL_ERROR', settings: null);
        $this->expect('half a preface and silence', substr(P::PREFACE, 0, 10), 'closed', settings: null);
    }

    public function testSizesAndPlacesOfFrames(): void
    {
        $head = self::$head;
        $this->expect('DATA above the largest frame', P::post(1) . P::frame(P::DATA, 0, 1, str_repeat('x', 16385)), 'goaway FRAME_SIZE_ERROR');
        $this->expect('HEADERS above the largest frame', P::frame(P::HEADERS, $head, 1, str_repeat("\x82", 16385)), 'goaway FRAME_SIZE_ERROR');
        $this->expect('DATA on stream 0', P::frame(P::DATA, 0, 0, 'x'), 'goaway PROTOCOL_ERROR');
        $this->expect('HEADERS on stream 0', P::frame(P::HEADERS, $head, 0, P::block(P::request())), 'goaway PROTOCOL_ERROR');
        $this->expect('a stream of even number', P::get(2), 'goaway PROTOCOL_ERROR', 2);
        $this->expect('numbers that go down', P::get(5) . P::get(3), 'goaway PROTOCOL_ERROR', 3);
        $this->expect('DATA on an idle stream', P::frame(P::DATA, P::END_STREAM, 1, 'x'), 'goaway PROTOCOL_ERROR');
        $this->expect('RST_STREAM on an idle stream', P::frame(P::RST_STREAM, 0, 1, pack('N', 8)), 'goaway PROTOCOL_ERROR');
        $this->expect('WINDOW_UPDATE on an idle stream', P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 1)), 'goaway PROTOCOL_ERROR');
        $this->expect('CONTINUATION alone', P::frame(P::CONTINUATION, P::END_HEADERS, 1, P::block(P::request())), 'goaway PROTOCOL_ERROR');
        $this->expect('another frame inside a header block', P::frame(P::HEADERS, P::END_STREAM, 1, P::block(P::request())) . P::frame(P::PING, 0, 0, '12345678'), 'goaway PROTOCOL_ERROR');
        $this->expect('an unknown frame inside a header block', P::frame(P::HEADERS, P::END_STREAM, 1, P::block(P::request())) . P::frame(77, 0, 1, 'x'), 'goaway PROTOCOL_ERROR');
        $this->expect('CONTINUATION on another stream', P::frame(P::HEADERS, P::END_STREAM, 1, P::block(P::request())) . P::frame(P::CONTINUATION, P::END_HEADERS, 3, ''), 'goaway PROTOCOL_ERROR');
        $this->expect('a block in three frames', P::frame(P::HEADERS, P::END_STREAM, 1, substr(P::block(P::request()), 0, 9)) . P::frame(P::CONTINUATION, 0, 1, substr(P::block(P::request()), 9, 9))
            . P::frame(P::CONTINUATION, P::END_HEADERS, 1, substr(P::block(P::request()), 18)), 'status 200');
        $this->expect('PUSH_PROMISE', P::frame(P::PUSH_PROMISE, P::END_HEADERS, 1, pack('N', 2) . P::block(P::request())), 'goaway PROTOCOL_ERROR');
        $this->expect('padding as long as the frame', P::post(1) . P::frame(P::DATA, P::PADDED | P::END_STREAM, 1, "\x05abcd"), 'goaway PROTOCOL_ERROR');
        $this->expect('padding longer than a head', P::frame(P::HEADERS, $head | P::PADDED, 1, "\xff" . P::block(P::request())), 'goaway PROTOCOL_ERROR');
        $this->expect('padding that fits', P::post(1, '/length') . P::frame(P::DATA, P::PADDED | P::END_STREAM, 1, "\x03abc\0\0\0"), 'status 200');
        $this->expect('an unknown frame', P::frame(77, 0xff, 0, 'whatever') . P::get(1), 'status 200');
    }

    public function testFramesOfControl(): void
    {
        [$server, $head, $malformed] = [self::$server, self::$head, self::$malformed];
        $this->expect('SETTINGS of 5 bytes', P::frame(P::SETTINGS, 0, 0, '12345'), 'goaway FRAME_SIZE_ERROR');
        $this->expect('SETTINGS on a stream', P::frame(P::SETTINGS, 0, 1, ''), 'goaway PROTOCOL_ERROR');
        $this->expect('an ACK with a payload', P::frame(P::SETTINGS, P::ACK, 0, pack('nN', 1, 1)), 'goaway FRAME_SIZE_ERROR');
        $this->expect('ENABLE_PUSH of 2', P::settings([2 => 2]), 'goaway PROTOCOL_ERROR');
        $this->expect('a window of 2^31', P::settings([4 => 2 ** 31]), 'goaway FLOW_CONTROL_ERROR');
        $this->expect('frames of 16383', P::settings([5 => 16383]), 'goaway PROTOCOL_ERROR');
        $this->expect('frames of 2^24', P::settings([5 => 2 ** 24]), 'goaway PROTOCOL_ERROR');
        $this->expect('an unknown setting', P::settings([99 => 1]) . P::get(1), 'status 200');
        $this->expect('PING of 7 bytes', P::frame(P::PING, 0, 0, '1234567'), 'goaway FRAME_SIZE_ERROR');
        $this->expect('PING on a stream', P::frame(P::PING, 0, 1, '12345678'), 'goaway PROTOCOL_ERROR');
        $this->expect('RST_STREAM of 3 bytes', P::post(1) . P::frame(P::RST_STREAM, 0, 1, 'abc'), 'goaway FRAME_SIZE_ERROR');
        $this->expect('PRIORITY of 4 bytes', P::post(1) . P::frame(P::PRIORITY, 0, 1, 'abcd'), ['reset FRAME_SIZE_ERROR', 'goaway FRAME_SIZE_ERROR']);
        $this->expect('PRIORITY on stream 0', P::frame(P::PRIORITY, 0, 0, pack('NC', 1, 1)), 'goaway PROTOCOL_ERROR');
        $itself = P::frame(P::PRIORITY, 0, 1, pack('NC', 1, 1));
        $this->expect('PRIORITY of a stream on itself', P::post(1) . $itself, 'reset PROTOCOL_ERROR');
        $this->expect('... as the only child', P::post(1) . P::frame(P::PRIORITY, 0, 1, pack('NC', 0x80000001, 1)), 'reset PROTOCOL_ERROR');
        $this->expect('... before there is such a stream', $itself . P::get(1), 'goaway PROTOCOL_ERROR');
        $this->expect('PRIORITY of a stream on another', P::get(1) . P::frame(P::PRIORITY, 0, 1, pack('NC', 3, 1)) . P::frame(P::PRIORITY, 0, 5, pack('NC', 1, 1)), 'status 200');
        $peer = new P($server->address());
        foreach (str_split(P::post(1) . P::frame(P::DATA, 0, 1, 'abc') . $itself) as $byte) {
            $peer->send($byte);
        }
        $this->same('... byte by byte', 'reset PROTOCOL_ERROR', $peer->outcome(1));
        $peer->close();
        $this->expect('HEADERS of a stream that hangs on itself', P::frame(P::HEADERS, $head | 0x20, 1, pack('NC', 1, 1) . P::block(P::request())), $malformed);
        $this->expect('GOAWAY on a stream', P::frame(P::GOAWAY, 0, 1, pack('NN', 0, 0)), 'goaway PROTOCOL_ERROR');
        $this->expect('WINDOW_UPDATE of 3 bytes', P::frame(P::WINDOW_UPDATE, 0, 0, 'abc'), 'goaway FRAME_SIZE_ERROR');
        $this->expect('WINDOW_UPDATE by 0 for the connection', P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 0)), 'goaway PROTOCOL_ERROR');
        $this->expect('WINDOW_UPDATE by 0 for a stream', P::post(1) . P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 0)), $malformed);
        $this->expect('a window too large for the connection', P::frame(P::WINDOW_UPDATE, 0, 0, pack('N', 2 ** 31 - 1)), 'goaway FLOW_CONTROL_ERROR');
        $this->expect('a window too large for a stream', P::post(1) . P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 2 ** 31 - 1)), 'reset FLOW_CONTROL_ERROR');
        $this->expect('a window too large by SETTINGS', P::post(1) . P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 2 ** 31 - 65536)) . P::settings([4 => 65536]), ['goaway FLOW_CONTROL_ERROR', 'reset FLOW_CONTROL_ERROR']);
    }

    public function testTheLifeOfAStream(): void
    {
        [$head, $server, $malformed] = [self::$head, self::$server, self::$malformed];
        $this->expect('DATA after the end of the request', P::get(1, '/wait') . P::frame(P::DATA, 0, 1, 'x'), ['reset STREAM_CLOSED', 'goaway STREAM_CLOSED']);
        $this->expect('HEADERS after the end of the request', P::get(1, '/wait') . P::get(1), ['reset STREAM_CLOSED', 'goaway STREAM_CLOSED', 'goaway PROTOCOL_ERROR']);
        $frames = ['DATA' => P::frame(P::DATA, 0, 1, 'x'), 'HEADERS' => P::get(1), 'trailers' => P::frame(P::HEADERS, $head, 1, P::field('x', 'y'))];
        $reset = P::frame(P::RST_STREAM, 0, 1, pack('N', 8));
        foreach ($frames as $name => $frame) {
            $this->expect("$name after RST_STREAM", P::post(1) . $reset . $frame, ['reset STREAM_CLOSED', 'goaway STREAM_CLOSED']);
            foreach ([0, 700] as $others) {
                $peer = new P($server->address());
                $peer->send(P::get(1));
                $peer->until(static fn (P $peer): bool => $peer->over(1));
                for ($id = 3; $id <= 2 * $others + 1; $id += 2) {  // as many at a time as the server allows
                    $peer->send(P::get($id) . ($id % 16 === 1 ? P::frame(P::RST_STREAM, 0, $id, pack('N', 8)) : ''));
                    if ($id % 100 === 1) {
                        $peer->until(static fn (P $peer): bool => $peer->over($id - 2));
                    }
                }
                $peer->send($frame);
                $peer->until(static fn (P $peer): bool => $peer->goaway() !== null);
                $this->same("$name after the answer and $others more", 'STREAM_CLOSED', $peer->goaway());
                $peer->close();
            }
        }
        $peer = new P($server->address());
        foreach (str_split(P::post(1) . $reset . P::frame(P::DATA, 0, 1, 'x')) as $byte) {
            $peer->send($byte);
        }
        $this->same('DATA after RST_STREAM, byte by byte', 'reset STREAM_CLOSED', $peer->outcome(1));
        $peer->close();
        $this->expect('WINDOW_UPDATE after RST_STREAM', P::post(1) . $reset . P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 1)), ['reset STREAM_CLOSED', 'goaway STREAM_CLOSED']);
        $this->expect('RST_STREAM after RST_STREAM', P::post(1) . $reset . $reset . P::get(3), 'status 200', 3);
        $peer = new P($server->address());  // its frames have crossed the answer's end and the reset
        $peer->send(P::get(1));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $peer->send(P::frame(P::WINDOW_UPDATE, 0, 1, pack('N', 1)) . $reset);
        $peer->send(P::post(3, '/', [['te', 'gzip']]));
        $peer->until(static fn (P $peer): bool => $peer->reset(3) !== null || $peer->goaway() !== null);
        $peer->send(P::frame(P::DATA, 0, 3, 'late') . P::frame(P::HEADERS, $head, 3, P::field('x', 'y')));
        $this->same('frames that crossed the end', null, $peer->goaway());
        $peer->send(P::get(5));
        $this->same('... harm nobody', 'status 200', $peer->outcome(5));
        $peer->close();
        $this->expect('trailers that do not end the request', P::post(1) . P::frame(P::HEADERS, P::END_HEADERS, 1, P::field('x', 'y')), $malformed);
        $this->expect('a pseudo field in trailers', P::post(1) . P::frame(P::HEADERS, $head, 1, P::field(':path', '/x')), $malformed);
        $this->expect('trailers', P::post(1, '/length') . P::frame(P::DATA, 0, 1, 'abc') . P::frame(P::HEADERS, $head, 1, P::field('x-sum', 'y')), 'status 200');
        $peer = new P($server->address());
        $trailers = [['authorization', 'Basic eDp5'], ['host', 'evil'], ['cookie', 'a=1'], ['x-forwarded-for', '6.6.6.6'], ['x-sum', 'y']];
        $peer->send(P::post(1, '/seen', [['x-sum', 'first']]) . P::frame(P::DATA, 0, 1, 'abc') . P::frame(P::HEADERS, $head, 1, P::block($trailers)));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $seen = json_decode($peer->body(1), true);
        $this->same('trailers are not taken for fields', [['x-sum' => 'first', 'host' => 'a'], null], [array_intersect_key($seen['header'] ?? [], array_column($trailers, 1, 0)), $seen['cookie'] ?? null]);
        $peer->close();
    }

    public function testHPACK(): void
    {
        $head = self::$head;
        foreach ([
            'index 0' => "\x80", 'an index beyond the table' => "\xff\xff\x03", 'a table size above the limit' => "\x3f\xff\xff\xff\x7f",
            'a number without end' => "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 'a string that is cut' => "\x00\x0aabc",
            'EOS in a Huffman string' => "\x00\x01a\x84\xff\xff\xff\xff", 'Huffman padding of zeros' => "\x00\x01a\x81\x00", 'a table size change at the end' => P::block(P::request()) . "\x20",
        ] as $name => $bytes) {
            $this->expect("HPACK: $name", P::frame(P::HEADERS, $head, 1, $bytes), 'goaway COMPRESSION_ERROR');
        }
    }

    public function testHeads(): void
    {
        [$malformed, $head, $server] = [self::$malformed, self::$head, self::$server];
        $with = static fn (string $name, string $value): string => P::get(1, '/', [[$name, $value]]);
        foreach (['X-Upper' => 'v', '' => 'v', "x\ry" => 'v', "x\ny" => 'v', 'x y' => 'v', 'x:y' => 'v', "x\ty" => 'v', "x\x0by" => 'v'] as $name => $value) {
            $this->expect('a field named ' . json_encode((string) $name), $with((string) $name, $value), [...$malformed, 'status 400']);
        }
        foreach (["a\rb", "a\nb", "a\0b", ' a', 'a ', "\ta"] as $value) {
            $this->expect('a value ' . json_encode($value), $with('x', $value), [...$malformed, 'status 400']);
        }
        foreach (['connection' => 'close', 'keep-alive' => '1', 'proxy-connection' => 'close', 'transfer-encoding' => 'chunked', 'upgrade' => 'h2c', 'te' => 'gzip'] as $name => $value) {
            $this->expect("the field $name: $value", $with($name, $value), $malformed);
        }
        $this->expect('te: trailers', $with('te', 'trailers'), 'status 200');
        $base = [':method' => 'GET', ':scheme' => 'http', ':path' => '/', ':authority' => 'a'];
        $fields = static fn (array $changed): string => P::frame(P::HEADERS, $head, 1, P::block(array_map(null, array_map(strval(...), array_keys($changed)), array_values($changed))));
        foreach ([':method', ':scheme', ':path'] as $missing) {
            $this->expect("no $missing", $fields(array_diff_key($base, [$missing => 0])), $malformed);
        }
        $this->expect('no authority and no host', $fields(array_diff_key($base, [':authority' => 0])), [...$malformed, 'status 400']);
        foreach ([':method', ':path', ':scheme', ':authority'] as $name) {
            $this->expect("$name twice", P::get(1, '/', [[$name, $base[$name]]]), $malformed);
        }
        $this->expect('a pseudo field behind another', P::frame(P::HEADERS, $head, 1, P::block([[':method', 'GET'], [':scheme', 'http'], ['x', 'y'], [':path', '/'], [':authority', 'a']])), $malformed);
        $this->expect('an unknown pseudo field', $fields([':strange' => 'x'] + $base), $malformed);
        $this->expect(':status in a request', $fields([':status' => '200'] + $base), $malformed);
        $this->expect('an empty :path', $fields([':path' => ''] + $base), $malformed);
        foreach (['no-slash', '//../x', "/a\rb", "/a\nb", '/a b', "/a\0b", '/%00', '/%zz', '/a#b', '/a\\b', '/a?\\', '*'] as $path) {
            $expected = $path === '//../x' ? ['status 200'] : [...$malformed, 'status 400'];
            $this->expect('the path ' . json_encode($path), $fields([':path' => $path] + $base), $expected);
        }
        foreach (["G\rET", 'G ET', '', "GE\0T"] as $method) {
            $this->expect('the method ' . json_encode($method), $fields([':method' => $method] + $base), [...$malformed, 'status 400']);
        }
        foreach (["a\rb", 'a b', "a\0b"] as $authority) {
            $this->expect('the authority ' . json_encode($authority), $fields([':authority' => $authority] + $base), [...$malformed, 'status 400']);
        }
        foreach (['user@a', 'user:secret@a:80', '@a'] as $authority) {
            $this->expect("user information: $authority", $fields([':authority' => $authority] + $base), $malformed);
        }
        foreach (['a:99999', 'a:b', '[::1', 'a,b'] as $authority) {
            $this->expect("the authority $authority", $fields([':authority' => $authority] + $base), 'status 400');
        }
        $this->expect('the authority [::1]:80', $fields([':authority' => '[::1]:80'] + $base), 'status 200');
        $this->expect('user information in a host alone', P::frame(P::HEADERS, $head, 1, P::block([[':method', 'GET'], [':scheme', 'http'], [':path', '/'], ['host', 'user@a']])), 'status 400');
        $this->expect('two boundaries', P::post(1, '/length', [['content-type', 'multipart/form-data; boundary=x; boundary=y']]) . P::frame(P::DATA, P::END_STREAM, 1, '--x--'), 'status 400');
        $this->expect('a method in lower case', $fields([':method' => 'get'] + $base), 'status 501');
        $this->expect('TRACE', $fields([':method' => 'TRACE'] + $base), 'status 501');
        $this->expect('CONNECT', P::frame(P::HEADERS, $head, 1, P::block([[':method', 'CONNECT'], [':authority', 'a:1']])), 'status 501');
        $this->expect('OPTIONS *', $fields([':method' => 'OPTIONS', ':path' => '*'] + $base), 'status 200');
        $this->expect('a host that differs', P::get(1, '/', [['host', 'b']]), 'status 400');
        $this->expect('a host that does not', P::get(1, '/', [['host', 'a']]), 'status 200');
        $this->expect('a host alone', P::frame(P::HEADERS, $head, 1, P::block([[':method', 'GET'], [':scheme', 'http'], [':path', '/'], ['host', 'b']])), 'status 200');

        $peer = new P($server->address());
        $peer->send(P::get(1, '/seen', [['x-real-ip', 'good'], ['x_real_ip', 'bad'], ['x.real.ip', 'bad'], ['proxy', 'http://evil'], ['cookie', '__%48ost-a=1; __Host-b=2; ..Host-c=3']]));
        $peer->until(static fn (P $peer): bool => $peer->over(1));
        $seen = json_decode($peer->body(1), true);
        $this->same('names that would become the same variable', [['x-real-ip' => 'good', 'host' => 'a'], ['__Host-b' => '2']], [$seen['header'] ?? null, $seen['cookie'] ?? null]);
        $peer->close();
    }

    public function testContentLength(): void
    {
        [$malformed, $server] = [self::$malformed, self::$server];
        $length = static fn (string $length): string => P::post(1, '/length', [['content-length', $length]]);
        $this->expect('less than the length', $length('5') . P::frame(P::DATA, P::END_STREAM, 1, 'abc'), $malformed);
        $this->expect('more than the length', $length('2') . P::frame(P::DATA, P::END_STREAM, 1, 'abc'), $malformed);
        $this->expect('a length without a body', P::get(1, '/', [['content-length', '3']]), $malformed);
        $this->expect('two lengths', P::post(1, '/length', [['content-length', '3'], ['content-length', '3']]) . P::frame(P::DATA, P::END_STREAM, 1, 'abc'), $malformed);
        $this->expect('a signed length', $length('+3') . P::frame(P::DATA, P::END_STREAM, 1, 'abc'), $malformed);
        $this->expect('the right length', $length('3') . P::frame(P::DATA, P::END_STREAM, 1, 'abc'), 'status 200');

        $this->expect('the server serves', P::get(1), 'status 200');
        $this->same('nothing was logged', '', $server->output());
    }

    /** Sends bytes behind a good start, and looks at what becomes of the stream or the connection. @param string|list<string> $expected */
    private function expect(string $name, string $bytes, string|array $expected, int $stream = 1, ?array $settings = []): void
    {
        $server = self::$server;
        $peer = new P($server->address(), $settings);
        $peer->send($bytes);
        $outcome = $peer->outcome($stream);
        $this->check("$name -> " . implode(' or ', (array) $expected), in_array($outcome, (array) $expected, true), "$outcome\n" . bin2hex(substr($peer->received(), 0, 200)));
        $peer->close();
    }
}
