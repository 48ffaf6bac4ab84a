<?php

declare(strict_types=1);

/* --request-timeout of stampede serve: code that goes on after it, in a worker of one place and in one with neighbours. */

namespace Stampede\Tests\E2e;

final class launcher_limits_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        class_exists('Sleeps') || eval('final class Sleeps { public function __destruct() { sleep(1000); } }');
        $note = __DIR__ . '/../child';
        $child = 'echo $$ > ' . escapeshellarg($note) . '; ';
        switch (basename($_SERVER['REQUEST_URI'])) {
            case 'retry': for ($i = 0; $i < 1000; $i++) { try { sleep(100); } catch (Throwable) {} } break;
            case 'finally': try { sleep(1000); } finally { sleep(1000); } break;
            case 'destructor': $sleeps = new Sleeps(); sleep(1000); break;
            case 'child': Swoole\Coroutine::create(static function () { while (true); }); break;
            case 'exec': exec($child . 'sleep 1000; true'); break;
            case 'shell_exec': shell_exec($child . 'sleep 1000 | cat'); break;
            case 'passthru': passthru($child . 'exec sleep 1000'); break;
            case 'proc_close': proc_close(proc_open($child . 'sleep 1000; true', [], $pipes)); break;
            case 'popen': $pipe = popen($child . 'sleep 1000; true', 'r'); fgets($pipe); pclose($pipe); break;
            case 'popen_left': $pipe = popen($child . 'sleep 1000; true', 'r'); fgets($pipe); break;
            case 'linked': class_exists('Link') || eval('final class Link { public $next; }'); for ($first = null, $i = 0; $i < 500_000; $i++) { $link = new Link(); $link->next = $first; $first = $link; } $first = $link = null; break;
            case 'System': Swoole\Coroutine\System::exec($child . 'sleep 1000; true'); break;
            case 'endless': while (true) { try { sleep(100); } catch (Throwable) {} }
            case 'pbkdf2': hash_pbkdf2('sha256', 'a', 'b', 2_000_000_000); break;
            case 'regex': ini_set('pcre.backtrack_limit', '100000000000'); ini_set('pcre.jit', '0'); preg_match('/^(a+)+$/', str_repeat('a', 40) . 'b'); break;
            case 'texts': while (true) { similar_text(str_repeat('ab', 30000), str_repeat('ba', 30000)); } break;
            case 'semaphore': sem_acquire(sem_get(ftok(__FILE__, 's'), 1)); break;
            case 'fills': static $kept = []; while (true) { $kept[] = str_repeat('x', 1000); } break;
            case 'waits': usleep(700_000); break;
        }
        echo getmypid();
        PHP;

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", self::CODE);
    }

    /** Nothing waits for them when the script is over: PHP frees a process that is still open without a wait. */
    public function testProgramsThatNobodyWaitsFor(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php $p = proc_open("exec sleep 100", [1 => ["pipe", "w"]], $pipes); file_put_contents(__DIR__ . "/../program", proc_get_status($p)["pid"]); if (str_ends_with($_SERVER["REQUEST_URI"], "waits")) { fread($pipes[1], 1); } echo "ended";');
        $program = static fn (): int => (int) file_get_contents("{$app->folder}/program");
        $runs = static fn (int $pid): bool => $pid > 0 && str_contains((string) @file_get_contents("/proc/{$pid}/cmdline"), 'sleep');
        foreach (['sequential', 'coroutine'] as $isolation) {
            $this->assertTrue($app->serve(['--workers=1', '--request-timeout=1', "--isolation={$isolation}"]), $app->output());
            $this->same("{$isolation}: the limit", 504, $app->ask('/waits')[0]);
            $this->check('ends what the request has started', Server::until(5.0, static fn (): bool => !$runs($program())));
            $this->same('a request that ends in time', [200, 'ended'], [($answer = $app->ask('/'))[0], $answer[2]]);
            $left = $program();
            $this->same('is followed by another', 504, $app->ask('/waits')[0]);
            $this->check('which does not end what is not its own', $runs($left));
            posix_kill($left, SIGKILL);
            $app->stop();
        }
    }

    public function testCodeThatWaitsAgain(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $this->check("{$isolation} serves", $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}", '--request-timeout=0.5']), $app->output());
            $worker = $app->ask('/')[2];
            foreach (['retry', 'finally', 'destructor', 'child'] as $path) {
                $this->same("{$isolation}, {$path}: 504", 504, $app->ask("/{$path}")[0]);
                $this->same('and the place is free, in the same worker', $worker, $app->ask('/')[2]);
            }
            foreach (['exec', 'shell_exec', 'passthru', 'proc_close', 'popen', 'popen_left', 'System'] as $path) {
                $this->same("{$isolation}, {$path}: 504", 504, $app->ask("/{$path}")[0]);
                $this->same('and the place is free, in the same worker', $worker, $app->ask('/')[2]);
                $child = (int) file_get_contents("{$app->folder}/child");
                $this->check('and the program has ended', $child > 0 && Server::until(5.0, static fn (): bool => !posix_kill($child, 0)));
            }
            $app->stop();
        }
    }

    public function testNeighboursOfARequestThatEndsByAFatalError(): void
    {
        $app = self::$app;
        foreach (['linked' => 500, 'pbkdf2' => 504] as $path => $status) {
            $this->check('it serves', $app->serve(['--env=prod', '--workers=1', '--isolation=coroutine', '--request-timeout=1.5']), $app->output());
            $app->ask('/');
            $neighbours = array_map(static fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 10));
            foreach ($neighbours as $peer) {
                $peer->send(["GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            }
            $this->same("{$path}: its own response", $status, $app->ask("/{$path}")[0]);
            $good = array_filter($neighbours, static fn (Peer $peer): bool => (Answer::all($peer->readToEnd(), ['GET'])[0] ?? null)?->status === 200);
            $this->same("{$path}: its neighbours have theirs", 10, count($good));
            $this->same("{$path}: the next worker serves", 200, $app->ask('/')[0]);
            $app->stop();
        }
    }

    public function testAPlaceThatIsHeld(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}", '--request-timeout=1']);
            $worker = $app->ask('/')[2];
            $this->same("{$isolation}: code that never ends gets 504", 504, $app->ask('/endless')[0]);
            $neighbour = new Peer("tcp://127.0.0.1:{$app->port}");
            $neighbour->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $bytes = $neighbour->readToEnd(10.0);
            $this->check('the request beside it has a response', $isolation === 'coroutine' ? str_contains($bytes, '200 OK') : str_contains($bytes, '503 ') && str_contains($bytes, 'Retry-After: 1'), $bytes);
            $this->check('the worker is replaced', Server::until(10.0, static fn (): bool => !in_array($app->ask('/')[2], ['', $worker], true)), $app->output());
            $this->check('before it has ended', posix_kill((int) $worker, 0));
            $this->check('and the log says why', str_contains($app->output(), 'GET /endless: goes on although its time was over two seconds ago; the worker is replaced.'), $app->output());
            $app->stop();
        }
    }

    /** What a fatal error leaves stays in the worker until this one has ended; the limit is counted on top. */
    public function testRequestsThatFillTheMemoryOneAfterAnother(): void
    {
        $app = self::$app;
        foreach (['sequential', 'coroutine'] as $isolation) {
            $this->check('it serves', $app->serve(['--env=prod', '--workers=1', "--isolation={$isolation}"], settings: ['memory_limit=32M']), $app->output());
            $peers = array_map(static fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 16));
            foreach ($peers as $peer) {
                $peer->send(["GET /fills HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            }
            $statuses = array_map(static fn (Peer $peer): int => (Answer::all($peer->readToEnd(20.0), ['GET'])[0] ?? null)->status ?? 0, $peers);
            $this->same("{$isolation}: each has a response", [], array_values(array_diff($statuses, [500, 503])));
            preg_match_all('/Allowed memory size of (\d+) bytes exhausted/', $app->output(), $found);
            $this->check('and all of them together a few times the limit', $found[1] !== [] && max(array_map(intval(...), $found[1])) < 6 * 32 << 20, implode(' ', $found[1]));
            $this->same('the next worker serves', 200, $app->ask('/')[0]);
            $app->stop();
        }
    }

    /** In one place, one after another, for longer than a replaced worker may take. */
    public function testRequestsThatWaitWhileTheirWorkerLeaves(): void
    {
        $app = self::$app;
        $times = static fn (int $replace, int $stop): array => ['--env=prod', '--workers=1', '--isolation=sequential', '--drain=0', '--request-timeout=5',
            '--server=' . json_encode(['max_wait_time' => 1, 'max_replace_time' => $replace, 'max_stop_time' => $stop])];
        $ask = static fn (): array => array_map(static function () use ($app): Peer {
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            return $peer;
        }, range(1, 8));
        $statuses = static fn (array $peers): array => array_count_values(array_map(static fn (Peer $peer): int => (Answer::all($peer->readToEnd(20.0), ['GET'])[0] ?? null)->status ?? 0, $peers));
        $this->check('it serves', $app->serve($times(2, 2)), $app->output());
        $peers = $ask();
        $first = $statuses([array_shift($peers)]); // the others have come before it ended
        posix_kill($app->pid(), SIGUSR1);
        $this->same('all have their responses after a reload', [[200 => 1], [200 => 7]], [$first, $statuses($peers)]);
        $peers = $ask();
        $first = $statuses([array_shift($peers)]);
        posix_kill($app->pid(), SIGTERM);
        $given = $statuses([...$peers]) + $first;
        $this->check('a server that stops says so to those for which there is no time', ($given[200] ?? 0) >= 1 && ($given[503] ?? 0) >= 1 && array_sum($given) === 7, json_encode($given));
        $app->stop();
    }

    public function testCallsThatCannotBeInterrupted(): void
    {
        $app = self::$app;
        $held = function_exists('sem_get') ? sem_get(ftok("{$app->folder}/public/index.php", 's'), 1) : null;
        $held === null || sem_acquire($held);
        $paths = ['pbkdf2', 'regex', 'texts', ...($held === null ? [] : ['semaphore'])];
        $app->serve(['--env=prod', '--workers=1', '--isolation=coroutine', '--request-timeout=1.5']);
        foreach ($paths as $path) {
            $worker = $app->ask('/')[2];
            $neighbours = [];
            $begin = static function () use (&$neighbours, $app): void {
                for ($i = 0; $i < 3; $i++) {
                    $neighbours[] = $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                    $peer->send(["GET /waits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
                }
            };
            $begin(); // they wait in the worker when it gets stuck
            $stuck = new Peer("tcp://127.0.0.1:{$app->port}");
            $began = microtime(true);
            $stuck->send(["GET /{$path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $begin(); // and they come afterwards
            $bytes = $stuck->readToEnd(15.0);
            $this->check("{$path}: the client gets 504 soon after the limit", str_contains($bytes, ' 504 ') && microtime(true) - $began < 4.0, $bytes . round(microtime(true) - $began, 2));
            $this->same('each neighbour its response', array_fill(0, 6, true), array_map(static fn (Peer $peer): bool => str_contains($peer->readToEnd(10.0), ' 200 OK'), $neighbours));
            $this->check('and the worker is replaced', !in_array($app->ask('/')[2], ['', $worker], true));
        }
        $app->stop();
        $held === null || sem_release($held);
        $held === null || sem_remove($held);
    }

    public function testRulesByPath(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php if (str_ends_with($_SERVER["SCRIPT_NAME"], "own")) { header("X-Frame-Options: SAMEORIGIN"); } echo strlen(file_get_contents("php://input")), $_FILES["file"]["name"] ?? "";');
        file_put_contents("{$app->folder}/public/own.php", '<?php header("x-frame-options: SAMEORIGIN");');
        file_put_contents("{$app->folder}/public/a.css", 'a {}');
        file_put_contents("{$app->folder}/stampede.php", '<?php return ["max-body" => 1000, "routes" => ["/up/small" => ["max-body" => 100], "/up/**" => ["max-body" => "64K"]], "header" => ["/*:X-Frame-Options=DENY", "*.css:X-Kind=a style, b"]];');
        foreach (['process', 'sequential'] as $isolation) {
            $this->check("{$isolation}: served", $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}"]), $app->output());
            foreach ([['/up/small', 100, 200], ['/up/small', 101, 413], ['/up/a/b', 1001, 200], ['/up/a/b', 65537, 413], ['/', 1001, 413], ['/', 1000, 200]] as [$path, $size, $status]) {
                $this->same("{$isolation}: {$size} bytes for {$path}", $status, $app->ask($path, str_repeat('x', $size), ['Content-Type: text/plain'])[0]);
            }
            $form = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" . str_repeat('x', 2000) . "\r\n--border--\r\n";
            $this->same("{$isolation}: a form", [413, 200], array_map(static fn (string $path): int => $app->ask($path, $form, ['Content-Type: multipart/form-data; boundary=border'])[0], ['/', '/up/form']));
            $of = static fn (string $path): string => (string) preg_replace('/\r?\n/', ' | ', $app->ask($path)[1]);
            $this->check("{$isolation}: a field of all responses", preg_match('/X-Frame-Options: DENY/i', $of('/')) === 1, $of('/'));
            $this->check("{$isolation}: not in place of the application's own", preg_match_all('/X-Frame-Options: (\w+)/i', $of('/own.php'), $found) === 1 && $found[1] === ['SAMEORIGIN'], $of('/own.php'));
            $this->check("{$isolation}: and of files", str_contains($of('/a.css'), 'X-Kind: a style, b') && str_contains($of('/a.css'), 'X-Frame-Options: DENY'), $of('/a.css'));
            $app->stop();
        }
        foreach ([['--header=X: y'], ['--header=/*:Content-Length=5'], ['--routes={"/a":{"max-body":"x"}}']] as $options) {
            [$status, $output] = Application::run(['serve', $app->folder, "--listen=127.0.0.1:{$app->port}", ...$options]);
            $this->check("{$options[0]} ends the start with a sentence", $status !== 0 && preg_match('/says nothing about fields|makes the field|must be a size/', $output) === 1, $output);
        }
    }

    public function testClientsThatLeaveWhileTheyWait(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", '<?php while (isset($_GET["hangs"])) { usleep(1000); } echo "done";');
        foreach (['--http1.1', '--http2'] as $version) {
            $secure = Server::freePort();
            $this->check("TLS, {$version}: served", $app->serve(['--workers=1', '--processes=1', '--env=dev', '--request-timeout=2', "--listen=https://127.0.0.1:{$secure}"]), $app->output());
            $commands = array_fill(0, 15, "curl -sk --max-time 0.3 {$version} 'https://localhost:{$secure}/?hangs' >/dev/null");
            exec(implode(' & ', $commands) . ' & wait');
            $began = microtime(true);
            $body = (string) shell_exec("curl -sk --max-time 30 {$version} 'https://localhost:{$secure}/'");
            $this->check("TLS, {$version}: the next client waits for what runs alone", $body === 'done' && microtime(true) - $began < 12.0, $body . ' ' . (microtime(true) - $began));
            $app->stop();
        }
        foreach (['process', 'sequential'] as $isolation) {
            $this->check("{$isolation}: served", $app->serve(['--workers=1', '--processes=1', '--env=prod', '--request-timeout=2', "--isolation={$isolation}"]), $app->output());
            $leave = static function () use ($app): void {
                $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["GET /?hangs HTTP/1.1\r\nHost: a\r\n\r\n"]);
                $peer->close();
            };
            array_map($leave, range(1, 15));
            $began = microtime(true);
            $this->same("{$isolation}: a client after fifteen that have given up", [200, 'done'], [$app->ask('/')[0], $app->ask('/')[2]]);
            $this->check('waits for the one that runs, not for those that have not begun', microtime(true) - $began < 12.0, (string) (microtime(true) - $began));
            $app->stop();
        }
    }
}
