--TEST--
Response::create() for a request with enable_compression: whole bodies and bodies in pieces are compressed for a peer that takes it
--SKIPIF--
<?php if (!function_exists('gzdecode')) echo 'skip needs zlib'; ?>
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Http\{Request, Response};

/** What a peer is sent: status line with fields, and the body without chunks. */
function answered(array $options, string $accepts, callable $answer): array
{
    [$own, $peer] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $request = Request::create($options);
    $request->parse("GET / HTTP/1.1\r\nHost: a\r\n{$accepts}\r\n");
    $socket = Socket::import($own);
    $answer(Response::create([$socket, $request]));
    $socket->close();
    unset($socket, $own);
    [$head, $body] = explode("\r\n\r\n", stream_get_contents($peer), 2);
    if (stripos($head, 'chunked') !== false) {
        for ($text = '', $at = 0; ($size = hexdec(strtok(substr($body, $at), "\r"))) > 0; $at += strlen(dechex($size)) + $size + 4) {
            $text .= substr($body, $at + strlen(dechex($size)) + 2, $size);
        }
        $body = $text;
    }
    preg_match('/^Content-Encoding: (\S+)/mi', $head, $coding);
    preg_match('/^Vary: (\S+)/mi', $head, $vary);
    return [$coding[1] ?? 'none', $vary[1] ?? 'none', $body];
}

Coroutine\run(function (): void {
    $text = str_repeat('a line of text, ', 500);
    $whole = static fn (Response $response) => $response->end($text);
    $pieces = static function (Response $response) use ($text): void {
        $response->write(substr($text, 0, 100));
        $response->write(substr($text, 100));
        $response->end();
    };
    $image = static function (Response $response) use ($text): void {
        $response->header('Content-Type', 'image/png');
        $response->end($text);
    };
    $gzip = "Accept-Encoding: gzip\r\n";
    foreach ([
        'whole' => [['enable_compression' => true, 'compression_level' => 6], $gzip, $whole],
        'pieces' => [['enable_compression' => true], $gzip, $pieces],
        'not asked' => [['enable_compression' => true], '', $whole],
        'turned off' => [[], $gzip, $whole],
        'an image' => [['enable_compression' => true], $gzip, $image],
    ] as $name => $case) {
        [$coding, $vary, $body] = answered(...$case);
        echo "$name: $coding, Vary $vary, ", strlen($body) < 500 ? 'small, ' : '', ($coding === 'gzip' ? gzdecode($body) : $body) === $text ? "right\n" : "wrong\n";
    }
});
?>
--EXPECT--
whole: gzip, Vary Accept-Encoding, small, right
pieces: gzip, Vary Accept-Encoding, small, right
not asked: none, Vary none, right
turned off: none, Vary none, right
an image: none, Vary none, right
