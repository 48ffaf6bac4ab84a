<?php

declare(strict_types=1);

/* Development with --watch: what was saved is served soon, broken code is not, and pages know. */

namespace Stampede\Tests\E2e;

final class launcher_watch_test extends EndToEndTest
{
    private static Application $app;
    private static bool $isWatched;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('plain');
        mkdir("{$app->folder}/src");
        $front = <<<'PHP'
            <?php
            require_once __DIR__ . '/../src/version.php';
            $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
            if ($path === '/version') {
                exit(version());
            }
            if ($path === '/note') {
                file_put_contents(__DIR__ . '/../var/notes', $_GET['text'] . "\n", FILE_APPEND);
                exit;
            }
            if ($path === '/json') {
                header('Content-Type: application/json');
                exit('"</body>"');
            }
            if ($path === '/long') {
                header('Content-Length: ' . strlen('<p>long</body>'));
                exit('<p>long</body>');
            }
            ?>
            <!doctype html><html><body><h1><?= version() ?></h1>
            <form><input name="text"><input name="list"><input name="list"><input type="checkbox" name="check"><textarea id="area"></textarea>
            <select name="choice"><option>one<option>two</select><input type="password" name="secret"></form>
            <script>
            addEventListener('load', () => setTimeout(() => {
                const form = document.forms[0];
                const state = () => [document.querySelector('h1').textContent, form.text.value, form.list[1].value, form.check.checked, form.area.value, form.choice.value, form.secret.value, document.activeElement.id];
                const note = (text) => fetch('/note?text=' + encodeURIComponent(text));
                if (form.text.value === '') {
                    form.text.value = 'typed'; form.list[1].value = 'second'; form.check.checked = true; form.area.value = "two\nlines"; form.choice.value = 'two'; form.secret.value = 'hidden';
                    form.area.focus();
                    note('ready');
                } else {
                    note('again ' + JSON.stringify(state()));
                }
                const look = () => {
                    const panel = document.getElementById('stampede-fault');
                    note(panel ? 'fault ' + panel.shadowRoot.querySelector('pre').textContent : 'no fault');
                };
                look();
                new MutationObserver(look).observe(document.body, {childList: true});
            }, 50));
            </script></body></html>
            PHP;
        mkdir("{$app->folder}/var");
        self::save('src/version.php', self::version('1'));
        self::save('public/index.php', $front);
        self::$isWatched = $app->serve(['--workers=2', '--watch', '--log-format=off']);
    }

    public function testSaves(): void
    {
        $app = self::$app;
        $this->check('an application is watched', self::$isWatched, $app->output());
        $times = [];
        for ($i = 2; $i <= 8; $i++) {
            self::serves((string) ($i - 1));
            usleep(random_int(50_000, 150_000)); // saves come at any time
            $began = hrtime(true);
            self::save('src/version.php', self::version((string) $i));
            if (!$this->check("save {$i} is served", self::serves((string) $i), $app->output())) {
                break;
            }
            $times[] = intdiv(hrtime(true) - $began, 1_000_000);
        }
        sort($times);
        $this->remark('ms from a save to the first response of it: ' . json_encode($times));
        $this->check('most of them soon', $times[intdiv(count($times), 2)] < 1500, json_encode($times));
        mkdir("{$app->folder}/src/deep/er", 0755, true);
        $before = self::settled();
        self::save('src/deep/er/new.php', '<?php');
        $this->check('a file in a new folder is noticed', Server::until(10, static fn (): bool => self::reloads() > $before), $app->output());
        $before = self::settled();
        mkdir("{$app->folder}/vendor");
        file_put_contents("{$app->folder}/vendor/a.php", '<?php');
        file_put_contents("{$app->folder}/var/b.php", '<?php');
        file_put_contents("{$app->folder}/src/c.txt", 'text');
        self::save('src/version.php', self::version('9'));
        $this->check('what is left out is not', self::serves('9') && self::settled() === $before + 1, $app->output());
    }

    public function testPages(): void
    {
        $app = self::$app;
        $this->same('the script stands before the end of a page', 1, preg_match('~<script src="/.stampede/page.js\?\d+" async></script></body></html>$~', $app->ask('/')[2]));
        $this->same('not in other responses', '"</body>"', $app->ask('/json')[2]);
        [, $head, $body] = $app->ask('/long');
        $this->check('the length is that of the longer page', strlen($body) > 30 && (!preg_match('/^Content-Length: (\d+)/mi', $head, $length) || (int) $length[1] === strlen($body)), "{$head}\n{$body}");
        $this->same('what is no page of development after all is the application\'s', 200, $app->ask('/.stampede/../json')[0]);
        $this->same('the script is there', 200, $app->ask('/.stampede/page.js')[0]);
        $this->check('a stream tells the state', self::hears('"fault":""'));
    }

    public function testPagesOfTheCodeBefore(): void
    {
        $app = self::$app;
        $get = static fn (string $path): array => ["GET {$path} HTTP/1.1\r\nHost: a\r\n\r\n"];
        $kept = new Peer("tcp://127.0.0.1:{$app->port}");
        $kept->send($get('/'));
        $kept->answers(1);
        $revision = static function () use ($app, $get): int {
            $stream = new Peer("tcp://127.0.0.1:{$app->port}");
            $stream->send($get('/.stampede/events'));
            $bytes = $stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"revision":'), 10.0);
            $stream->close();
            return (int) preg_replace('~^.*"revision":(\d+).*$~s', '$1', $bytes);
        };
        $before = $revision();
        self::save('src/version.php', self::version('9.5'));
        $this->check('newer code is served, and pages are told', self::serves('9.5') && Server::until(10, static fn (): bool => $revision() > $before), $app->output());
        $kept->send($get('/'));
        $page = ($kept->answers(2)[1] ?? null)?->body ?? '';
        $kept->close();
        $this->check('a connection to a worker of the code before gets one more page of that', str_contains($page, '<h1>9</h1>'), $page);
        $this->check('which says of itself that it is older', preg_match('~page\.js\?(\d+)"~', $page, $found) === 1 && (int) $found[1] < $revision(), $page . $revision());
        self::settled();
    }

    public function testFaults(): void
    {
        $app = self::$app;
        is_dir("{$app->folder}/src/deep/er") || mkdir("{$app->folder}/src/deep/er", 0755, true);
        $present = $app->ask('/version')[2];
        self::save('src/deep/er/new.php', '<?php function broken( {');
        $this->check('a syntax error is told to pages', self::hears('syntax error, unexpected token'));
        $this->check('and in the terminal', str_contains($app->output(), "Not reloaded, the present code goes on: syntax error, unexpected token \"{\", expecting variable in {$app->folder}/src/deep/er/new.php:1"), $app->output());
        $this->same('the code before goes on', $present, $app->ask('/version')[2]);
        self::save('src/deep/er/new.php', '<?php function twice() {} function twice() {}');
        $this->check('what only a compiler sees, too', self::hears('Cannot redeclare'));
        $refusals = static fn (): int => substr_count($app->output(), 'Not reloaded, ');
        [$before, $refused] = [self::settled(), $refusals()];
        self::save('src/deep/other.php', '<?php function other() {}');
        $this->check('a change of another file does not mend it', Server::until(20, static fn (): bool => $refusals() > $refused) && self::reloads() === $before && self::hears('Cannot redeclare'), $app->output());
        self::save('src/deep/er/new.php', '<?php function once() {}');
        $this->check('mended code takes it away', Server::until(20, static fn (): bool => self::reloads() > $before) && self::hears('"fault":""'), $app->output());
        $before = self::settled();
        $stream = new Peer("tcp://127.0.0.1:{$app->port}");
        $stream->send(["GET /.stampede/events HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"fault":""'), 20.0);
        self::save('public/style.css', 'body { color: red }');
        $bytes = $stream->readUntil(static fn (string $bytes): bool => preg_match_all('/"revision":/', $bytes) >= 2, 20.0);
        $this->check('a change of a style tells pages alone', preg_match_all('/"revision":/', $bytes) === 2 && self::reloads() === $before, $bytes);
        $stream->close();
    }

    public function testAStormOfChanges(): void
    {
        $app = self::$app;
        is_dir("{$app->folder}/src/deep/er") || mkdir("{$app->folder}/src/deep/er", 0755, true);
        $before = self::settled();
        $memory = static fn (): int => (int) preg_replace('~^.*\nVmRSS:\s+(\d+) kB.*$~s', '$1', (string) file_get_contents("/proc/{$app->pid()}/status"));
        $held = $memory();
        $failed = 0;
        $end = microtime(true) + 5;
        for ($i = 0; $i < 10_000; $i++) {
            file_put_contents("{$app->folder}/src/deep/storm" . ($i % 2000) . '.php', "<?php // {$i}\n");
            if ($i % 250 === 249) {
                $failed += (int) ($app->ask('/version')[0] !== 200);
            }
            while (microtime(true) < $end - 5 * (1 - $i / 10_000)) {
                usleep(200);
            }
        }
        self::save('src/version.php', self::version('10'));
        $this->same('10,000 changes in five seconds: no request fails', 0, $failed);
        $this->check('and the last one is served', self::serves('10', 30.0), substr($app->output(), -2000));
        $this->check('without much memory', $memory() - $held < 16 << 10, "{$held} KiB before, {$memory()} after");
        $this->remark('reloads meanwhile: ' . (self::reloads() - $before) . ", KiB of the first process before and after: $held {$memory()}");
    }

    public function testAFolderThatVanishes(): void
    {
        $app = self::$app;
        rename($app->folder, "{$app->folder}.away");
        $this->check('a folder that vanishes is told', Server::until(20, static fn (): bool => str_contains($app->output(), "The watched folder {$app->folder} is gone")), $app->output());
        $this->check('the server goes on', $app->alive());
        file_put_contents("{$app->folder}.away/src/version.php", self::version('11'));
        rename("{$app->folder}.away", $app->folder);
        $this->check('when it is there again, it is watched again', self::serves('11'), $app->output());
        $this->check('as the server says', Server::until(20, static fn (): bool => str_contains($app->output(), "The watched folder {$app->folder} is another one now") && str_contains($app->output(), 'very many files changed')), $app->output());
        $before = self::settled();
        self::save('src/version.php', self::version('12'));
        $this->check('with what changes in it', self::serves('12') && Server::until(20, static fn (): bool => self::reloads() > $before), $app->output());
        self::settled();
    }

    public function testABrowser(): void
    {
        $app = self::$app;
        if ($this->check('Chromium is there (the package chromium)', trim((string) shell_exec('command -v chromium')) !== '')) {
            $notes = static fn (): string => (string) @file_get_contents("{$app->folder}/var/notes");
            $profile = External::folder();
            $browser = proc_open(['setsid', 'chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking',
                '--disable-component-update', "--user-data-dir={$profile}/data", "http://127.0.0.1:{$app->port}/"], [['file', '/dev/null', 'r'], ['file', "{$profile}/output", 'w'], ['file', "{$profile}/output", 'a']], $pipes);
            $this->check('a page is open', Server::until(90.0, static fn (): bool => str_contains($notes(), 'ready')), (string) @file_get_contents("{$profile}/output"));
            self::save('src/page.php', '<?php function broken( {');
            $this->check('it shows why newer code is not served', Server::until(30.0, static fn (): bool => str_contains($notes(), 'fault syntax error, unexpected token')), $notes() . $app->output());
            self::save('src/page.php', '<?php');
            self::save('src/version.php', self::version('13'));
            $this->check('it reloads itself and keeps what was typed, but no secrets', Server::until(30.0, static fn (): bool => str_contains($notes(), 'again ["13","typed","second",true,"two\nlines","two","","area"]')), $notes());
            posix_kill(-proc_get_status($browser)['pid'], SIGTERM);
            Server::until(10.0, static fn (): bool => !proc_get_status($browser)['running']) || posix_kill(-proc_get_status($browser)['pid'], SIGKILL);
            proc_close($browser);
            exec('rm -rf ' . escapeshellarg($profile));
        }
        posix_kill($app->pid(), SIGTERM);
        $this->check('a stop ends it', Server::until(15.0, static fn (): bool => !$app->alive()), $app->output());
        $app->stop();
    }

    public function testProduction(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('production has no such pages', $app->serve(['--workers=1', '--watch', '--env=prod', '--log-format=off']) && !str_contains($app->ask('/')[2], '/.stampede/page.js') && !str_contains($app->ask('/.stampede/page.js')[2], 'EventSource'), $app->output());
        unset($app);
    }

    public function testAGreatManyFiles(): void
    {
        $folder = External::folder();
        mkdir("{$folder}/many");
        mkdir("{$folder}/some");
        symlink($folder, "{$folder}/some/loop");
        for ($i = 0; $i < 100_000; $i++) {
            touch("{$folder}/many/{$i}.php");
        }
        $output = External::folder() . '/output.txt';
        $said = static fn (): string => (string) file_get_contents($output);
        $start = static fn (array $command): mixed => proc_open([...phpWithModule(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so'), '-d', 'memory_limit=512M', ...$command], [['file', '/dev/null', 'r'], ['file', $output, 'w'], ['file', $output, 'a']], $pipes);
        $looks = $start([__DIR__ . '/apps/polled_changes.php', $folder]);
        $this->check('100,000 files are looked at', Server::until(60, static fn (): bool => str_contains($said(), 'begun')), $said());
        touch("{$folder}/many/new.php");
        unlink("{$folder}/many/77.php");
        $this->check('changes are noticed', Server::until(60, static fn (): bool => str_contains($said(), "changed: {$folder}/many/new.php\n") && str_contains($said(), "changed: {$folder}/many/77.php\n")), $said());
        $this->check('and it says what a look takes', Server::until(60, static fn (): bool => preg_match('/^100\d{3} files are watched, and a look at all takes [\d.]+ s: changes are noticed within \d+ s\.$/m', $said()) === 1), $said());
        proc_terminate($looks, SIGKILL);
        proc_close($looks);
        mkdir("{$folder}/public");
        file_put_contents("{$folder}/public/index.php", '<?php echo "first";');
        $port = Server::freePort();
        $serves = $start([dirname(__DIR__, 2) . '/php/bin/stampede', 'serve', $folder, "--listen=127.0.0.1:{$port}", '--workers=1', '--watch']);
        $this->check('they are served and watched', Server::until(60, static fn (): bool => str_contains($said(), 'Listening on')), $said());
        $began = microtime(true);
        touch("{$folder}/many/5.php");
        $this->check('the kernel tells of one of them soon', Server::until(20, static fn (): bool => str_contains($said(), 'Reloading: many/5.php changed')) && microtime(true) - $began < 5, $said());
        rename($folder, "{$folder}.away");
        $this->check('when they vanish, it says so', Server::until(20, static fn (): bool => str_contains($said(), "The watched folder {$folder} is gone")), $said());
        rename("{$folder}.away", $folder);
        $this->check('when they are there again, they are watched again', Server::until(60, static fn (): bool => str_contains($said(), 'Reloading: very many files changed')), $said());
        $began = microtime(true);
        touch("{$folder}/many/6.php");
        $this->check('and the kernel tells of one of them soon', Server::until(20, static fn (): bool => str_contains($said(), 'Reloading: many/6.php changed')) && microtime(true) - $began < 5, $said());
        proc_terminate($serves);
        if (!$this->check('a stop ends it', Server::until(20, static fn (): bool => !proc_get_status($serves)['running']))) {
            proc_terminate($serves, SIGKILL);
        }
        proc_close($serves);
        exec('rm -rf ' . escapeshellarg($folder) . ' ' . escapeshellarg(dirname($output)));
    }

    private static function save(string $name, string $text): void
    {
        $app = self::$app;
        file_put_contents("{$app->folder}/{$name}.new", $text);
        rename("{$app->folder}/{$name}.new", "{$app->folder}/{$name}"); // as editors do
    }

    private static function version(string $text): string
    {
        return "<?php function version(): string { return '{$text}'; }";
    }

    private static function reloads(): int
    {
        $app = self::$app;
        return substr_count($app->output(), 'Reloading: ');
    }

    private static function settled(): int
    {
        for ($before = -1; $before !== self::reloads(); usleep(700_000)) {
            $before = self::reloads();
        }
        return $before;
    }

    /** Listens, also over the end of a worker, until the words come. */
    private static function hears(string $words): bool
    {
        $app = self::$app;
        for ($until = microtime(true) + 20; microtime(true) < $until;) {
            $stream = new Peer("tcp://127.0.0.1:{$app->port}");
            $stream->send(["GET /.stampede/events HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $bytes = $stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, $words), $until - microtime(true));
            $stream->close();
            if (str_contains($bytes, $words)) {
                return true;
            }
        }
        return false;
    }

    private static function serves(string $wanted, float $seconds = 20.0): bool
    {
        return Server::until($seconds, static fn (): bool => self::$app->ask('/version')[2] === $wanted);
    }
}
