<?php

declare(strict_types=1);

/* The checks of hooks_curl_test.php: everything of ext-curl, 50 at once. */

use Swoole\Coroutine;

/** @var array{http: int, http2: int, file: string, autoload: string} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const AT_ONCE = 50;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function outcome(callable $work, int $i): mixed
{
    try {
        return $work($i);
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
}

/** Each takes 0.2 s of waiting. */
function atOnce(string $name, callable $work, mixed $expected): void
{
    $results = [];
    $start = microtime(true);
    Coroutine\run(static function () use ($work, &$results): void {
        for ($i = 0; $i < AT_ONCE; $i++) {
            Coroutine::create(static function () use ($work, $i, &$results): void {
                $results[] = outcome($work, $i);
            });
        }
    });
    $took = microtime(true) - $start;
    check("$name, " . AT_ONCE . ' at once', array_fill(0, AT_ONCE, $expected), $results);
    check("$name: they overlap", true, $took < AT_ONCE * 0.2 / 3 ?: sprintf('%.1f s', $took));
    check("$name, outside coroutines", $expected, outcome($work, 0));
}

/** @param array<int, mixed> $options */
function handle(string $url, array $options = []): CurlHandle
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 20] + $options);
    return $curl;
}

$slow = "http://127.0.0.1:$at[http]/sleep";
$echo = "http://127.0.0.1:$at[http]/echo";
atOnce('curl_exec', static fn (): mixed => curl_exec(handle($slow)), 'slept');
// libcurl puts SIGPIPE aside around its calls; what the script wants of it stays.
$caught = [];
Coroutine\run(static function () use ($echo, &$caught): void {
    pcntl_signal(SIGPIPE, static function () use (&$caught): void { $caught[] = 'caught'; });
    curl_exec(handle($echo));
    posix_kill(getmypid(), SIGPIPE);
    pcntl_signal_dispatch();
    pcntl_signal(SIGPIPE, SIG_IGN);
    curl_exec(handle($echo));
    posix_kill(getmypid(), SIGPIPE);
    pcntl_signal_dispatch();
    $caught[] = pcntl_signal_get_handler(SIGPIPE);
});
check('SIGPIPE is as the script has set it, also behind transfers', ['caught', SIG_IGN], $caught);
atOnce('a write callback that waits', static function () use ($slow): mixed {
    $got = '';
    $done = curl_exec(handle($slow, [CURLOPT_WRITEFUNCTION => static function (CurlHandle $curl, string $bytes) use (&$got): int {
        usleep(10_000);
        $got .= $bytes;
        return strlen($bytes);
    }]));
    return [$done, $got];
}, [true, 'slept']);
atOnce('header and progress callbacks', static function () use ($slow): mixed {
    $headers = $progress = 0;
    $body = curl_exec(handle($slow, [CURLOPT_NOPROGRESS => false, CURLOPT_HEADERFUNCTION => static function (CurlHandle $curl, string $line) use (&$headers): int {
        $headers++;
        return strlen($line);
    }, CURLOPT_XFERINFOFUNCTION => static function () use (&$progress): int {
        $progress++;
        return 0;
    }]));
    return [$body, $headers > 2, $progress > 0];
}, ['slept', true, true]);
atOnce('a read callback that waits, as an upload', static function (int $i) use ($echo): mixed {
    $left = 5;
    $body = curl_exec(handle($echo, [CURLOPT_UPLOAD => true, CURLOPT_INFILESIZE => 5000, CURLOPT_CUSTOMREQUEST => 'POST', CURLOPT_READFUNCTION => static function (CurlHandle $curl, mixed $stream, int $length) use (&$left): string {
        usleep(40_000);
        return $left-- > 0 ? str_repeat('u', 1000) : '';
    }]));
    return str_contains((string) $body, str_repeat('u', 5000)) ?: $body;
}, true);
atOnce('a file as the body of a PUT', static function () use ($echo, $at): mixed {
    usleep(200_000);
    $file = fopen($at['file'], 'r');
    $body = curl_exec(handle($echo, [CURLOPT_PUT => true, CURLOPT_INFILE => $file, CURLOPT_INFILESIZE => filesize($at['file']), CURLOPT_CUSTOMREQUEST => 'POST']));
    return str_contains((string) $body, (string) file_get_contents($at['file'])) ?: $body;
}, true);
atOnce('a form with a file', static function () use ($echo, $at): mixed {
    usleep(200_000);
    curl_exec($curl = handle($echo, [CURLOPT_POSTFIELDS => ['field' => 'value', 'file' => new CURLFile($at['file'])]]));
    return [curl_errno($curl), curl_getinfo($curl, CURLINFO_RESPONSE_CODE)];
}, [0, 200]);
atOnce('curl_multi with select', static function () use ($slow): mixed {
    $multi = curl_multi_init();
    $handles = [handle($slow), handle($slow), handle($slow)];
    array_map(static fn (CurlHandle $curl): int => curl_multi_add_handle($multi, $curl), $handles);
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi, 5.0);
    } while ($running > 0);
    $ended = 0;
    while (curl_multi_info_read($multi) !== false) {
        $ended++;
    }
    return [$ended, array_map(curl_multi_getcontent(...), $handles)];
}, [3, ['slept', 'slept', 'slept']]);
// Whoever finds that another's transfer has ended may send the next request through its connection while the other is still to be woken.
$contents = [];
Coroutine\run(static function () use ($slow, &$contents): void {
    $multi = curl_multi_init();
    $first = handle($slow);
    $second = handle($slow);
    $transfer = static function () use ($multi): void {
        do {
            curl_multi_exec($multi, $running);
            curl_multi_select($multi, 5.0);
        } while ($running > 0);
    };
    curl_multi_add_handle($multi, $first);
    Coroutine::create($transfer);
    while (curl_getinfo($first, CURLINFO_REQUEST_SIZE) === 0) {
        usleep(1000);
    }
    do {
        curl_multi_exec($multi, $running);
    } while ($running > 0);
    curl_multi_add_handle($multi, $second);
    $contents = [outcome($transfer, 0), curl_multi_getcontent($first), curl_multi_getcontent($second), curl_getinfo($second, CURLINFO_NUM_CONNECTS)];
});
check('curl_multi, a connection that another coroutine waits for', [null, 'slept', 'slept', 0], $contents);
// A handle in which another coroutine waits stays as it is: its transfer reads the options.
$calls = ['curl_setopt' => [CURLOPT_HTTPHEADER, ['C: d']], 'curl_setopt_array' => [[CURLOPT_POSTFIELDS => 'other']], 'curl_reset' => [], 'curl_exec' => []];
$seen = [];
Coroutine\run(static function () use ($slow, $calls, &$seen): void {
    $refusal = static fn (callable $call): string => substr((string) outcome($call, 0), 0, 55);
    $curl = handle($slow, [CURLOPT_HTTPHEADER => ['A: b'], CURLOPT_POSTFIELDS => 'body']);
    $waiter = Coroutine::create(static function () use ($curl, &$received): void {
        $received = curl_exec($curl);
    });
    foreach ($calls as $function => $arguments) {
        $seen[] = $refusal(static fn (): mixed => $function($curl, ...$arguments));
    }
    $seen[] = $refusal(static fn (): mixed => curl_multi_add_handle(curl_multi_init(), $curl));
    curl_close($curl);
    Coroutine::join([$waiter]);
    array_push($seen, $received, curl_setopt($curl, CURLOPT_HTTPHEADER, ['C: d']), curl_exec($curl));
});
check('a handle in which another coroutine waits', [...array_fill(0, 5, 'Swoole\Error: The curl handle has already been bound to'), 'slept', true, 'slept'], $seen);
$share = curl_share_init();
foreach ([CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_COOKIE, CURL_LOCK_DATA_SSL_SESSION] as $what) {
    curl_share_setopt($share, CURLSHOPT_SHARE, $what);
}
atOnce('a shared cache of names, cookies and sessions', static fn (): mixed => curl_exec(handle($slow, [CURLOPT_SHARE => $share, CURLOPT_COOKIEFILE => ''])), 'slept');
atOnce('a name that is looked up', static fn (): mixed => curl_exec(handle(str_replace('127.0.0.1', 'localhost', $slow), [CURLOPT_IPRESOLVE => CURL_IPRESOLVE_V4, CURLOPT_DNS_CACHE_TIMEOUT => 0])), 'slept');
atOnce('HTTP/2', static function () use ($at): mixed {
    usleep(200_000);
    $body = curl_exec($curl = handle("http://127.0.0.1:$at[http2]/file.txt", [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE]));
    return [$body, curl_getinfo($curl, CURLINFO_HTTP_VERSION)];
}, ["over two\n", CURL_HTTP_VERSION_2]);
atOnce('a time limit', static function () use ($slow): mixed {
    curl_exec($curl = handle("$slow?long", [CURLOPT_TIMEOUT_MS => 150]));
    usleep(50_000);
    return curl_errno($curl);
}, CURLE_OPERATION_TIMEDOUT);
atOnce('an error', static function (): mixed {
    usleep(200_000);
    curl_exec($curl = handle('http://127.0.0.1:1/'));
    return [curl_errno($curl), curl_getinfo($curl, CURLINFO_RESPONSE_CODE)];
}, [CURLE_COULDNT_CONNECT, 0]);

require __DIR__ . '/http_libraries.php';
