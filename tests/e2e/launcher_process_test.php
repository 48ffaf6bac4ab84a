<?php

declare(strict_types=1);

/* The isolation "process" of the command stampede: each request in a forked process that no other request has left traces in. */

namespace Stampede\Tests\E2e;

/** @return list<int> */
function childrenOf(int $pid): array
{
    return array_values(array_filter(descendants($pid), static fn (int $child): bool => preg_match("/^PPid:\\s+{$pid}$/m", (string) @file_get_contents("/proc/{$child}/status")) === 1));
}

/**
 * The numbers of the only worker, of the program that has booted the application, and of the process that forks from it for the worker: 0
 * for what is not there, or as long as there are several.
 *
 * @return array{int, int, int}
 */
function processesOf(int $server): array
{
    foreach ($children = childrenOf($server) as $boot) {
        foreach (childrenOf($boot) as $program) {
            $workers = array_values(array_diff($children, [$boot]));
            $forks = childrenOf($program);
            return count($workers) === 1 && count($forks) === 1 ? [$workers[0], $program, $forks[0]] : [0, $program, 0];
        }
    }
    return [0, 0, 0];
}

final class launcher_process_test extends EndToEndTest
{
    private static Application $app;
    private static bool $isServed;
    private static string $temporary;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('legacy');
        mkdir(self::$temporary = self::$app->folder . '.tmp');
        $killed = stream_socket_server('unix://' . self::$temporary . '/stampede-2147483647-abc.sock'); // no process has this number
        fclose($killed);
        putenv('TMPDIR=' . self::$temporary);
        self::$isServed = self::$app->serve(['--workers=1', '--isolation=process', '--request-timeout=2', '--max-body=64M']);
        putenv('TMPDIR');
    }

    public function testIsolation(): void
    {
        $app = self::$app;
        $this->check('the application is served', self::$isServed, $app->output());
        $this->check('the command says why', str_contains($app->output(), "Isolation process: each request runs in PHP's own request life"), $app->output());
        foreach ([1, 2, 3] as $time) {
            $data = json_decode($app->ask('/?a[]=1', 'x=y&z[]=1', ['Content-Type: application/x-www-form-urlencoded'])[2], true) ?? [];
            array_pop($data);
            $this->same("functions, classes, statics and require_once are the request's own ({$time})", [1, 1, 'version 1', ['a' => ['1']], ['x' => 'y', 'z' => ['1']], '127.0.0.1'], $data);
        }
        [$status, $head, $body] = $app->ask('/exit');
        $this->same('exit', [404, 'not here', 2], [$status, $body, preg_match_all('/^Set-Cookie: (first=1|second=2)\r?$/m', $head)]);
        [$status, , $body] = $app->ask('/fatal');
        $this->same('a fatal error shows where it happened', [500, true, true], [$status, str_contains($body, 'Allowed memory size'), str_contains($body, 'class="here"')]);
        [$status, , $body] = $app->ask('/declare');
        $this->same('so does a function that is declared twice', [500, true, false], [$status, str_contains($body, 'Cannot redeclare'), str_contains($body, 'a part')]);
        [$status, , $body] = $app->ask('/kill');
        $this->same('a process that is killed', [500, true], [$status, str_contains($body, 'ended without a response')]);
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET /cut HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $bytes = $peer->readToEnd(10.0);
        $this->check('one that is killed in its response cuts the connection', str_contains($bytes, 'a part') && !str_contains($bytes, "\r\n0\r\n\r\n"), $bytes);
        $this->same('HEAD', [200, ''], [($answer = $app->ask('/', '', [], 'HEAD'))[0], $answer[2]]);
        [$status, $head, $body] = $app->ask('/empty');
        $this->same('204', [204, '', 0], [$status, $body, preg_match('/^(Content-Length|Transfer-Encoding)/mi', $head)]);
    }

    public function testEveryRequestFindsTheSame(): void
    {
        $app = self::$app;
        $found = $pids = $random = [];
        for ($i = 0; $i < 40; $i++) {
            [$status, , $body] = $app->ask('/everything');
            $data = json_decode($body, true) ?? [$status, $body, $i, $i, $i, $i];
            $found[] = json_encode($data[0]);
            array_push($random, ...array_slice($data, 1, 4));
            $pids[] = $data[5];
        }
        $this->same('nothing of 40 requests is left for the next', [json_encode(json_decode($found[0]))], array_values(array_unique($found)));
        $app->ask('/pattern'); // a new process makes the room once
        $pieces = array_map(static fn (): mixed => json_decode($app->ask('/pattern')[2]), range(1, 3));
        $this->check('patterns that a request compiles find room for their code', is_int($pieces[0][0] ?? null) && $pieces === array_fill(0, 3, [$pieces[0][0], $pieces[0][0]]), (string) json_encode($pieces));
        $this->same('each has random numbers of its own', 160, count(array_unique($random)));
        $this->same('one whose signals a request has changed is not used again', 40, count(array_unique($pids)));
        $pids = array_map(static fn (): string => $app->ask('/pid')[2], range(1, 40));
        $this->check('processes are used again', !in_array('', $pids, true) && count(array_unique($pids)) <= 10, implode(' ', array_unique($pids)));
        $ends = Server::until(5.0, static fn (): bool => substr_count((string) @file_get_contents("{$app->folder}/ends"), 'destructor') === 40);
        $this->check('each has its shutdown function and its destructor', $ends && substr_count((string) file_get_contents("{$app->folder}/ends"), 'shutdown') === 40);
    }

    public function testFreshProcesses(): void
    {
        $app = new Application('legacy');
        $this->check('served by processes that end', $app->serve(['--workers=1', '--isolation=process', '--fresh-processes']), $app->output());
        $pids = array_map(static fn (): mixed => array_reverse(json_decode($app->ask('/')[2], true) ?? [0])[0], range(1, 10));
        $this->same('each request has one of its own', 10, count(array_unique($pids)));
    }

    public function testWarmUp(): void
    {
        $app = new Application('slim');
        $this->check('an application that is warmed up is served', $app->serve(['--workers=1', '--isolation=process', '--warm-up=/hello/me', '--warm-up=/hello/you']), $app->output());
        $this->same('a routed request', 'hello you', substr($app->ask('/hello/you')[2], 0, 9));
        $this->check('the command has nothing to suggest', !str_contains($app->output(), '--warm-up=/path'), $app->output());
        $app->stop();
        file_put_contents("{$app->folder}/broken.php", <<<'PHP'
            <?php
            return new class implements Psr\Http\Server\RequestHandlerInterface {
                public function handle(Psr\Http\Message\ServerRequestInterface $request): Psr\Http\Message\ResponseInterface
                {
                    throw new RuntimeException('not warm on purpose');
                }
            };
            PHP);
        $isServed = $app->serve(['--workers=1', '--isolation=process', '--bridge=psr15', '--entry=broken.php', '--warm-up=/any']);
        $this->check('a warm-up that fails ends the command with a sentence', !$isServed && str_contains($app->output(), 'The warm-up GET /any failed: ') && str_contains($app->output(), 'not warm on purpose'), $app->output());
    }

    public function testStreaming(): void
    {
        $app = self::$app;
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $first = $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'part 1'), 5.0);
        touch("{$app->folder}/seen");
        $all = $peer->readToEnd(5.0);
        $this->same('a part reaches the client before the next one is there', [true, false, "part 1\npart 2\npart 3\n"], [str_contains($first, 'part 1'), str_contains($first, 'part 2'), Answer::all($all, ['GET'])[0]->body ?? '']);
    }

    public function testLargeBodies(): void
    {
        $app = self::$app;
        $large = hash_init('sha1');
        for ($i = 0; $i < 20 << 20; $i += 1 << 16) {
            hash_update($large, str_repeat(pack('N', $i), 1 << 14));
        }
        $this->same('a response of 20 MiB', hash_final($large), sha1($app->ask('/large')[2]));
        $body = random_bytes(1 << 20);
        $body = str_repeat($body, 20);
        $this->same('a body of 20 MiB', sha1($body), $app->ask('/input', $body, ['Content-Type: application/octet-stream'])[2]);
        [$fields, $size, $isUpload, $sum, $path] = json_decode($app->upload('/upload')[2], true) ?? [null, null, null, null, ''];
        $this->same('an uploaded file', [['field' => 'value'], 7, true, sha1('content')], [$fields, $size, $isUpload, $sum]);
        $this->check('it is gone afterwards', $path !== '' && Server::until(5.0, static fn (): bool => !self::exists($path)), $path);
        preg_match('/"(\\\\\/tmp[^"]*)"/', $app->upload('/upload?kill')[2], $found);
        $path = json_decode('"' . ($found[1] ?? '') . '"');
        @unlink((string) $path); // as with PHP-FPM a process that is killed leaves it
        [, $head, $body] = $app->ask('/session');
        preg_match('/PHPSESSID=\w+/', $head, $session);
        $this->same('a session', ['1', '2', '1'], [$body, $app->ask('/session', '', ['Cookie: ' . ($session[0] ?? '')])[2], $app->ask('/session')[2]]);
    }

    public function testManyAtOnceAndLimits(): void
    {
        $app = self::$app;
        $began = microtime(true);
        $peers = array_map(static fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 20));
        foreach ($peers as $peer) {
            $peer->send(["GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        }
        $good = array_filter($peers, static fn (Peer $peer): bool => (Answer::all($peer->readToEnd(10.0), ['GET'])[0]->body ?? '') === 'waited');
        $took = microtime(true) - $began;
        $this->check('20 requests that wait 0.3 s each take no 6 s in one worker', count($good) === 20 && $took < 3.0, count($good) . " in {$took} s");
        $this->check('never more than 16 processes, then the stock alone', Server::until(40.0, static fn (): bool => count(descendants(processesOf($app->pid())[2])) === 3));
        $began = microtime(true);
        $this->same('a request that takes too long', 504, $app->ask('/slow')[0]);
        $slow = (int) file_get_contents("{$app->folder}/slow");
        $this->check('its process is killed', $slow > 0 && microtime(true) - $began < 6.0 && Server::until(5.0, static fn (): bool => self::isGone($slow)));
    }

    public function testShortRequestsBesideALongOne(): void
    {
        $app = self::$app;
        [$took, $answers, $answer] = [0.0, [], ''];
        foreach ([30, 10] as $requests) { // beside the first long one the worker learns that most are short
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $began = microtime(true);
            $answers = array_map(static fn (): int => $app->ask('/empty')[0], range(1, $requests));
            $took = microtime(true) - $began;
            $answer = Answer::all($peer->readToEnd(10.0), ['GET'])[0]->body ?? '';
        }
        $this->check('short requests do not wait for the process of a long one', $answers === array_fill(0, 10, 204) && $took < 0.25, "{$took} s");
        $this->same('the long one ends, too', 'waited', $answer);
    }

    public function testAProgramThatIsLeftRunning(): void
    {
        $app = self::$app;
        $began = microtime(true);
        $this->same('a program that the application leaves running does not hold its request', [200, 'started'], [($answer = $app->ask('/background'))[0], $answer[2]]);
        $this->check('nor the end of its process', Server::until(5.0, static fn (): bool => str_contains($app->output(), '/background')) && microtime(true) - $began < 1.9, $app->output());
    }

    public function testReloads(): void
    {
        $app = self::$app;
        file_put_contents("{$app->folder}/config.php", "<?php \$config = ['name' => 'version 2'];");
        [, $oldProgram] = self::awaitProcesses($app);
        $reload = proc_open([PHP_BINARY, '-r', 'posix_kill((int) $argv[1], SIGUSR1);', '--', (string) $app->pid()], [], $pipes);
        $output = $app->output();
        $failed = 0;
        $this->check('reload: the program before and its processes end', $oldProgram !== 0 && Server::until(10.0, static function () use ($app, $oldProgram, &$failed): bool {
            $failed += (int) ($app->ask('/')[0] !== 200);
            return self::isGone($oldProgram);
        }));
        $this->same('and no request is lost', 0, $failed);
        $this->check('what the command has printed into a file stays there', str_starts_with($app->output(), $output), $app->output());
        proc_close($reload);
        $this->check('the code is new', str_contains($app->ask('/')[2], 'version 2'));
        [$worker, $program, $forks] = self::awaitProcesses($app);
        self::kill($forks);
        $this->check('when the process that forks is killed, the worker is replaced', Server::until(10.0, static fn (): bool => self::isGone($worker) && $app->ask('/')[0] === 200), $app->output());
        [$worker, $same, $forks] = self::awaitProcesses($app);
        $this->same('by one that forks from the same program', $program, $same);
        $below = descendants($forks);
        self::kill($worker);
        $this->check('when the worker is killed, its processes end', count($below) >= 1 && Server::until(10.0, static fn (): bool => array_filter($below, static fn (int $pid): bool => !self::isGone($pid)) === []));
        $this->check('and another one serves', Server::until(10.0, static fn (): bool => $app->ask('/')[0] === 200));
        [$worker] = self::awaitProcesses($app);
        self::kill($program);
        $failed = 0;
        for ($i = 0; $i < 20; $i++) {
            $failed += (int) ($app->ask('/')[0] !== 200);
        }
        $this->same('when the program is killed, its processes serve', [0, false], [$failed, self::isGone($worker)]);
        self::kill($worker);
        $this->check('a worker that misses it has the application booted again', Server::until(15.0, static fn (): bool => str_contains($app->output(), 'The process that has booted the application is gone. It is booted again.')), $app->output());
        $this->check('and it is served', Server::until(15.0, static fn (): bool => $app->ask('/')[0] === 200 && processesOf($app->pid())[0] !== 0), $app->output());
        $all = [];
        $this->check('with all its processes', Server::until(10.0, static function () use ($app, &$all): bool {
            $all = descendants($app->pid());
            return count($all) >= 5;
        }));
        [$status] = Application::run(['stop', $app->folder]);
        $this->check('after stop no process is left', $status === 0 && Server::until(5.0, static fn (): bool => array_filter($all, static fn (int $pid): bool => !self::isGone($pid)) === []));
        $left = static fn (): array => glob(self::$temporary . '/*') ?: [];
        $this->check('and no socket, also none of a server that was killed before', Server::until(5.0, static fn (): bool => $left() === []), (string) json_encode($left()));
        rmdir(self::$temporary);
    }

    public function testProduction(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('production hides errors', $app->serve(['--workers=1', '--isolation=process', '--env=prod']) && $app->ask('/fatal')[0] === 500 && !str_contains($app->ask('/fatal')[2], 'Allowed memory'), $app->output());
        $seen = [];
        foreach (['before' => 60, 'after' => 30] as $text => $age) {
            file_put_contents("{$app->folder}/public/edited.php", "<?php echo '{$text}';");
            touch("{$app->folder}/public/edited.php", time() - $age); // old enough for opcache
            // opcache looks at a file again after opcache.revalidate_freq seconds.
            $seen[] = Server::until(5.0, static fn (): bool => $app->ask('/edited.php')[2] === $text);
        }
        $this->same('a script that was edited is the new one soon', [true, true], $seen);
        $app->stop();
        file_put_contents("{$app->folder}/broken.php", '<?php throw new RuntimeException("no boot on purpose");');
        $this->check('an application that does not boot ends the command with a sentence', !$app->serve(['--isolation=process', '--bridge=psr15', '--entry=broken.php']) && str_contains($app->output(), 'does not boot') && str_contains($app->output(), 'no boot on purpose'), $app->output());
        $app->stop();
        $folder = sys_get_temp_dir() . '/' . str_repeat('long', 25);
        @mkdir($folder);
        putenv("TMPDIR={$folder}");
        $isServed = $app->serve(['--isolation=process']);
        putenv('TMPDIR');
        $this->check('so does a folder for sockets with too long a name', !$isServed && str_contains($app->output(), 'its path has more than 107 bytes'), $app->output());
        array_map('unlink', glob("{$folder}/*") ?: []);
        rmdir($folder);
        $app->stop();
        file_put_contents("{$app->folder}/hanging.php", '<?php file_put_contents(__DIR__ . "/pid", getmypid()); sleep(60);');
        $this->check('so does one that boots for too long', !$app->serve(['--isolation=process', '--bridge=psr15', '--entry=hanging.php', '--boot-timeout=1']) && str_contains($app->output(), 'booted for more than 1 seconds (--boot-timeout)'), $app->output());
        $pid = (int) file_get_contents("{$app->folder}/pid");
        $this->check('and its process', $pid > 1 && Server::until(5.0, static fn (): bool => self::isGone($pid)));
        unset($app);
    }

    public function testAModuleNamedByARelativePath(): void
    {
        $app = new Application('plain');
        $folder = getcwd();
        chdir(dirname((string) realpath(Application::module())));
        $app->start(['--workers=1', '--isolation=process'], module: './' . basename(Application::module()));
        chdir($folder);
        $this->check('the processes of the application find it', $app->listens() && $app->ask('/')[0] === 200, $app->output());
        $app->stop();
        unset($app);
    }

    public function testHealthCheck(): void
    {
        $app = new Application('plain');
        $code = static fn (string $up): int|false => file_put_contents("{$app->folder}/public/index.php", '<?php if ($_SERVER["REQUEST_URI"] === "/up") { ' . $up . ' } echo "well";');
        $code('http_response_code(503);');
        $options = ['--workers=2', '--isolation=process', '--health-check=/up'];
        $this->check('an application that is not healthy is not served', !$app->serve($options) && str_contains($app->output(), 'The health check GET /up failed: it has status 503') && Server::until(10.0, static fn (): bool => !$app->alive()), $app->output());
        $app->stop();
        $code('');
        $this->check('one that is healthy is', $app->serve($options), $app->output());
        $code('exit(posix_kill(getmypid(), SIGKILL));');
        [$status, $output] = Application::run(['reload', $app->folder]);
        $this->check('reload fails and says why', $status === 1 && str_contains($output, 'The new code is not served, generation 0 goes on: The health check GET /up failed: The process'), $output);
        $this->check('the log has the reason', preg_match('/The application does not boot: The health check GET \/up failed: The process \d+ of this request ended without a response/', $app->output()) === 1, $app->output());
        $this->same('the workers before go on', [200, 'well'], [($response = $app->ask('/'))[0], $response[2]]);
        $app->stop();
        $code('');
        $this->check('with a time limit for the boot', $app->serve([...$options, '--boot-timeout=4']), $app->output());
        $code('sleep(60);');
        $began = microtime(true);
        $reload = proc_open(Application::command(['reload', $app->folder, '--boot-timeout=4']), [1 => ['pipe', 'w']], $pipes);
        $isRefused = static fn (): bool => str_contains($app->output(), 'The health check GET /up failed: there was no response before --boot-timeout was over.');
        $responses = [];
        $this->check('a health check that hangs ends with it', Server::until(30.0, static function () use ($app, $isRefused, &$responses): bool {
            $response = $app->ask('/');
            $responses["{$response[0]} {$response[2]}"] = true;
            return $isRefused();
        }) && microtime(true) - $began > 3.5, $app->output());
        $this->same('which reload says', 1, $reload === false ? -1 : proc_close($reload));
        $this->same('all the time the workers before serve', ['200 well'], array_keys($responses));
        $app->stop();
        unset($app);
    }

    public function testTheCommandCheck(): void
    {
        $app = new Application('legacy');
        [$status, $output] = Application::run(['check', $app->folder]);
        $this->check('check: a function that is declared twice', $status === 0 && str_contains($output, 'Cannot redeclare counted()') && str_contains($output, "Safe: process.\nstampede serve uses process."), $output);
        $check = static function (string $code, array $more = []) use ($app): array {
            file_put_contents("{$app->folder}/public/index.php", "<?php {$code}");
            [$status, $output] = Application::run(['check', $app->folder, '--format=json', ...$more]);
            $facts = json_decode($output, true);
            return [$status, $facts['safe'] ?? null, array_column($facts['findings'] ?? [], 'kind'), implode(' ', array_column($facts['findings'] ?? [], 'text'))];
        };
        $this->same('check: nothing to find', [0, ['sequential', 'process'], [], ''], $check('header("A: b"); ini_set("precision", "3"); echo $x = ($x ?? 0) + 1; exit("text");'));
        [$status, $safe, $kinds] = $check('throw new Exception("always");');
        $this->same('check: a path that fails each time says nothing of isolation', [1, ['sequential', 'process'], ['failure']], [$status, $safe, $kinds]);
        file_put_contents("{$app->folder}/kept.php", '<?php class Kept { public static array $all = []; }');
        [$status, $safe, $kinds, $text] = $check('class_exists("Kept") || require __DIR__ . "/../kept.php"; Kept::$all[] = 1;', ['--path=/a', '--path=/b']);
        $this->same('check: a static property that grows', [0, ['process'], ['state'], true], [$status, $safe, $kinds, str_contains($text, 'Kept::$all grew over 20 requests: 20 more entries')]);
        $this->check('check: the isolation that serve is told to use is not safe', $check('class_exists("Kept") || require __DIR__ . "/../kept.php"; Kept::$all[] = 1;', ['--isolation=sequential'])[0] === 1);
        [$status, $safe, $kinds] = $check('class_exists("Kept") || require __DIR__ . "/../kept.php"; Kept::$all === [] || throw new Exception("used"); Kept::$all[] = 1;');
        $this->same('check: requests that fail after the first', [0, ['process'], ['later failure']], [$status, $safe, $kinds]);
        file_put_contents("{$app->folder}/boots.php", '<?php $GLOBALS["kept"] = tmpfile(); return fn () => null;');
        [$status, $output] = Application::run(['check', $app->folder, '--bridge=psr15', '--entry=boots.php']);
        $this->check('check: an application that does not boot', $status === 1 && str_contains($output, 'does not boot') && str_contains($output, 'No isolation is safe'), $output);
        unset($app);
    }

    public function testTheOtherBridges(): void
    {
        $app = new Application('slim');
        $this->check('Slim is served', $app->serve(['--workers=1', '--isolation=process']), $app->output());
        [$status, $head, $body] = $app->ask('/hello/you?a=b', '', ['X-Given: field']);
        $this->same('a routed request', [200, 'hello you a=b field', 2], [$status, $body, preg_match_all('/^X-Many: [12]\r?$/m', $head)]);
        $this->same('an upload of PSR-7', [201, '[{"file":7},{"field":"value"},"\/form"]'], [($upload = $app->upload('/form'))[0], $upload[2]]);
        $this->same('a large body', 1_000_000, strlen($app->ask('/large')[2]));
        $this->check('check: Slim may handle many requests at once', ($checked = Application::run(['check', $app->folder, '--path=/hello/you']))[0] === 0 && str_contains($checked[1], 'Safe: coroutine, sequential, process.'), $checked[1]);
        file_put_contents("{$app->folder}/app.php", str_replace('<?php', '<?php $GLOBALS["kept"] = tmpfile();', str_replace('declare(strict_types=1);', '', (string) file_get_contents("{$app->folder}/app.php"))));
        $this->check('check: a file that the boot leaves open', ($checked = Application::run(['check', $app->folder, '--path=/hello/you']))[0] === 1 && str_contains($checked[1], 'leaves descriptor') && str_contains($checked[1], 'Safe: coroutine, sequential.'), $checked[1]);
        unset($app);
        $app = new Application('symfony');
        $this->check('Symfony is served', $app->serve(['--workers=1', '--isolation=process', '--env=prod']), $app->output());
        $this->same('a streamed response', "part 1\npart 2\npart 3\n", $app->ask('/stream')[2]);
        $this->same('a file', (string) file_get_contents("{$app->folder}/src/Kernel.php"), $app->ask('/file')[2]);
        $this->same('a part of a file', [206, substr((string) file_get_contents("{$app->folder}/src/Kernel.php"), 2, 5)], [($part = $app->ask('/file', '', ['Range: bytes=2-6']))[0], $part[2]]);
        unset($app);
    }

    /** @return array{int, int, int} see processesOf() */
    private static function awaitProcesses(Application $app): array
    {
        $found = [0, 0, 0];
        Server::until(10.0, static function () use ($app, &$found): bool {
            $found = processesOf($app->pid());
            return $found[0] !== 0 && count(descendants($found[2])) >= 3;
        });
        return $found;
    }

    private static function kill(int $pid): void
    {
        $pid > 1 && posix_kill($pid, SIGKILL); // 0 would be everything here
    }

    private static function exists(string $path): bool
    {
        clearstatcache();
        return file_exists($path);
    }

    private static function isGone(int $pid): bool
    {
        return !self::exists("/proc/{$pid}") || preg_match('/^State:\s+Z/m', (string) @file_get_contents("/proc/{$pid}/status")) === 1;
    }
}
