<?php

declare(strict_types=1);

/* Both ends of bench/soak/uploads. usage: uploading.php serve PORT | upload PORT MINUTES */

namespace Stampede\Bench;

use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;

require __DIR__ . '/../lib/soak.php';

const AT_ONCE = 200;

function serve(int $port): void
{
    $server = new \Swoole\Http\Server('127.0.0.1', $port, SWOOLE_PROCESS);
    $server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_ERROR, 'package_max_length' => 8 << 20, 'backlog' => 1024]);
    $server->on('request', static function ($request, $response): void {
        $file = $request->files['file']['tmp_name'] ?? null;
        $response->end($file === null ? md5((string) $request->rawContent()) : md5_file($file) . ($request->post['name'] ?? ''));
    });
    $server->start();
}

/** One upload in one of the ways; what went wrong, or null. */
function upload(string $url, int $number, string $file, string $body): ?string
{
    $handle = curl_init($url);
    $expected = md5($body);
    $stream = null;
    if ($number % 3 === 0) {
        curl_setopt($handle, CURLOPT_POSTFIELDS, ['name' => "n$number", 'file' => new \CURLFile($file)]);
        $expected .= "n$number";
    } elseif ($number % 3 === 1) {
        $stream = fopen($file, 'r');
        curl_setopt_array($handle, [CURLOPT_PUT => true, CURLOPT_INFILE => $stream, CURLOPT_INFILESIZE => strlen($body)]);
    } else {
        $sent = 0;
        curl_setopt_array($handle, [CURLOPT_UPLOAD => true, CURLOPT_READFUNCTION => static function ($handle, $stream, int $most) use ($body, &$sent, $number): string {
            if ($number % 2 === 0) {
                Coroutine::sleep(0.001);
            }
            $piece = substr($body, $sent, $most);
            $sent += strlen($piece);
            return $piece;
        }]);
    }
    curl_setopt_array($handle, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60]);
    $got = curl_exec($handle);
    $error = curl_error($handle);
    if ($stream !== null) {
        fclose($stream);
    }
    return $got === $expected ? null : "way " . $number % 3 . ": $error " . var_export($got, true);
}

function private_kilobytes(): int
{
    preg_match_all('/^Private_\w+:\s+(\d+) kB/m', (string) file_get_contents('/proc/self/smaps_rollup'), $found);
    return (int) array_sum(array_map(intval(...), $found[1]));
}

/** @return int the exit status */
function run(int $port, float $minutes): int
{
    $file = (string) tempnam(sys_get_temp_dir(), 'stampede-soak-');
    $body = str_repeat(random_bytes(1024), 200);
    file_put_contents($file, $body);
    $soak = new Soak('uploads', $minutes);
    [$stop, $done, $errors, $number, $said] = [false, 0, 0, 0, 0];
    $group = new WaitGroup(AT_ONCE);
    for ($i = 0; $i < AT_ONCE; $i++) {
        Coroutine::create(static function () use (&$stop, &$done, &$errors, &$number, &$said, $group, $port, $file, $body): void {
            while (!$stop) {
                $wrong = upload("http://127.0.0.1:$port/", $number++, $file, $body);
                $wrong === null ? $done++ : $errors++;
                if ($wrong !== null && $said++ < 10) {
                    echo "$wrong\n";
                }
            }
            $group->done();
        });
    }
    [$seen, $failed] = [0, 0];
    for ($slice = 0; $slice < Soak::SLICES; $slice++) {
        Coroutine::sleep($soak->seconds_each());
        $soak->slice($done - $seen, $errors - $failed, private_kilobytes());
        [$seen, $failed] = [$done, $errors];
    }
    $stop = true;
    $ended = $group->wait(90);
    unlink($file);
    $left = count(scandir('/proc/self/fd') ?: []);
    printf("%d descriptors are left\n", $left);
    return !$ended || $left > 40 ? 1 : $soak->verdict();
}

if ($argv[1] === 'serve') {
    serve((int) $argv[2]);
    exit;
}
$status = 1;
Coroutine\run(static function () use ($argv, &$status): void {
    $status = run((int) $argv[2], (float) $argv[3]);
});
exit($status);
