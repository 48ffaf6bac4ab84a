--TEST--
Response fields: null and empty values, white space at the end, a type without a body, too large bodies
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/../server/once.inc';

$handler = static function ($request, $response): void {
    switch ($request->server['request_uri']) {
        case '/null':
            $response->header('X-A', 'set');
            $response->header('X-B', 'stays');
            $response->header('X-A', null);
            $response->header('Server', null);
            $response->header('Date', '');
            $response->end('x');
            break;
        case '/plain':
            $response->header('Content-Encoding', '');
            $response->end(str_repeat('text ', 100));
            break;
        case '/coded':
            $response->end(str_repeat('text ', 100));
            break;
        case '/length':
            $response->header('Content-Length', '');
            $response->end('no length');
            break;
        case '/space':
            $response->header('X-A', "value \r\n");
            $response->header('X-B', ["one\n", "two\t"]);
            var_dump($response->header('X-C', "split\r\nX-D: 1"));
            $response->end('x');
            break;
        case '/empty':
            $response->end();
            break;
        case '/moved':
            $response->redirect('/x');
            break;
        case '/none':
            $response->status(204);
            $response->end();
            break;
        case '/type':
            $response->header('Content-Type', '');
            $response->end('x');
            break;
        case '/trailer':
            $response->trailer('x-a', null);
            $response->trailer('x-b', 'b');
            $response->end('x');
            break;
        case '/large':
            $sent = $response->end(str_repeat('x', 1001));
            $code = swoole_last_error();
            $response->end(json_encode([$sent, $code]));
    }
};
serve($handler, ['output_buffer_size' => 1000, 'http_compression_min_length' => 20], static function (callable $ask): void {
    foreach (['null', 'plain', 'coded', 'length', 'space', 'empty', 'moved', 'none', 'type', 'trailer', 'large'] as $path) {
        [$head, $body] = explode("\r\n\r\n", $ask("GET /$path HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"), 2);
        $lines = array_slice(explode("\r\n", preg_replace('~(Date: )[^\r]+~', '$1now', $head)), 1);
        sort($lines);
        echo "$path: ", preg_replace('~(?<=gzip \| Content-Length: )\d+~', 'n', implode(' | ', array_map('trim', $lines))), ' => ', $path === 'coded' ? 'coded' : strlen($body) . ' ' . json_encode(substr($body, 0, 40)), "\n";
    }
});
?>
--EXPECTF--
Warning: Swoole\Http\Response::header(): the value of the header "X-C" holds a line break or another control character in %s on line %d
bool(false)

Warning: Swoole\Http\Response::end(): the body of 1001 bytes is larger than the option output_buffer_size (1000): raise it, or send the body in pieces with write() or from a file with sendfile() in %s on line %d
null: Connection: close | Content-Length: 1 | Content-Type: text/html | X-B: stays => 1 "x"
plain: Connection: close | Content-Length: 500 | Content-Type: text/html | Date: now | Server: stampede => 500 "text text text text text text text text "
coded: Connection: close | Content-Encoding: gzip | Content-Length: n | Content-Type: text/html | Date: now | Server: stampede | Vary: Accept-Encoding => coded
length: Connection: close | Content-Type: text/html | Date: now | Server: stampede | Transfer-Encoding: chunked => 19 "9\r\nno length\r\n0\r\n\r\n"
space: Connection: close | Content-Length: 1 | Content-Type: text/html | Date: now | Server: stampede | X-A: value | X-B: one | X-B: two => 1 "x"
empty: Connection: close | Content-Length: 0 | Content-Type: text/html | Date: now | Server: stampede => 0 ""
moved: Connection: close | Content-Length: 0 | Content-Type: text/html | Date: now | Location: /x | Server: stampede => 0 ""
none: Connection: close | Date: now | Server: stampede => 0 ""
type: Connection: close | Content-Length: 1 | Date: now | Server: stampede => 1 "x"
trailer: Connection: close | Content-Type: text/html | Date: now | Server: stampede | Transfer-Encoding: chunked => 19 "1\r\nx\r\n0\r\nx-b: b\r\n\r\n"
large: Connection: close | Content-Length: 12 | Content-Type: text/html | Date: now | Server: stampede => 12 "[false,1203]"
