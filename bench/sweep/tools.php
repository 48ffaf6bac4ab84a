<?php

declare(strict_types=1);

namespace Stampede\Bench\Sweep;

/** How often a workload does what it is for: the long form's number, or a fiftieth of it. */
function times(int $number): int
{
    return max(2, (int) ($number * (float) (getenv('SWEEP_SCALE') ?: 1)));
}

/** CPU seconds of this process and of its children that have ended. */
function cpu(): float
{
    $sum = 0.0;
    foreach ([0, 1] as $who) {
        $usage = getrusage($who);
        $sum += $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'] + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
    }
    return $sum;
}

/** CPU seconds that belong to a client of a server and are not counted. */
final class Apart
{
    public static float $cpu = 0.0;
}

/** Runs the server until the client, a process of its own whose work does not count, has ended. */
function serve(\Swoole\Server $server, callable $client, array $settings = []): void
{
    $server->set($settings + ['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING, 'package_max_length' => 64 << 20]);
    $pid = 0;
    $report = tempnam(sys_get_temp_dir(), 'sweep');
    $server->on('managerStart', static function (\Swoole\Server $server) use ($client, $report, &$pid): void {
        $pid = pcntl_fork();
        if ($pid !== 0) {
            return;
        }
        $said = '';
        try {
            $client($server->port, $server);
        } catch (\Throwable $error) {
            $said = $error->getMessage();
        }
        file_put_contents($report, json_encode([cpu(), $said]));
        posix_kill($server->master_pid, SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    });
    $server->start();
    pcntl_waitpid((int) $pid, $status);  // what the server has not waited for is not in the sum that its time is taken from
    [$cpu, $said] = json_decode((string) file_get_contents($report), true) ?? [0.0, 'the client has not ended'];
    unlink($report);
    if ($said !== '') {
        throw new \RuntimeException($said);
    }
    Apart::$cpu += $cpu;
}

/** @return resource */
function connect(int|string $address, array $context = []): mixed
{
    $address = is_int($address) ? "tcp://127.0.0.1:$address" : $address;
    $socket = stream_socket_client($address, $number, $message, 10, STREAM_CLIENT_CONNECT, stream_context_create($context));
    if ($socket === false) {
        throw new \RuntimeException("$address: $message");
    }
    stream_set_timeout($socket, 20);
    return $socket;
}

function read(mixed $socket, int $size): string
{
    $data = '';
    while (strlen($data) < $size) {
        $more = fread($socket, $size - strlen($data));
        if ($more === '' || $more === false) {
            throw new \RuntimeException('The connection ended after ' . strlen($data) . " of $size bytes.");
        }
        $data .= $more;
    }
    return $data;
}

function write(mixed $socket, string $data): void
{
    for ($done = 0; $done < strlen($data); $done += $count) {
        $count = fwrite($socket, $done === 0 ? $data : substr($data, $done));
        if (!$count) {
            throw new \RuntimeException('The connection takes nothing any more.');
        }
    }
}

/** The body of an HTTP response that has to be a 200. */
function response(mixed $socket): string
{
    $head = (string) fgets($socket);
    if (!str_contains($head, ' 200 ')) {
        throw new \RuntimeException("A response began with '$head'.");
    }
    $length = 0;
    $chunked = false;
    while (($line = (string) fgets($socket)) !== "\r\n") {
        if (stripos($line, 'content-length:') === 0) {
            $length = (int) substr($line, 15);
        } elseif (stripos($line, 'transfer-encoding: chunked') === 0) {
            $chunked = true;
        }
    }
    if (!$chunked) {
        return $length > 0 ? read($socket, $length) : '';
    }
    $body = '';
    while (($size = hexdec(trim((string) fgets($socket)))) > 0) {
        $body .= substr(read($socket, $size + 2), 0, -2);
    }
    fgets($socket);
    return $body;
}

/** A client that sends the same request over a few connections, and looks at the size of the bodies. */
function requests(string $request, int $count, ?int $size = null, int $connections = 4): callable
{
    return static function (int $port) use ($request, $count, $size, $connections): void {
        $sockets = array_map(static fn () => connect($port), range(1, $connections));
        for ($done = 0; $done < $count; $done += $connections) {
            foreach ($sockets as $socket) {
                write($socket, $request);
            }
            foreach ($sockets as $socket) {
                $got = strlen(response($socket));
                if ($size !== null && $got !== $size) {
                    throw new \RuntimeException("A body had $got bytes instead of $size.");
                }
            }
        }
    };
}

/** Writes to each of a few connections, then reads so much from each. */
function echoes(string $message, int $size, int $count, int $connections = 4, string $address = ''): callable
{
    return static function (int $port) use ($message, $size, $count, $connections, $address): void {
        $sockets = array_map(static fn () => connect($address ?: $port), range(1, $connections));
        for ($done = 0; $done < $count; $done += $connections) {
            foreach ($sockets as $socket) {
                write($socket, $message);
            }
            foreach ($sockets as $socket) {
                read($socket, $size);
            }
        }
    };
}

/** @return resource an upgraded connection */
function websocket(int $port, string $fields = ''): mixed
{
    $socket = connect($port);
    write($socket, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n$fields\r\n");
    while (!in_array(fgets($socket), ["\r\n", false], true));
    return $socket;
}

function frame(string $data, int $first = 0x81): string
{
    $size = strlen($data);
    $head = match (true) {
        $size < 126 => pack('CC', $first, 0x80 | $size),
        $size < 65536 => pack('CCn', $first, 0xfe, $size),
        default => pack('CCJ', $first, 0xff, $size),
    };
    return "{$head}mask" . ($data ^ str_repeat('mask', intdiv($size, 4) + 1));
}

function read_frame(mixed $socket): string
{
    $size = ord(read($socket, 2)[1]) & 127;
    $size = match ($size) {
        126 => unpack('n', read($socket, 2))[1],
        127 => unpack('J', read($socket, 8))[1],
        default => $size,
    };
    return $size > 0 ? read($socket, $size) : '';
}

/** A Swoole\Http\Server on a free port. */
function http(callable $handler, int $sock_type = SWOOLE_SOCK_TCP, string $address = '127.0.0.1'): \Swoole\Http\Server
{
    $server = new \Swoole\Http\Server($address, 0, SWOOLE_PROCESS, $sock_type);
    $server->on('request', $handler);
    return $server;
}

/** A file that is there as long as this process, in memory where that is possible: what a disk costs changes from minute to minute. */
function scratch(string $content = ''): string
{
    $file = tempnam(is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir(), 'sweep');
    file_put_contents($file, $content);
    $owner = getmypid();
    register_shutdown_function(static fn () => getmypid() === $owner && @unlink($file));
    return $file;
}

/** @return array<string, \Closure> */
function workloads(): array
{
    $all = [];
    foreach (glob(__DIR__ . '/workloads/*.php') ?: [] as $file) {
        foreach (require $file as $name => $workload) {
            $all[basename($file, '.php') . ".$name"] = $workload;
        }
    }
    return $all;
}
