<?php

declare(strict_types=1);

/*
 * What is no HTTP/1.1 request gets its error and the end of the connection, and never reaches the application;
 * what is one, in however odd a form, is served. One table a subject.
 */

namespace Stampede\Tests\E2e;

function line(string $line): string
{
    return "$line\r\nHost: a\r\n\r\n";
}

function fields(string $fields): string
{
    return "GET / HTTP/1.1\r\nHost: a\r\n$fields\r\n";
}

function post(string $fields, string $body): string
{
    return "POST / HTTP/1.1\r\nHost: a\r\n$fields\r\n$body";
}

function chunked(string $body): string
{
    return post("Transfer-Encoding: chunked\r\n", $body);
}

function body(Answer $answer): string
{
    return base64_decode($answer->seen()['body']);
}

final class http1_syntax_test extends EndToEndTest
{
    private static Server $server;

    public static function setUpBeforeClass(): void
    {
        self::$server = new Server('http1');
    }

    public function testTheRequestLine(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        foreach ([
            'a tab between the parts' => "GET\t/ HTTP/1.1",
            'two spaces' => 'GET  / HTTP/1.1',
            'two spaces before the version' => 'GET /  HTTP/1.1',
            'CR between the parts' => "GET\r/ HTTP/1.1",
            'LF between the parts' => "GET\n/ HTTP/1.1",
            'a space at the end' => 'GET / HTTP/1.1 ',
            'junk at the end' => 'GET / HTTP/1.1 x',
            'a space in the target' => 'GET /a b HTTP/1.1',
            'a line of spaces' => '    ',
            'a method with @' => 'G@T / HTTP/1.1',
            'a method with NUL' => "G\0T / HTTP/1.1",
            'a long method' => str_repeat('A', 300) . ' / HTTP/1.1',
            'HTTP/0.9' => 'GET /',
            'a target without a slash' => 'GET a HTTP/1.1',
            'GET *' => 'GET * HTTP/1.1',
            'a control byte in the target' => "GET /\x01 HTTP/1.1",
            'NUL in the target' => "GET /\0 HTTP/1.1",
            'DEL in the target' => "GET /\x7f HTTP/1.1",
            'a byte above 0x7f in the target' => "GET /\xe9 HTTP/1.1",
            'a fragment' => 'GET /a#b HTTP/1.1',
            'a backslash in the path' => 'GET /a\b HTTP/1.1',
            'a backslash in a long path' => 'GET /' . str_repeat('a', 100) . '\b HTTP/1.1',
            'a backslash in the query' => 'GET /a?b=\ HTTP/1.1',
            'a backslash in absolute-form' => 'GET http://b/a\b HTTP/1.1',
            'a broken escape' => 'GET /%zz HTTP/1.1',
            'an escaped NUL' => 'GET /a%00b HTTP/1.1',
            'user information' => 'GET http://u@b/ HTTP/1.1',
        ] as $name => $line) {
            $hostile->refused($name, line($line));
        }
        foreach (['http/1.1', 'HTTP/1.', 'HTTP/01.1', 'HTTP/ 1.1', 'HTTP/+1.1', 'HTTP/4294967297.1', 'HTTP/2.0', 'HTTP/0.9'] as $version) {
            $hostile->refused("the version $version", line("GET / $version"), [400, 505]);
        }
        $hostile->refused('HTTP/2.0', line('GET / HTTP/2.0'), [505]);
        $hostile->refused('a lower-case method', line('get / HTTP/1.1'), [501]);
        $hostile->refused('CONNECT', "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", [501]);
        $hostile->refused('TRACE', "TRACE / HTTP/1.1\r\nHost: a\r\nX-Secret: s3cr3t\r\n\r\n", [501]);
        $hostile->refused('a TLS hello', "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" . str_repeat("\x5a", 200));
        $hostile->refused('PROXY, text', "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n");
        $hostile->refused('PROXY, binary', "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" . str_repeat("\1", 12));
        $hostile->refused('thousands of empty lines', str_repeat("\r\n", 5000));
        $hostile->refused('a bare LF before the request', "\n");

        $hostile->served('one empty line before', "\r\n" . line('GET / HTTP/1.1'));
        $hostile->served('HTTP/1.2', line('GET / HTTP/1.2'), static fn (Answer $a): bool => $a->seen()['protocol'] === 'HTTP/1.1');
        foreach (['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'] as $type) {
            $form = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n";
            $asked = $type === 'application/x-www-form-urlencoded' ? 'a=b' : $form;
            $hostile->served("QUERY with $type", "QUERY / HTTP/1.1\r\nHost: a\r\nContent-Type: $type\r\nContent-Length: " . strlen($asked) . "\r\n\r\n$asked",
                static fn (Answer $a): bool => $a->seen()['method'] === 'QUERY' && body($a) === $asked && $a->seen()['post'] === null && $a->seen()['files'] === null);
        }
        $two = 'multipart/form-data; boundary=x; boundary=y';
        $hostile->refused('two boundaries', post("Content-Type: $two\r\nContent-Length: 7\r\n", '--x--' . "\r\n"));
        $hostile->refused('two boundaries in two fields', post("Content-Type: multipart/form-data; boundary=x\r\nContent-Type: multipart/mixed; boundary=y\r\nContent-Length: 7\r\n", '--x--' . "\r\n"));
        $hostile->refused('two boundaries of chunks', post("Content-Type: multipart/mixed; Boundary=x; boundary=x\r\nTransfer-Encoding: chunked\r\n", "5\r\n--x--\r\n0\r\n\r\n"));
        $hostile->served('an unknown method', line('BREW /pot HTTP/1.1'), static fn (Answer $a): bool => $a->seen()['method'] === 'BREW');
        $hostile->served('OPTIONS *', line('OPTIONS * HTTP/1.1'));
        $hostile->served(
            'absolute-form, whose authority wins',
            "GET http://b.example:81/x?y=1 HTTP/1.1\r\nHost: a\r\n\r\n",
            static fn (Answer $a): bool => $a->seen()['uri'] === '/x' && $a->seen()['query'] === 'y=1'
                && $a->seen()['header']['host'] === 'b.example:81',
        );
        $hostile->served(
            'absolute-form without a path',
            "GET http://b HTTP/1.1\r\nHost: a\r\n\r\n",
            static fn (Answer $a): bool => $a->seen()['uri'] === '/',
        );
        $hostile->served(
            'escaped line ends',
            line('GET /%0d%0aX-Injected:%20y HTTP/1.1'),
            static fn (Answer $a): bool => $a->field('x-injected') === null,
        );
        $hostile->served(
            'a line of 8000 octets',
            line('GET /' . str_repeat('a', 7986) . ' HTTP/1.1'),
            static fn (Answer $a): bool => strlen($a->seen()['uri']) === 7987,
        );
        $hostile->cut('half a request line', 'GET / HT');
        $hostile->cut('half a head', "GET / HTTP/1.1\r\nHost: a\r\nX");
    }

    public function testHost(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        foreach ([
            'no Host' => '',
            'two' => "Host: a\r\nHost: b\r\n",
            'two equal ones' => "Host: a\r\nHost: a\r\n",
            'a list' => "Host: a, b\r\n",
            'a space' => "Host: a b\r\n",
            'a slash' => "Host: a/b\r\n",
            'NUL' => "Host: a\0\r\n",
            'a bad port' => "Host: a:b\r\n",
            'a port too high' => "Host: a:65536\r\n",
            'user information' => "Host: u@a\r\n",
            'an empty value' => "Host:\r\n",
            'white space only' => "Host: \t\r\n",
            'half a bracket' => "Host: [::1\r\n",
            'two colons' => "Host: a:1:2\r\n",
            'an escape' => "Host: a%00b\r\n",
            'an empty label' => "Host: a..b\r\n",
        ] as $name => $host) {
            $hostile->refused("Host: $name", "GET / HTTP/1.1\r\n$host\r\n");
        }
        $hostile->servedAndClosed('no Host in 1.0', "GET / HTTP/1.0\r\n\r\n");
        foreach (['a:80', '[::1]:9501', '127.0.0.1', 'EXAMPLE.com.'] as $host) {
            $hostile->served("Host: $host", "GET / HTTP/1.1\r\nHost: $host\r\n\r\n", static fn (Answer $a): bool => $a->seen()['header']['host'] === $host);
        }
    }

    public function testFields(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        foreach ([
            'a space before the colon' => "X : y\r\n",
            'a tab before the colon' => "X\t: y\r\n",
            'a folded line' => "X: y\r\n z\r\n",
            'a line folded by a tab' => "X: y\r\n\tz\r\n",
            'no colon' => "X\r\n",
            'an empty name' => ": y\r\n",
            'a lone colon' => ":\r\n",
            'a control byte in a name' => "X\x01: y\r\n",
            'NUL in a name' => "X\0: y\r\n",
            'a byte above 0x7f in a name' => "X\xe9: y\r\n",
            'a delimiter in a name' => "X/Y: z\r\n",
            'NUL in a value' => "X: a\0b\r\n",
            'a bare CR in a value' => "X: a\rb\r\n",
            'a control byte in a value' => "X: a\x08b\r\n",
            'CR CR LF' => "X: y\r\r\n",
            'CR LF CR x' => "X: y\r\n\rx\r\n",
            'runs of CR' => "X: y\r\n\r\r\rZ: z\r\n",
            'LF at the end of a line' => "X: y\nZ: z\r\n",
        ] as $name => $lines) {
            $hostile->refused("fields: $name", fields($lines));
        }
        $hostile->refused('fields: white space before the first', "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
        $hostile->refused('fields: all lines end with LF', "GET / HTTP/1.1\nHost: a\n\n");
        $hostile->refused('fields: all lines end with CR', "GET / HTTP/1.1\rHost: a\r\r");
        $hostile->served(
            'obs-text, empty values, white space around',
            fields("X-A: caf\xe9\r\nX-B:\r\nX-C: \t v \t \r\n"),
            static fn (Answer $a): bool => $a->seen()['header']['x-b'] === '' && $a->seen()['header']['x-c'] === 'v',
        );
        $hostile->served('Connection: host', fields("Connection: host\r\n"), static fn (Answer $a): bool => $a->seen()['header']['host'] === 'a');
        $hostile->served('90 fields', fields(implode('', array_map(static fn (int $i): string => "X-$i: $i\r\n", range(1, 90)))));
        $hostile->served('the same field 80 times', fields(str_repeat("X: y\r\n", 80)));
        $hostile->served('odd names', fields("__proto__: 1\r\n0: 2\r\n18446744073709551616: 3\r\n"));
        $hostile->served(
            'names that would become the same variable',
            fields("X-Real-Ip: good\r\nX_Real_Ip: bad\r\nX.Real.Ip: bad\r\nProxy: http://evil\r\n"),
            static fn (Answer $a): bool => $a->seen()['header'] === ['host' => 'a', 'x-real-ip' => 'good'] && $a->seen()['env'] === false,
        );
        $hostile->served(
            'names of CGI variables',
            fields("Redirect-Status: 200\r\nScript-Filename: /etc/passwd\r\n"),
            static fn (Answer $a): bool => array_intersect($a->seen()['server'], ['redirect_status', 'script_filename']) === [],
        );
        $hostile->served(
            'cookies in disguise',
            fields("Cookie: ..Host-a=1; %5f_Host-b=2; __%53ecure-c=3; __Host-d=4; e=5\r\n"),
            static fn (Answer $a): bool => $a->seen()['cookie'] === ['__Host-d' => '4', 'e' => '5'],
        );
    }

    public function testContentLength(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        foreach (['-1', '-0', '+5', '0x5', '5.0', '1_0', '5 5', '5,6', '5,', '5;', '"5"', "\x0b5", "5\xa0", "5\0", '', '5,5'] as $value) {
            $hostile->refused("Content-Length: $value", post("Content-Length: $value\r\n", 'hello'));
        }
        foreach (['9223372036854775808', '18446744073709551621', str_repeat('9', 400), '4294967301'] as $value) {
            $hostile->refused("Content-Length: $value", post("Content-Length: $value\r\n", 'hello'), [400, 413]);
        }
        foreach ([
            'two different ones' => "Content-Length: 5\r\nContent-Length: 6\r\n",
            'empty, then valid' => "Content-Length:\r\nContent-Length: 5\r\n",
            'a folded one' => "Content-Length:\r\n 5\r\n",
            'a space before the colon' => "Content-Length : 5\r\n",
            'with a Transfer-Encoding' => "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            'behind a Transfer-Encoding' => "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        ] as $name => $lines) {
            $hostile->refused("length: $name", post($lines, "0\r\n\r\n"));
        }
        $hostile->served('`Content_Length` is not a length', post("Content_Length: 5\r\n", ''), self::bodyIs(''));
        $hostile->served('POST without a length', post('', ''), self::bodyIs(''));
        $every = implode('', array_map(chr(...), range(0, 255)));
        $hostile->served('every byte in a body', post("Content-Length: 256\r\n", $every), self::bodyIs($every));
        foreach (['GET', 'OPTIONS', 'DELETE'] as $method) {
            $hostile->served("the body of $method", "$method / HTTP/1.1\r\nHost: a\r\nContent-Length: 31\r\n\r\nGET /evil HTTP/1.1\r\nHost: e\r\n\r\n");
        }
        $hostile->cut('a short body', post("Content-Length: 10\r\n", 'hello'));
    }

    public function testTransferEncoding(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        $end = "5\r\nhello\r\n0\r\n\r\n";
        foreach (['xchunked', 'identity', 'chunked, chunked', 'chunked, gzip', '"chunked"', 'chunked;q=1', "\x0bchunked", "chunked\x0c", "\xa0chunked",
            "chunked\0", '', 'chunked,,', ', chunked', 'gzip, , chunked', 'chun ked'] as $value) {
            $hostile->refused("Transfer-Encoding: $value", post("Transfer-Encoding: $value\r\n", $end), [400, 501]);
        }
        foreach (['gzip, chunked', 'foo, chunked'] as $value) {
            $hostile->refused("Transfer-Encoding: $value", post("Transfer-Encoding: $value\r\n", $end), [501]);
        }
        foreach ([
            'twice' => "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            'a space before the colon' => "Transfer-Encoding : chunked\r\n",
            'folded' => "Transfer-Encoding:\r\n chunked\r\n",
            'hidden by LF' => "X: y\nTransfer-Encoding: chunked\r\n",
            'hidden by CR' => "X: y\rTransfer-Encoding: chunked\r\n",
            'empty, with a length' => "Transfer-Encoding:\r\nContent-Length: 5\r\n",
        ] as $name => $lines) {
            $hostile->refused("Transfer-Encoding: $name", post($lines, $end));
        }
        $hostile->refused('Transfer-Encoding in 1.0', "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n$end");
        $hostile->served('`Transfer_Encoding` is ignored', post("Transfer_Encoding: chunked\r\n", ''), self::bodyIs(''));
        $hostile->served('CHUNKED with tabs around', post("Transfer-Encoding:\tCHUNKED\t\r\n", $end), self::bodyIs('hello'));
    }

    public function testChunks(): void
    {
        $server = self::$server;
        $hostile = new Hostile($this, $server);
        foreach ([
            'an empty size' => "\r\nhello\r\n0\r\n\r\n",
            '0x5' => "0x5\r\nhello\r\n0\r\n\r\n",
            '+5' => "+5\r\nhello\r\n0\r\n\r\n",
            '-5' => "-5\r\nhello\r\n0\r\n\r\n",
            '5_0' => "5_0\r\nhello\r\n0\r\n\r\n",
            'g' => "g\r\nhello\r\n0\r\n\r\n",
            'a leading space' => " 5\r\nhello\r\n0\r\n\r\n",
            '5 5' => "5 5\r\nhello\r\n0\r\n\r\n",
            'NUL' => "5\0\r\nhello\r\n0\r\n\r\n",
            'data too long' => "5\r\nhello!\r\n0\r\n\r\n",
            'data ended by XX' => "5\r\nhelloXX0\r\n\r\n",
            'data ended by LF' => "5\r\nhello\n0\r\n\r\n",
            'data ended by CR x' => "5\r\nhello\rx0\r\n\r\n",
            'a size line ended by LF' => "5\nhello\r\n0\r\n\r\n",
            'a size line ended by CR x' => "5\rxhello\r\n0\r\n\r\n",
            'LF in an extension' => "5;a\nb\r\nhello\r\n0\r\n\r\n",
            'NUL in an extension' => "5;a\0\r\nhello\r\n0\r\n\r\n",
            'CR LF in a quoted extension' => "5;a=\"\r\n\"\r\nhello\r\n0\r\n\r\n",
            'LF in a quoted extension' => "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n",
            'the last chunk followed by x' => "0\r\nx\r\n\r\n",
            'a trailer without a colon' => "0\r\nX\r\n\r\n",
            'a trailer ended by LF' => "0\r\nX: y\n\r\n",
            'the end as LF' => "0\r\n\n",
        ] as $name => $body) {
            $hostile->refused("chunks: $name", chunked($body));
        }
        foreach (['17 digits' => '00000000000000005', 'all bits' => 'ffffffffffffffff', 'the top bit' => '8000000000000000', '64 digits' => str_repeat('f', 64)] as $name => $size) {
            $hostile->refused("chunks: $name", chunked("$size\r\nhello\r\n0\r\n\r\n"), [400, 413]);
        }
        $hostile->refused('chunks: an extension of 1 MiB', chunked('5;' . str_repeat('a', 1 << 20) . "\r\nhello\r\n0\r\n\r\n"));
        $hostile->refused('chunks: 20,000 extensions', chunked(str_repeat('1;' . str_repeat('a', 64) . "\r\nx\r\n", 20000) . "0\r\n\r\n"));
        $hostile->refused('chunks: trailers of 1 MiB', chunked("0\r\n" . str_repeat('X: ' . str_repeat('y', 1000) . "\r\n", 1024) . "\r\n"), [431]);
        foreach (['5;a', '5;a=b', '5; a = "b;c"', '5;a="\\""', '0005', '5;a;b=c'] as $size) {
            $hostile->served("the size line $size", chunked("$size\r\nhello\r\n0\r\n\r\n"), self::bodyIs('hello'));
        }
        $hostile->served(
            'trailers that would change the message',
            chunked("5\r\nhello\r\n0\r\nHost: evil\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\nAuthorization: y\r\n\r\n"),
            static fn (Answer $a): bool => body($a) === 'hello' && $a->seen()['header']['host'] === 'a' && !isset($a->seen()['header']['authorization']),
        );
        $start = microtime(true);
        $hostile->served('20,000 chunks of a byte', chunked(str_repeat("1\r\nx\r\n", 20000) . "0\r\n\r\n"), self::bodyIs(str_repeat('x', 20000)));
        $this->check('... within 3 s', microtime(true) - $start < 3.0);
        $hostile->cut('a chunked body cut in its data', chunked("5\r\nhe"));
        $hostile->cut('a chunked body cut before its last line', chunked("5\r\nhello\r\n0\r\n"));

        $this->same('the server is still the one that was started', true, $server->alive());
        $this->same('it ends with status 0', 0, $server->stop());
        $this->same('and has nothing to complain about', '', $server->output());
    }

    private static function bodyIs(string $body): callable
    {
        return static fn (Answer $answer): bool => body($answer) === $body;
    }
}
