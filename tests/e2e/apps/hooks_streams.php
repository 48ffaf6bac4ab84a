<?php

declare(strict_types=1);

/*
 * The checks of hooks_streams_test.php: streams of all kinds. With "print" it only prints what each piece of work gives, so
 * that PHP without the extension, and with its flags off, can be compared byte for byte.
 */

/** @var array{certificate: string, key: string, print: bool, inside: bool, flags: bool} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const AT_ONCE = 50;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function outcome(callable $work, int $i): mixed
{
    set_error_handler(static fn (int $level, string $text): never => throw new ErrorException(preg_replace('~\d{4,}|[0-9a-f]{12}~', 'N', $text), 0, $level));
    try {
        return $work($i);
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    } finally {
        restore_error_handler();
    }
}

/** A child of plain PHP that does the other side's work after a while and prints what it got. */
function peer(string $code, string ...$arguments): mixed
{
    $process = proc_open([PHP_BINARY, '-n', '-r', $code, '--', ...$arguments], [['pipe', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']], $pipes);
    return [$process, $pipes];
}

function address(mixed $server): string
{
    return (string) stream_socket_get_name($server, false);
}

$folder = sys_get_temp_dir() . '/stampede-streams-' . getmypid();
mkdir($folder);
$tls = stream_context_create(['ssl' => ['local_cert' => $at['certificate'], 'local_pk' => $at['key'], 'verify_peer' => false, 'verify_peer_name' => false, 'allow_self_signed' => true]]);
$serverFor = static fn (string $scheme, int $i): string => match ($scheme) {
    'unix', 'udg' => "$scheme://$folder/$scheme$i",
    // Several sockets of UDP may get the same port, as streams set SO_REUSEADDR: each has an address of its own.
    'udp' => sprintf('udp://127.0.%d.%d:0', 1 + intdiv($i, 250), 1 + $i % 250),
    default => "$scheme://127.0.0.1:0",
};
/** @var array<string, callable> $works each takes about 0.2 s of waiting */
$works = [];
foreach (['tcp', 'unix', 'tls', 'ssl'] as $scheme) {
    // A server that waits for its client, and for what it says.
    $works["$scheme server"] = static function (int $i) use ($scheme, $serverFor, $tls): array {
        $server = stream_socket_server($serverFor($scheme, $i), $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $tls);
        $where = address($server);
        [$process, $pipes] = peer('usleep(200000); $c = stream_context_create(["ssl" => ["verify_peer" => false, "verify_peer_name" => false]]);
            $s = stream_socket_client($argv[1], $e, $m, 20, STREAM_CLIENT_CONNECT, $c); fwrite($s, "question\n"); echo fgets($s);', "$scheme://$where");
        $client = stream_socket_accept($server, 20);
        $question = fgets($client);
        fwrite($client, "answer\n");
        fclose($client);
        return [$question, fgets($pipes[1]), proc_close($process)];
    };
    $works["$scheme client"] = static function (int $i) use ($scheme, $folder, $at): array {
        $address = $scheme === 'unix' ? "unix://$folder/client$i" : "$scheme://127.0.0.1:0";
        [$process, $pipes] = peer('$c = stream_context_create(["ssl" => ["local_cert" => $argv[2], "local_pk" => $argv[3]]]);
            $s = stream_socket_server($argv[1], $e, $m, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $c); echo stream_socket_get_name($s, false), "\n";
            $l = stream_socket_accept($s, 20); $q = fgets($l); usleep(200000); fwrite($l, "to $q"); fwrite($l, str_repeat("x", 100000)); fclose($l);', $address, $at['certificate'], $at['key']);
        $where = trim((string) fgets($pipes[1]));
        $context = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
        $client = stream_socket_client("$scheme://$where", $code, $message, 20, STREAM_CLIENT_CONNECT, $context);
        fwrite($client, "question\n");
        return [fgets($client), strlen((string) stream_get_contents($client)), feof($client), stream_get_meta_data($client)['timed_out'], proc_close($process)];
    };
}
foreach (['udp', 'udg'] as $scheme) {
    $works["$scheme datagrams"] = static function (int $i) use ($scheme, $serverFor): array {
        $server = stream_socket_server($serverFor($scheme, $i), $code, $message, STREAM_SERVER_BIND);
        [$process] = peer('usleep(200000); $s = stream_socket_client($argv[1]); fwrite($s, "datagram");', "$scheme://" . address($server));
        return [stream_socket_recvfrom($server, 100), proc_close($process)];
    };
}
$works['time limit of a stream'] = static function (): array {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    stream_set_timeout($pair[0], 0, 200_000);
    return [fread($pair[0], 10), stream_get_meta_data($pair[0])['timed_out'], fwrite($pair[1], 'late'), fread($pair[0], 10)];
};
$works['non-blocking stream'] = static function (): array {
    usleep(200_000);
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    stream_set_blocking($pair[0], false);
    return [fread($pair[0], 10), fwrite($pair[1], 'text'), fread($pair[0], 10), fread($pair[0], 10), stream_get_meta_data($pair[0])['blocked']];
};
$works['crypto turned on later'] = static function () use ($at): array {
    [$process, $pipes] = peer('$c = stream_context_create(["ssl" => ["local_cert" => $argv[1], "local_pk" => $argv[2]]]);
        $s = stream_socket_server("tcp://127.0.0.1:0", $e, $m, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $c); echo stream_socket_get_name($s, false), "\n";
        $l = stream_socket_accept($s, 20); fgets($l); fwrite($l, "go\n"); usleep(200000); stream_socket_enable_crypto($l, true, STREAM_CRYPTO_METHOD_TLS_SERVER); fwrite($l, "secret\n"); fgets($l);', $at['certificate'], $at['key']);
    $client = stream_socket_client('tcp://' . trim((string) fgets($pipes[1])), $code, $message, 20, STREAM_CLIENT_CONNECT, stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
    fwrite($client, "start\n");
    $result = [fgets($client), stream_socket_enable_crypto($client, true, STREAM_CRYPTO_METHOD_TLS_CLIENT), fgets($client), stream_get_meta_data($client)['crypto']['protocol'] ?? null];
    fclose($client);
    return [...$result, proc_close($process)];
};
$works['stream_select on several'] = static function (): array {
    $one = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    [$process, $pipes] = peer('usleep(200000); echo "x"; fgets(STDIN);');
    $read = ['never' => $one[0], 'later' => $pipes[1]];
    $write = $except = null;
    $count = stream_select($read, $write, $except, 20);
    fwrite($pipes[0], "end\n");
    return [$count, array_keys($read), proc_close($process)];
};
$works['socket_select'] = static function (): array {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $pair);
    $read = [$pair[0]];
    $write = $except = null;
    $nothing = socket_select($read, $write, $except, 0, 200_000);
    socket_write($pair[1], 'text');
    $read = [$pair[0]];
    return [$nothing, socket_select($read, $write, $except, 1), socket_recv($pair[0], $data, 10, 0), $data];
};
$works['pipes of a child'] = static function (): array {
    $process = proc_open(['sh', '-c', 'sleep 0.2; cat; echo error >&2'], [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], 'through');
    fclose($pipes[0]);
    return [proc_get_status($process)['running'], stream_get_contents($pipes[1]), stream_get_contents($pipes[2]), proc_close($process)];
};
$works['refused'] = static function (): array {
    usleep(200_000);
    return [@stream_socket_client('tcp://127.0.0.1:1', $code, $message, 5), $code, $message, @fsockopen('unix:///nowhere/at/all', -1, $code, $message), $message];
};
$works['a warning'] = static function (): mixed {
    usleep(200_000);
    return fopen('http://127.0.0.1:1/', 'r');
};
$works['a bad certificate'] = static function () use ($at): mixed {
    usleep(200_000);
    [$process, $pipes] = peer('$c = stream_context_create(["ssl" => ["local_cert" => $argv[1], "local_pk" => $argv[2]]]);
        $s = stream_socket_server("tls://127.0.0.1:0", $e, $m, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $c); echo stream_socket_get_name($s, false), "\n"; @stream_socket_accept($s, 20);', $at['certificate'], $at['key']);
    try {
        return stream_socket_client('tls://' . trim((string) fgets($pipes[1])), $code, $message, 20);
    } finally {
        proc_close($process);
    }
};

if ($at['print']) {
    $printed = [];
    $all = static function () use ($works, &$printed): void {
        foreach ($works as $name => $work) {
            $printed[$name] = outcome($work, 0);
        }
    };
    if ($at['inside']) {
        Swoole\Runtime::setHookFlags($at['flags'] ? SWOOLE_HOOK_ALL : 0);
        Swoole\Coroutine\run($all);
    } else {
        $all();
    }
    echo json_encode($printed, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR), "\n";
} else {
    // ssl is tls by another name, and the last one is about an error.
    unset($works['ssl server'], $works['ssl client'], $works['a bad certificate']);
    foreach ($works as $name => $work) {
        $start = microtime(true);
        $expected = outcome($work, 1000);
        $alone = microtime(true) - $start;
        $results = [];
        $start = microtime(true);
        Swoole\Coroutine\run(static function () use ($work, &$results): void {
            for ($i = 0; $i < AT_ONCE; $i++) {
                Swoole\Coroutine::create(static function () use ($work, $i, &$results): void {
                    $results[] = outcome($work, $i);
                });
            }
        });
        $took = microtime(true) - $start;
        check("$name, " . AT_ONCE . ' at once', array_fill(0, AT_ONCE, $expected), $results);
        // The children that they start need the processor by themselves.
        check("$name: they overlap", true, $took < AT_ONCE * max(0.2, $alone) / 2 ?: sprintf('%.1f s, alone %.1f s', $took, $alone));
    }
}
exec('rm -rf ' . escapeshellarg($folder));
