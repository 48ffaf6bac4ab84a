<?php

declare(strict_types=1);

/* Plain applications in PHP's own request life: each script gives what it gives behind nginx with PHP-FPM, the first time and the next one. */

namespace Stampede\Tests\E2e;

final class scripts_test extends EndToEndTest
{
    /** Fields that are each server's own. */
    private const OWN = ['server', 'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'etag', 'last-modified', 'accept-ranges', 'vary'];
    private const FORM = ['Content-Type: application/x-www-form-urlencoded'];

    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('scripts');
        exec('chmod -R a+rX ' . escapeshellarg(self::$app->folder));
    }

    public function testAsBehindNginxAndPhpFpm(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', "--document-root={$app->folder}"]), $app->output());
        [$port, $fpm, $nginx] = External::fpm($app->folder);
        foreach ([1, 2, 3] as $time) {
            foreach ($this->requests() as $name => [$method, $path, $fields, $body]) {
                $expected = self::ask($port, $method, $path, $fields, $body);
                $this->same("{$name}, time {$time}", $expected, self::ask($app->port, $method, $path, $fields, $body));
            }
        }
        $this->check('reasons of status 500 are in the log', str_contains($app->output(), 'Call to undefined function undefined_function()') && str_contains($app->output(), 'DomainException: on purpose'), $app->output());
        $app->stop();
    }

    public function testProcesses(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--max-requests=20', '--request-timeout=2']), $app->output());
        $pids = array_map(static fn (): string => $app->ask('/pid.php')[2], range(1, 15));
        $this->check('a process runs one script after another', count(array_unique($pids)) < 8, implode(' ', $pids));
        $pids = array_map(static fn (): string => $app->ask('/pid.php')[2], range(1, 60));
        $this->check('and is replaced after so many', count(array_unique($pids)) >= 3 && !in_array('', $pids, true), implode(' ', $pids));
        [$status, , $body] = $app->ask('/killed.php');
        $this->same('one that is killed costs its own request', [500, 200], [$status, $app->ask('/index.php')[0]]);
        $began = microtime(true);
        $this->same('a script that spins ends at the limit', [504, true], [$app->ask('/spins.php')[0], microtime(true) - $began < 6.0]);
        $began = microtime(true);
        $this->same('so does one that waits in a library', [504, true], [$app->ask('/waits.php?us=20000000')[0], microtime(true) - $began < 6.0]);
        $began = microtime(true);
        $peers = array_map(static function () use ($app): Peer {
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET /waits.php HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            return $peer;
        }, range(1, 30));
        $good = array_filter($peers, static fn (Peer $peer): bool => str_contains($peer->readToEnd(10.0), 'waited'));
        $this->check('30 scripts that wait 0.3 s take no 9 s', count($good) === 30 && microtime(true) - $began < 7.0, count($good) . ' in ' . (microtime(true) - $began) . ' s');
        $app->stop();
    }

    public function testNumberOfProcesses(): void
    {
        $app = self::$app;
        $file = "{$app->folder}/seen";
        foreach ([2, 24] as $most) {
            $app->stop();
            $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', "--processes={$most}"]), $app->output());
            $peers = array_map(static function () use ($app, $file): Peer {
                $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(['GET /parts.php?wait=1&file=' . rawurlencode($file) . " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
                return $peer;
            }, range(1, 30));
            $pids = array_map(static fn (Peer $peer): string => preg_match('/^(\d+)\n/m', $peer->readToEnd(30.0), $part) === 1 ? $part[1] : '', $peers);
            $this->check("30 scripts at once in at most {$most} processes", !in_array('', $pids, true) && count(array_unique($pids)) <= $most, implode(' ', $pids));
            $this->check('and in more than the usual number where there may be more', $most < 16 || count(array_unique($pids)) > 16, implode(' ', $pids));
        }
        $app->stop();
        [$code, $output] = Application::run(['serve', $app->folder, '--processes=0']);
        $this->check('none is refused', $code !== 0 && str_contains($output, 'a whole number from 1'), $output);
    }

    public function testWarmUps(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('one that works twice', $app->serve(['--env=prod', '--workers=1', '--warm-up=/declares.php', '--warm-up=/exits.php']), $app->output());
        $app->stop();
        $serve = static fn (string ...$options): array => Application::run(['serve', $app->folder, '--env=prod', '--workers=1', '--listen=127.0.0.1:0', ...$options]);
        [$code, $output] = $serve('--warm-up=/fatal.php');
        $this->check('one that fails is refused', $code !== 0 && str_contains($output, 'The warm-up GET /fatal.php failed: it has status 500'), $output);
        [$code, $output] = $serve('--warm-up=/declares.php', '--isolation=sequential');
        $this->check('one that fails the second time, too, with the reason', $code !== 0 && str_contains($output, 'does not boot: Cannot redeclare'), $output);
    }

    public function testPreloading(): void
    {
        $app = self::$app;
        $app->stop();
        file_put_contents("{$app->folder}/shared.php", '<?php final class Shared {} function shared(): string { return "shared"; }');
        file_put_contents("{$app->folder}/preloaded.php", '<?php echo json_encode([class_exists("Shared", false), function_exists("shared")]); require_once __DIR__ . "/shared.php"; echo shared(), Shared::class;');
        $list = tempnam(sys_get_temp_dir(), 'preload');
        file_put_contents($list, '<?php opcache_compile_file(' . var_export("{$app->folder}/shared.php", true) . ');');
        chmod($list, 0644);
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', "--preload={$list}", '--warm-up=/preloaded.php']), $app->output());
        foreach ([1, 2] as $time) {
            $this->same("what was preloaded is there, and may be included, time {$time}", [200, '[true,true]sharedShared'], [($answer = $app->ask('/preloaded.php'))[0], $answer[2]]);
        }
        $app->stop();
        $this->check('without it is not', $app->serve(['--env=prod', '--workers=1']) && $app->ask('/preloaded.php')[2] === '[false,false]sharedShared', $app->output());
        $app->stop();
        unlink($list);
        foreach (['shared.php', 'preloaded.php'] as $file) {
            unlink("{$app->folder}/{$file}");
        }
        [$code, $output] = Application::run(['serve', $app->folder, '--env=prod', '--workers=1', '--listen=127.0.0.1:0', "--preload={$list}"]);
        $this->check('a file that is missing is named', $code !== 0 && str_contains($output, "The file {$list} (--preload) cannot be read."), $output);
    }

    public function testClients(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1']), $app->output());
        $file = "{$app->folder}/seen";
        $began = microtime(true);
        $this->same('fastcgi_finish_request() gives the client its response at once', ['done', true], [$app->ask('/after.php?file=' . rawurlencode($file))[2], microtime(true) - $began < 1.5]);
        $this->check('and the script goes on', Server::until(5.0, static fn (): bool => @file_get_contents($file) === 'after'));
        unlink($file);
        $before = self::processes($app);
        foreach (range(1, 8) as $time) {
            $peer = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(['GET /parts.php?file=' . rawurlencode($file) . " HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "part\n"), 5.0);
            unset($peer);
            $this->check("a script that is nearly done when its client leaves goes on to its end, time {$time}", Server::until(5.0, static fn (): bool => @file_get_contents($file) === 'ended'));
            unlink($file);
        }
        $this->same('and its process stays', [], array_diff($before, self::processes($app)));
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(['GET /works.php?file=' . rawurlencode($file) . " HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'first'), 5.0);
        $busy = self::processes($app);
        unset($peer);
        $this->check('the script of a client that has left ends with the next part', Server::until(10.0, static fn (): bool => array_filter($busy, static fn (int $pid): bool => posix_kill($pid, 0)) !== $busy), (string) json_encode($busy));
        $this->same('and not at its own end', 'begun', file_get_contents($file));
        $this->same('others are served', 200, $app->ask('/index.php')[0]);
        $app->stop();
    }

    public function testWhatAScriptStarts(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--request-timeout=2']), $app->output());
        foreach (['exec', 'popen', 'proc_open', 'background'] as $by) {
            $file = "{$app->folder}/started-{$by}";
            $this->same("{$by}: the script ends at the limit", 504, $app->ask("/starts.php?by={$by}&file=" . rawurlencode($file))[0]);
            $started = self::numbersIn($file);
            $this->check("{$by}: what it has started ends with it", $started !== [] && Server::until(5.0, static fn (): bool => self::running($started) === []), (string) json_encode($started));
        }
        $file = "{$app->folder}/detached";
        $pid = (int) $app->ask('/starts.php?by=detached&file=' . rawurlencode($file))[2];
        $this->check('detached: it runs', Server::until(5.0, static fn (): bool => self::numbersIn($file) !== []));
        $started = self::numbersIn($file);
        $this->check('detached: the process takes no other script', Server::until(5.0, static fn (): bool => self::running([$pid]) === []));
        $this->same('detached: another script ends at the limit', 504, $app->ask('/waits.php?us=20000000')[0]);
        $this->same('detached: what a script leaves running when it ends stays', $started, self::running($started));
        $app->stop();
        array_map(static fn (int $left): bool => posix_kill($left, SIGKILL), self::running($started));
    }

    public function testWhatAScriptChangesOfItsProcess(): void
    {
        $app = new Application('scripts');
        $this->assertTrue($app->serve(['--workers=1', '--processes=1']), $app->output());
        $see = static fn (string $what = ''): array => json_decode($app->ask("/lasts.php?what={$what}")[2], true) ?? [];
        [$pid, $limit, $priority, $leads, $blocked] = $first = $see();
        $this->same('the process goes on after a script that changes nothing', $first, $see());
        foreach (['limit' => [200, $priority, $leads, $blocked], 'priority' => [$limit, $priority + 1, $leads, $blocked], 'group' => [$limit, $priority, true, $blocked], 'signals' => [$limit, $priority, $leads, '0000000000000200']] as $what => $changed) {
            [$own, $seen] = [($own = $see($what))[0], array_slice($own, 1)];
            $this->same("a script changes its {$what}", $changed, $seen);
            $next = $see();
            $this->same('for itself alone', [false, [$limit, $priority, $leads, $blocked]], [$next[0] === $own, array_slice($next, 1)]);
        }
        $app->stop();
    }

    public function testUploadsOfScriptsThatAreKilled(): void
    {
        $app = self::$app;
        $app->stop();
        mkdir($uploads = "{$app->folder}/uploads");
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--request-timeout=2', '--ini=' . json_encode(['upload_tmp_dir' => $uploads])]), $app->output());
        $part = static fn (int $i): string => "--b\r\nContent-Disposition: form-data; name=\"f{$i}\"; filename=\"{$i}\"\r\n\r\n" . str_repeat('x', 100_000) . "\r\n";
        $body = implode('', array_map($part, range(1, 5))) . "--b--\r\n";
        foreach (['/waits.php?us=20000000' => 504, '/killed.php' => 500] as $path => $status) {
            [$seen] = self::ask($app->port, 'POST', $path, ['Content-Type: multipart/form-data; boundary=b'], $body);
            $this->same("{$path}: the process is killed", $status, $seen);
            $this->check("{$path}: no temporary file is left", Server::until(5.0, static fn (): bool => glob("{$uploads}/*") === []), (string) json_encode(glob("{$uploads}/*")));
        }
        $app->stop();
    }

    public function testScriptsThatNobodyReads(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--request-timeout=2', '--server={"response_spool_size":"4M"}']), $app->output());
        foreach (['read nothing' => true, 'leave' => false] as $name => $stay) {
            $peers = array_map(static function () use ($app): Peer {
                $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["GET /prints.php HTTP/1.1\r\nHost: a\r\n\r\n"]);
                return $peer;
            }, range(1, 20));
            $this->check("clients that {$name}: the scripts run", Server::until(10.0, static fn (): bool => count(self::processes($app)) >= 15));
            $busy = self::processes($app);
            $peers = $stay ? $peers : [];
            $this->check("clients that {$name}: others are served when their time is over", Server::until(15.0, static fn (): bool => $app->ask('/index.php')[0] === 200));
            unset($peers);
            $this->check("clients that {$name}: their scripts have ended", Server::until(15.0, static fn (): bool => count(array_filter(self::running($busy), static fn (int $pid): bool => self::state($pid) === 'R')) === 0));
        }
        $app->stop();
    }

    public function testStacksThatAreFull(): void
    {
        $app = self::$app;
        $app->stop();
        putenv('LARGE=' . str_repeat('x', 100_000)); // lies on the stack
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1']), $app->output());
        putenv('LARGE');
        foreach (['list', 'calls', 'fiber'] as $by) {
            $this->same("{$by}: the client has its response, the next one, too", [500, 200], [$app->ask("/stack.php?by={$by}")[0], $app->ask('/index.php')[0]]);
        }
        $this->same('caught: an Error, as often as it comes', [200, 'Error.Error.Error.'], [$app->ask('/stack.php?by=caught')[0], $app->ask('/stack.php?by=caught')[2]]);
        foreach (['stack.php on line 11', 'stack.php:15', ...(PHP_VERSION_ID < 80300 ? ['stack.php has filled the C stack of a Fiber'] : [])] as $text) {
            $this->check("the log says {$text}", str_contains($app->output(), $text), $app->output());
        }
        $this->check('and no native stack', !str_contains($app->output(), 'its native stack'), $app->output());
        $app->stop();
    }

    public function testReloads(): void
    {
        $app = self::$app;
        $app->stop();
        rename("{$app->folder}/broken.php", "{$app->folder}/broken.txt"); // for other tests
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=2']), $app->output());
        $failed = $asked = 0;
        for ($i = 0; $i < 3; $i++) {
            $reload = proc_open([...Application::command(['reload', $app->folder])], [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
            do {
                $failed += (int) ($app->ask('/declares.php')[0] !== 200);
                $asked++;
            } while (proc_get_status($reload)['running']);
            proc_close($reload);
        }
        $this->same("no request of {$asked} is lost in three reloads", 0, $failed);
        file_put_contents("{$app->folder}/of_a_reload.php", "<?php\n\nfunction broken( {}");
        [$status, $output] = Application::run(['reload', $app->folder]);
        $this->same('a reload refuses a file that cannot be compiled, and names it and the line', [1, true], [$status, str_contains($output, "{$app->folder}/of_a_reload.php:3")]);
        $this->same('it is refused as long as it is there', 1, Application::run(['reload', $app->folder])[0]);
        file_put_contents("{$app->folder}/of_a_reload.php", '<?php echo json_encode(getenv("STAMPEDE_FACTS"));');
        $this->same('mended, it is served', [0, 'false'], [Application::run(['reload', $app->folder])[0], $app->ask('/of_a_reload.php')[2]]);
        $before = self::processes($app);
        $app->stop();
        rename("{$app->folder}/broken.txt", "{$app->folder}/broken.php");
        $this->check('no process is left', Server::until(15.0, static fn (): bool => array_filter($before, static fn (int $pid): bool => posix_kill($pid, 0)) === []));
    }

    public function testDevelopment(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--workers=1']), $app->output());
        foreach (['/fatal.php' => 'undefined_function', '/throws.php' => 'on purpose', '/broken.php' => 'syntax error', '/memory.php' => 'Allowed memory size'] as $path => $text) {
            [$status, , $body] = $app->ask($path);
            $this->same("{$path}: the page of errors", [500, true, true], [$status, str_contains($body, $text), str_contains($body, 'class="here"')]);
        }
        $app->stop();
    }

    /** @return array<string, array{string, string, list<string>, string}> method, path, header fields and body by name */
    private function requests(): array
    {
        $requests = [];
        foreach (['/', '/some/page?a=b', '/declares.php', '/changes.php', '/exits.php', '/fatal.php', '/redeclares.php', '/memory.php', '/throws.php', '/warns.php', '/broken.php', '/large.php', '/buffers.php', '/finishes.php', '/folder/', '/folder', '/settings/', '/settings',
            '/path.php', '/path.php/a/b%20c?d=e', '/missing.php', '/missing.php/a', '/style.css', '/nothing.css', '/server.php?a=b&c[]=d', '/input.php?a=b&c[]=d', '/waits.php?us=1', '/../..', '/folder/../declares.php', '/%2e%2e/declares.php'] as $path) {
            $requests["GET {$path}"] = ['GET', $path, ['Accept-Language: de', 'X-Given: given', 'Proxy: evil', 'X_Under: score'], ''];
        }
        foreach (['line', 'later', 'status', 'location', 'many', 'type', 'none', '304', '204', 'late', 'cookies', 'length', 'sent'] as $what) {
            $requests["header() {$what}"] = ['GET', "/header.php?w={$what}", [], ''];
        }
        $boundary = "--b\r\nContent-Disposition: form-data; name=\"";
        $multipart = "{$boundary}a[x]\"\r\n\r\n1\r\n{$boundary}file\"; filename=\"a b.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--b--\r\n";
        return $requests + [
            'HEAD' => ['HEAD', '/large.php', [], ''],
            'cookies' => ['GET', '/input.php', ['Cookie: a[b]=1; a[c]=x%20y+%25; d.e=2; f=3; f=4'], ''],
            'a form' => ['POST', '/input.php?q=1', self::FORM, 'a=1&b[c]=2&d=%20+'],
            'a form of PUT' => ['PUT', '/input.php', self::FORM, 'a=1'],
            'JSON' => ['POST', '/input.php', ['Content-Type: application/json'], '{"a":1}'],
            'an upload' => ['POST', '/input.php', ['Content-Type: multipart/form-data; boundary=b'], $multipart],
            'an upload that no script reads' => ['POST', '/exits.php', ['Content-Type: multipart/form-data; boundary=b'], $multipart],
            'a large body that no script reads' => ['PUT', '/exits.php', ['Content-Type: text/plain'], str_repeat('x', 700_000)],
            'a form to a file' => ['POST', '/style.css', self::FORM, 'a=1'],
            'a file that is deleted' => ['DELETE', '/style.css', [], ''],
            'PHP of a web server' => ['GET', '/sapi.php', ['X-Given: 1'], ''],
            'a session' => ['GET', '/session.php', ['X-Session: ' . self::class], ''],
            'a user' => ['GET', '/auth.php', ['Authorization: Basic ' . base64_encode('user:secret')], ''],
            'a token' => ['GET', '/auth.php', ['Authorization: Bearer x'], ''],
        ];
    }

    /**
     * @param list<string> $fields
     * @return array{int, list<string>, string}
     */
    private static function ask(int $port, string $method, string $path, array $fields, string $body): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $lines = [...$fields, ...($body === '' ? [] : ['Content-Length: ' . strlen($body)])];
        $peer->send(["{$method} {$path} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n" . implode('', array_map(static fn (string $line): string => "{$line}\r\n", $lines)) . "\r\n{$body}"], 10.0);
        $bytes = $peer->readToEnd(20.0);
        $answer = Answer::all($bytes, [$method])[0] ?? null;
        if ($answer === null) {
            return [0, [], $bytes];
        }
        $seen = [];
        foreach (array_slice(explode("\r\n", explode("\r\n\r\n", $bytes, 2)[0]), 1) as $line) {
            [$name, $value] = explode(':', $line, 2);
            if (!in_array(strtolower($name), self::OWN, true)) {
                $seen[] = strtolower($name) . ': ' . preg_replace(['~http://app.test(:\d+)?~', '/stampedetest\w+/'], ['', 'of this server'], trim($value));
            }
        }
        sort($seen);
        // Pages for what there is no script for are each server's own.
        $isPageOfServer = str_contains($answer->body, '<center>nginx') || str_starts_with($answer->body, 'There is no such page') || str_starts_with($answer->body, 'This is no path') || str_starts_with($answer->body, 'This is a file') || $answer->status === 301;
        return [$answer->status, $isPageOfServer ? [] : $seen, $isPageOfServer ? '' : $answer->body];
    }

    /** @return list<int> */
    private static function numbersIn(string $file): array
    {
        return is_file($file) ? array_map(intval(...), file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES)) : [];
    }

    /**
     * @param list<int> $pids
     * @return list<int> those that have not ended
     */
    private static function running(array $pids): array
    {
        return array_values(array_filter($pids, static fn (int $pid): bool => preg_match('/^State:\s+[^ZX]/m', (string) @file_get_contents("/proc/{$pid}/status")) === 1));
    }

    private static function state(int $pid): string
    {
        return preg_match('/^State:\s+(.)/m', (string) @file_get_contents("/proc/{$pid}/status"), $state) === 1 ? $state[1] : '';
    }

    /** @return list<int> the processes that run scripts */
    private static function processes(Application $app): array
    {
        return array_values(array_filter(descendants($app->pid()), static fn (int $pid): bool => str_contains((string) @file_get_contents("/proc/{$pid}/cmdline"), 'stampede.sapi_name')));
    }
}
