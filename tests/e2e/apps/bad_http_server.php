<?php

declare(strict_types=1);

/*
 * A server that answers as its path says, mostly badly. Plain PHP without the extension: bad_http_server.php PORT. Each
 * answer is a generator of pieces; null closes at once, false waits for ever, true waits for the next request.
 */

$answer = static function (string $head, string $body, int $number): iterable {
    [$method, $path] = explode(' ', $head, 3);
    $ok = "HTTP/1.1 200 OK\r\n";
    switch (strtok($path, '?')) {
        case '/garbage':
            return ["\x16\x03\x01 this is no HTTP\r\n\r\n", null];
        case '/close':
            return [null];
        case '/silent':
            return [false];
        case '/half-head':
            return ["{$ok}Content-Le", null];
        case '/half-body':
            return ["{$ok}Content-Length: 100\r\n\r\nonly this", null];
        case '/stalled-body':
            return ["{$ok}Content-Length: 100\r\n\r\nonly this", false];
        case '/half-chunk':
            return ["{$ok}Transfer-Encoding: chunked\r\n\r\n10\r\nonly", null];
        case '/bad-chunk':
            return ["{$ok}Transfer-Encoding: chunked\r\n\r\nxyz\r\n", null];
        case '/two-lengths':
            return ["{$ok}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", null];
        case '/both-framings':
            return ["{$ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", true];
        case '/too-much':
            return ["{$ok}Content-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", true];
        case '/endless-head':
            return (static function () use ($ok): iterable {
                yield $ok;
                for (;;) {
                    yield str_repeat('X-Field: ' . str_repeat('x', 100) . "\r\n", 50);
                }
            })();
        case '/endless-line':
            return (static function () use ($ok): iterable {
                yield "{$ok}X-Long: ";
                for (;;) {
                    yield str_repeat('x', 4096);
                }
            })();
        case '/endless-interim':
            return (static function (): iterable {
                for (;;) {
                    yield "HTTP/1.1 100 Continue\r\n\r\n";
                }
            })();
        case '/endless-chunks':
            return (static function () use ($ok): iterable {
                yield "{$ok}Transfer-Encoding: chunked\r\n\r\n";
                for (;;) {
                    yield "1000\r\n" . str_repeat('y', 4096) . "\r\n";
                }
            })();
        case '/endless-extension':
            return (static function () use ($ok): iterable {
                yield "{$ok}Transfer-Encoding: chunked\r\n\r\n1;";
                for (;;) {
                    yield str_repeat('e', 4096);
                }
            })();
        case '/huge-length':
            return ["{$ok}Content-Length: 99999999999\r\n\r\n", false];
        case '/bomb':
            $bomb = (string) gzencode(str_repeat("\0", 64 << 20), 9);
            return ["{$ok}Content-Encoding: gzip\r\nContent-Length: " . strlen($bomb) . "\r\n\r\n$bomb", true];
        case '/bad-gzip':
            return ["{$ok}Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\nno gzip", true];
        case '/cut-gzip':
            $cut = substr((string) gzencode('hello hello hello'), 0, -9);
            return ["{$ok}Content-Encoding: gzip\r\nContent-Length: " . strlen($cut) . "\r\n\r\n$cut", true];
        case '/two-members':
            $chunks = array_map(static fn (string $member): string => dechex(strlen($member)) . "\r\n$member\r\n", [(string) gzencode('one '), (string) gzencode('two')]);
            return ["{$ok}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" . implode('', $chunks) . "0\r\n\r\n", true];
        case '/raw-deflate':
            $deflated = (string) gzdeflate('hello');
            return ["{$ok}Content-Encoding: deflate\r\nContent-Length: " . strlen($deflated) . "\r\n\r\n$deflated", true];
        case '/until-close':
            return ["{$ok}\r\nup to the end", null];
        case '/http10':
            return ["HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold", null];
        case '/interim':
            return ["HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n{$ok}Content-Length: 2\r\n\r\nok", true];
        case '/dribble':
            return str_split("{$ok}Transfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nT: u\r\n\r\n") + [99999 => true];
        case '/close-after':
            return ["{$ok}Content-Length: 1\r\n\r\n$number", null];  // kept alive by what it says
        case '/once':
            return $number === 1 ? ["{$ok}Content-Length: 1\r\n\r\n1", true] : [null];  // the second request finds it dead
        case '/cookies':
            return ["{$ok}Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=%20x; HttpOnly\r\nSet-Cookie: gone=; Max-Age=0\r\nContent-Length: 0\r\n\r\n", true];
        case '/no-upgrade':
            return ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: wrong\r\n\r\n", false];
        default:
            $said = "$head\r\n\r\n$body";
            return ["{$ok}Content-Type: text/plain\r\nContent-Length: " . strlen($said) . "\r\n\r\n" . ($method === 'HEAD' ? '' : $said), true];
    }
};

$listener = stream_socket_server("tcp://127.0.0.1:$argv[1]", $code, $message);
/** @var array<int, array{socket: resource, in: string, out: string, pieces: ?Iterator<mixed>, number: int}> $peers */
$peers = [];

$drop = static function (int $id) use (&$peers): void {
    fclose($peers[$id]['socket']);
    unset($peers[$id]);
};
// A whole request off the front of what came: its answer begins.
$begin = static function (int $id) use (&$peers, $answer): void {
    $peer = &$peers[$id];
    $end = strpos($peer['in'], "\r\n\r\n");
    if ($peer['pieces'] !== null || $end === false) {
        return;
    }
    $head = substr($peer['in'], 0, $end);
    $length = preg_match('~\r\nContent-Length: *(\d+)~i', $head, $found) === 1 ? (int) $found[1] : 0;
    if (strlen($peer['in']) < $end + 4 + $length) {
        return;
    }
    $pieces = $answer($head, substr($peer['in'], $end + 4, $length), ++$peer['number']);
    $peer['pieces'] = is_array($pieces) ? new ArrayIterator($pieces) : $pieces;
    $peer['in'] = substr($peer['in'], $end + 4 + $length);
};
// The next piece when the last is out. False when the connection is over.
$go_on = static function (int $id) use (&$peers, $begin): bool {
    $peer = &$peers[$id];
    while ($peer['out'] === '' && $peer['pieces'] !== null && $peer['pieces']->valid()) {
        $piece = $peer['pieces']->current();
        if ($piece === null) {
            return false;
        }
        if ($piece === false) {
            return true;
        }
        $peer['pieces']->next();
        if ($piece === true) {
            $peer['pieces'] = null;
            $begin($id);
            continue;
        }
        $peer['out'] = $piece;
    }
    return true;
};
for (;;) {
    $read = [-1 => $listener] + array_map(static fn (array $peer) => $peer['socket'], $peers);
    $write = array_map(static fn (array $peer) => $peer['socket'], array_filter($peers, static fn (array $peer): bool => $peer['out'] !== ''));
    $except = null;
    stream_select($read, $write, $except, null);
    foreach ($read as $id => $socket) {
        if ($id === -1) {
            $fresh = @stream_socket_accept($listener, 0);
            if ($fresh !== false) {
                stream_set_blocking($fresh, false);
                $peers[] = ['socket' => $fresh, 'in' => '', 'out' => '', 'pieces' => null, 'number' => 0];
            }
            continue;
        }
        $bytes = @fread($socket, 65536);
        if ($bytes === false || ($bytes === '' && feof($socket))) {
            $drop($id);
            unset($write[$id]);
            continue;
        }
        $peers[$id]['in'] .= $bytes;
        $begin($id);
        if (!$go_on($id)) {
            $drop($id);
            unset($write[$id]);
        }
    }
    foreach (array_keys($peers) as $id) {
        if ($peers[$id]['out'] === '') {
            continue;
        }
        $sent = @fwrite($peers[$id]['socket'], substr($peers[$id]['out'], 0, 65536));
        if ($sent === false) {
            $drop($id);
            continue;
        }
        $peers[$id]['out'] = substr($peers[$id]['out'], $sent);
        if (!$go_on($id)) {
            $drop($id);
        }
    }
}
