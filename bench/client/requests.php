<?php

declare(strict_types=1);

/*
 * Requests for a while, then "COUNT MICROSECONDS" of the process's own CPU time for them: requests.php PORT SECONDS WAY
 *   client: fifty Swoole\Coroutine\Http\Client at once    stream: one plain PHP stream, one request after the other
 */

$port = (int) $argv[1];
$seconds = (float) $argv[2];

function cpu(): float
{
    $usage = getrusage();
    return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
}

function by_client(int $port, float $seconds): int
{
    $count = 0;
    Swoole\Coroutine\run(static function () use ($port, $seconds, &$count): void {
        $end = hrtime(true) + (int) ($seconds * 1e9);
        for ($i = 0; $i < 50; $i++) {
            Swoole\Coroutine::create(static function () use ($port, $end, &$count): void {
                $client = new Swoole\Coroutine\Http\Client('127.0.0.1', $port);
                while (hrtime(true) < $end) {
                    if (!$client->get('/') || $client->body !== "Hello World\n") {
                        throw new RuntimeException("A request failed: $client->errMsg");
                    }
                    $count++;
                }
            });
        }
    });
    return $count;
}

function by_stream(int $port, float $seconds): int
{
    $count = 0;
    $end = hrtime(true) + (int) ($seconds * 1e9);
    $stream = stream_socket_client("tcp://127.0.0.1:$port");
    while (hrtime(true) < $end) {
        fwrite($stream, "GET / HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nConnection: keep-alive\r\n\r\n");
        $length = 0;
        $headers = [];
        while (($line = fgets($stream)) !== "\r\n") {
            if ($line === false) {
                throw new RuntimeException('The server closed the connection.');
            }
            [$name, $value] = explode(':', rtrim($line), 2) + [1 => ''];
            $headers[strtolower($name)] = ltrim($value);
        }
        $length = (int) $headers['content-length'];
        if (fread($stream, $length) !== "Hello World\n") {
            throw new RuntimeException('A request failed.');
        }
        $count++;
    }
    return $count;
}

$way = $argv[3] === 'client' ? by_client(...) : by_stream(...);
$way($port, 0.2);
$before = cpu();
$count = $way($port, $seconds);
echo $count, ' ', round(cpu() - $before), "\n";
