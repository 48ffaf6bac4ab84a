<?php

declare(strict_types=1);

/* The isolation "process" of the command stampede: each request in a forked process of its own. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

/** @return list<int> processes below another one, and theirs */
function descendants(int $pid): array
{
    $found = [];
    foreach (glob('/proc/[0-9]*/stat') ?: [] as $file) {
        if (preg_match('/^(\d+) \(.*\) \S (\d+)/s', (string) @file_get_contents($file), $part) === 1 && (int) $part[2] === $pid) {
            array_push($found, (int) $part[1], ...descendants((int) $part[1]));
        }
    }
    return $found;
}

/**
 * The number of the worker and of the process that it forks from.
 *
 * @return array{int, int}
 */
function workerOf(int $server): array
{
    foreach (descendants($server) as $pid) {
        foreach (descendants($pid) as $below) {
            if (count(descendants($below)) > 0) {
                return [$pid, $below];
            }
        }
    }
    return [0, 0];
}

$exists = static function (string $path): bool {
    clearstatcache();
    return file_exists($path);
};
$isGone = static fn (int $pid): bool => !$exists("/proc/{$pid}") || preg_match('/^State:\s+Z/m', (string) @file_get_contents("/proc/{$pid}/status")) === 1;

$report = new Report();
$app = new Application('legacy');
$report->check('the application is served', $app->serve(['--workers=1', '--isolation=process', '--request-timeout=2', '--max-body=64M']), $app->output());
$report->check('the command says why', str_contains($app->output(), 'Isolation process: each request runs in a forked process'), $app->output());
foreach ([1, 2, 3] as $time) {
    $data = json_decode($app->ask('/?a[]=1', 'x=y&z[]=1', ['Content-Type: application/x-www-form-urlencoded'])[2], true) ?? [];
    $pids[] = array_pop($data);
    $report->same("functions, classes, statics and require_once are the request's own ({$time})", [1, 1, 'version 1', ['a' => ['1']], ['x' => 'y', 'z' => ['1']], '127.0.0.1'], $data);
}
$report->same('each request has a process of its own', 3, count(array_unique($pids)));
[$status, $head, $body] = $app->ask('/exit');
$report->same('exit', [404, 'not here', 2], [$status, $body, preg_match_all('/^Set-Cookie: (first=1|second=2)\r?$/m', $head)]);
[$status, , $body] = $app->ask('/fatal');
$report->same('a fatal error shows where it happened', [500, true, true], [$status, str_contains($body, 'Allowed memory size'), str_contains($body, 'class="here"')]);
[$status, , $body] = $app->ask('/declare');
$report->same('so does a function that is declared twice', [500, true, false], [$status, str_contains($body, 'Cannot redeclare'), str_contains($body, 'a part')]);
[$status, , $body] = $app->ask('/kill');
$report->same('a process that is killed', [500, true], [$status, str_contains($body, 'ended without a response')]);
$peer = new Peer("tcp://127.0.0.1:{$app->port}");
$peer->send(["GET /cut HTTP/1.1\r\nHost: a\r\n\r\n"]);
$bytes = $peer->readToEnd(10.0);
$report->check('one that is killed in its response cuts the connection', str_contains($bytes, 'a part') && !str_contains($bytes, "\r\n0\r\n\r\n"), $bytes);
$report->same('HEAD', [200, ''], [($answer = $app->ask('/', '', [], 'HEAD'))[0], $answer[2]]);
[$status, $head, $body] = $app->ask('/empty');
$report->same('204', [204, '', 0], [$status, $body, preg_match('/^(Content-Length|Transfer-Encoding)/mi', $head)]);

$peer = new Peer("tcp://127.0.0.1:{$app->port}");
$peer->send(["GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
$first = $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'part 1'), 5.0);
touch("{$app->folder}/seen");
$all = $peer->readToEnd(5.0);
$report->same('a part reaches the client before the next one is there', [true, false, "part 1\npart 2\npart 3\n"], [str_contains($first, 'part 1'), str_contains($first, 'part 2'), Answer::all($all, ['GET'])[0]->body ?? '']);

$large = hash_init('sha1');
for ($i = 0; $i < 20 << 20; $i += 1 << 16) {
    hash_update($large, str_repeat(pack('N', $i), 1 << 14));
}
$report->same('a response of 20 MiB', hash_final($large), sha1($app->ask('/large')[2]));
$body = random_bytes(1 << 20);
$body = str_repeat($body, 20);
$report->same('a body of 20 MiB', sha1($body), $app->ask('/input', $body, ['Content-Type: application/octet-stream'])[2]);
[$fields, $size, $isUpload, $sum, $path] = json_decode($app->upload('/upload')[2], true) ?? [null, null, null, null, ''];
$report->same('an uploaded file', [['field' => 'value'], 7, true, sha1('content')], [$fields, $size, $isUpload, $sum]);
$report->check('it is gone afterwards', $path !== '' && Server::until(5.0, static fn (): bool => !$exists($path)), $path);
preg_match('/"(\\\\\/tmp[^"]*)"/', $app->upload('/upload?kill')[2], $found);
$path = json_decode('"' . ($found[1] ?? '') . '"');
$report->check('that of a killed process as well', $path !== '' && Server::until(5.0, static fn (): bool => !$exists($path)), (string) $path);
[, $head, $body] = $app->ask('/session');
preg_match('/PHPSESSID=\w+/', $head, $session);
$report->same('a session', ['1', '2', '1'], [$body, $app->ask('/session', '', ['Cookie: ' . ($session[0] ?? '')])[2], $app->ask('/session')[2]]);

$began = microtime(true);
$peers = array_map(static fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 20));
foreach ($peers as $peer) {
    $peer->send(["GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
}
$good = array_filter($peers, static fn (Peer $peer): bool => (Answer::all($peer->readToEnd(10.0), ['GET'])[0]->body ?? '') === 'waited');
$took = microtime(true) - $began;
$report->check('20 requests that wait 0.3 s each take no 6 s in one worker', count($good) === 20 && $took < 3.0, count($good) . " in {$took} s");
$report->check('never more than 16 processes, then the stock alone', Server::until(5.0, static fn (): bool => count(descendants(workerOf($app->pid())[1])) === 3));
$began = microtime(true);
$report->same('a request that takes too long', 504, $app->ask('/slow')[0]);
$slow = (int) file_get_contents("{$app->folder}/slow");
$report->check('its process is killed', $slow > 0 && microtime(true) - $began < 6.0 && Server::until(5.0, static fn (): bool => $isGone($slow)));

$began = microtime(true);
$report->same('a program that the application leaves running does not hold its request', [200, 'started'], [($answer = $app->ask('/background'))[0], $answer[2]]);
$report->check('nor the end of its process', Server::until(5.0, static fn (): bool => str_contains($app->output(), '/background')) && microtime(true) - $began < 1.9, $app->output());

file_put_contents("{$app->folder}/config.php", "<?php \$config = ['name' => 'version 2'];");
$reload = proc_open([PHP_BINARY, '-r', 'posix_kill((int) $argv[1], SIGUSR1);', '--', (string) $app->pid()], [], $pipes);
[$oldWorker, $oldProgram] = workerOf($app->pid());
$failed = 0;
$report->check('reload: the processes of the worker before end', Server::until(10.0, static function () use ($app, $isGone, $oldProgram, &$failed): bool {
    $failed += (int) ($app->ask('/')[0] !== 200);
    return $isGone($oldProgram);
}));
$report->same('and no request is lost', 0, $failed);
proc_close($reload);
$report->check('the code is new', str_contains($app->ask('/')[2], 'version 2'));
[$worker, $program] = workerOf($app->pid());
posix_kill($program, SIGKILL);
$report->check('when the process that holds the application ends, the worker is replaced', $program !== 0 && Server::until(10.0, static fn (): bool => $isGone($worker) && $app->ask('/')[0] === 200), $app->output());
Server::until(5.0, static fn (): bool => workerOf($app->pid())[1] !== 0);
[$worker, $program] = workerOf($app->pid());
$below = descendants($worker);
posix_kill($worker, SIGKILL);
$report->check('when the worker is killed, its processes end', count($below) >= 3 && Server::until(10.0, static fn (): bool => array_filter($below, static fn (int $pid): bool => !$isGone($pid)) === []));
$report->check('and another one serves', Server::until(10.0, static fn (): bool => $app->ask('/')[0] === 200));
$all = descendants($app->pid());
[$status] = Application::run(['stop', $app->folder]);
$report->check('after stop no process is left', $status === 0 && count($all) >= 5 && Server::until(5.0, static fn (): bool => array_filter($all, static fn (int $pid): bool => !$isGone($pid)) === []));
$report->same('and no socket', [], glob(sys_get_temp_dir() . "/stampede-{$worker}-*.sock"));

$report->check('production hides errors', $app->serve(['--workers=1', '--isolation=process', '--env=prod']) && $app->ask('/fatal')[0] === 500 && !str_contains($app->ask('/fatal')[2], 'Allowed memory'), $app->output());
$app->stop();
file_put_contents("{$app->folder}/broken.php", '<?php throw new RuntimeException("no boot on purpose");');
$report->check('an application that does not boot ends the command with a sentence', !$app->serve(['--isolation=process', '--bridge=psr15', '--entry=broken.php']) && str_contains($app->output(), 'does not boot') && str_contains($app->output(), 'no boot on purpose'), $app->output());
unset($app);

// ---- the command check
$app = new Application('legacy');
[$status, $output] = Application::run(['check', $app->folder]);
$report->check('check: a function that is declared twice', $status === 1 && str_contains($output, 'Cannot redeclare counted()') && str_contains($output, 'Safe: process.'), $output);
$check = static function (string $code, array $more = []) use ($app): array {
    file_put_contents("{$app->folder}/public/index.php", "<?php {$code}");
    [$status, $output] = Application::run(['check', $app->folder, '--format=json', ...$more]);
    $facts = json_decode($output, true);
    return [$status, $facts['safe'] ?? null, array_column($facts['findings'] ?? [], 'kind'), implode(' ', array_column($facts['findings'] ?? [], 'text'))];
};
$report->same('check: nothing to find', [0, ['sequential', 'process'], [], ''], $check('header("A: b"); ini_set("precision", "3"); echo $x = ($x ?? 0) + 1; exit("text");'));
[$status, $safe, $kinds] = $check('throw new Exception("always");');
$report->same('check: a path that fails each time says nothing of isolation', [1, ['sequential', 'process'], ['failure']], [$status, $safe, $kinds]);
file_put_contents("{$app->folder}/kept.php", '<?php class Kept { public static array $all = []; }');
[$status, $safe, $kinds, $text] = $check('class_exists("Kept") || require __DIR__ . "/../kept.php"; Kept::$all[] = 1;', ['--path=/a', '--path=/b']);
$report->same('check: a static property that grows', [1, ['process'], ['state'], true], [$status, $safe, $kinds, str_contains($text, 'Kept::$all grew over 20 requests: 20 more entries')]);
[$status, $safe, $kinds] = $check('class_exists("Kept") || require __DIR__ . "/../kept.php"; Kept::$all === [] || throw new Exception("used"); Kept::$all[] = 1;');
$report->same('check: requests that fail after the first', [1, ['process'], ['later failure']], [$status, $safe, $kinds]);
file_put_contents("{$app->folder}/boots.php", '<?php $GLOBALS["kept"] = tmpfile(); return fn () => null;');
[$status, $output] = Application::run(['check', $app->folder, '--bridge=psr15', '--entry=boots.php']);
$report->check('check: an application that does not boot', $status === 1 && str_contains($output, 'does not boot') && str_contains($output, 'No isolation is safe'), $output);
unset($app);

// ---- the other bridges
$app = new Application('slim');
$report->check('Slim is served', $app->serve(['--workers=1', '--isolation=process']), $app->output());
[$status, $head, $body] = $app->ask('/hello/you?a=b', '', ['X-Given: field']);
$report->same('a routed request', [200, 'hello you a=b field', 2], [$status, $body, preg_match_all('/^X-Many: [12]\r?$/m', $head)]);
$report->same('an upload of PSR-7', [201, '[{"file":7},{"field":"value"},"\/form"]'], [($upload = $app->upload('/form'))[0], $upload[2]]);
$report->same('a large body', 1_000_000, strlen($app->ask('/large')[2]));
$report->check('check: Slim may handle many requests at once', ($checked = Application::run(['check', $app->folder, '--path=/hello/you']))[0] === 0 && str_contains($checked[1], 'Safe: coroutine, sequential, process.'), $checked[1]);
file_put_contents("{$app->folder}/app.php", str_replace('<?php', '<?php $GLOBALS["kept"] = tmpfile();', str_replace('declare(strict_types=1);', '', (string) file_get_contents("{$app->folder}/app.php"))));
$report->check('check: a file that the boot leaves open', ($checked = Application::run(['check', $app->folder, '--path=/hello/you']))[0] === 1 && str_contains($checked[1], 'leaves descriptor') && str_contains($checked[1], 'Safe: coroutine, sequential.'), $checked[1]);
unset($app);
$app = new Application('symfony');
$report->check('Symfony is served', $app->serve(['--workers=1', '--isolation=process', '--env=prod']), $app->output());
$report->same('a streamed response', "part 1\npart 2\npart 3\n", $app->ask('/stream')[2]);
$report->same('a file', (string) file_get_contents("{$app->folder}/src/Kernel.php"), $app->ask('/file')[2]);
$report->same('a part of a file', [206, substr((string) file_get_contents("{$app->folder}/src/Kernel.php"), 2, 5)], [($part = $app->ask('/file', '', ['Range: bytes=2-6']))[0], $part[2]]);
unset($app);

$report->finish();
