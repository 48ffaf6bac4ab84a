<?php

declare(strict_types=1);

/* Applications that misbehave while they boot, and places that cannot be written: what the command stampede says, and that it goes on or ends. */

namespace Stampede\Tests\E2e;

const APPLICATION = 'return static fn () => new class implements Psr\Http\Server\RequestHandlerInterface {
    public function handle(Psr\Http\Message\ServerRequestInterface $request): Psr\Http\Message\ResponseInterface {
        return new Nyholm\Psr7\Response(200, [], "served in " . basename(getcwd()));
    }
};';

final class launcher_faults_test extends EndToEndTest
{
    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('slim');
    }

    public function testAPHPWithoutWhatTheCommandNeeds(): void
    {
        $app = self::$app;
        foreach (['ctype', 'pcntl', 'posix', 'tokenizer'] as $extension) {
            $others = array_diff(['ctype', 'pcntl', 'posix', 'tokenizer', 'mbstring'], [$extension]);
            $loads = array_merge(...array_map(static fn (string $name): array => extension_loaded($name) && is_file(ini_get('extension_dir') . "/{$name}.so") ? ['-d', "extension={$name}"] : [], $others));
            if (!is_file(ini_get('extension_dir') . "/{$extension}.so")) {
                continue; // compiled into this PHP
            }
            $command = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', ...$loads, dirname(__DIR__, 2) . '/php/bin/stampede', 'serve', $app->folder]));
            exec("{$command} 2>&1", $lines, $status);
            $this->same("without the extension {$extension}: a sentence", [1, "The command stampede needs the PHP extension {$extension}: install the package, or load the extension in php.ini."], [$status, implode("\n", $lines)]);
            $lines = [];
        }
    }

    public function testABootThatCannotBeServed(): void
    {
        $app = self::$app;
        foreach ([
            'throws' => ['throw new DomainException("no database");', 'The application does not boot: DomainException: no database'],
            'exits' => ['exit(3);', 'does not boot'],
            'exits with a text' => ['exit("not configured");', 'does not boot'],
            'has a fatal error' => ['nowhere();', 'Call to undefined function nowhere()'],
            'has a syntax error' => ['function {', 'syntax error'],
            'kills itself' => ['posix_kill(getpid(), SIGKILL);', 'does not boot'],
            'forks' => ['pcntl_fork();', 'pcntl_fork() must be called outside the coroutine'],
            'takes too long' => ['sleep(60);', 'does not boot'],
        ] as $name => [$code, $sentence]) {
            $began = microtime(true);
            $this->check("an application that {$name} while it boots: a sentence", !self::boots($code, ['--boot-timeout=3']) && str_contains($app->output(), $sentence), $app->output());
            $this->check('and the command has ended', Server::until(15.0, static fn (): bool => !$app->alive()) && microtime(true) - $began < 40.0);
            $app->stop();
        }
    }

    public function testABootThatLeavesSomethingBehind(): void
    {
        $app = self::$app;
        foreach ([
            'prints' => 'echo "hello from the boot";',
            'runs a program' => 'exec("true");',
            'changes the folder' => 'chdir("/");',
            'sets an error handler that throws' => 'set_error_handler(static fn (int $type, string $text) => throw new ErrorException($text, 0, $type));',
        ] as $name => $code) {
            $this->check("an application that {$name} while it boots is served", self::boots($code), $app->output());
            [$status, $head, $body] = $app->ask('/');
            $this->same('as if it had not', [200, 'served in ' . basename($app->folder)], [$status, $body]);
            $this->same('again', 200, $app->ask('/')[0]);
            $this->same('and after a reload', [0, 200], [Application::run(['reload', $app->folder])[0], $app->ask('/')[0]]);
            $app->stop();
        }
    }

    public function testABootThatTakesLong(): void
    {
        $app = self::$app;
        self::begins('while (!file_exists(__DIR__ . "/told")) { usleep(5000); clearstatcache(); }');
        $isTold = static fn (): bool => preg_match('/The application is booting for \d+ s: \S*app\.php has not returned yet/', $app->output()) === 1;
        $this->check('a long boot is told of while it lasts', Server::until(30.0, $isTold) && !str_contains($app->output(), 'Listening on'), $app->output());
        touch("{$app->folder}/told");
        $this->check('and is served after it', $app->listens(), $app->output());
        $app->stop();
        $this->check('a quick one is not', self::boots('') && !str_contains($app->output(), 'is booting for'), $app->output());
        $app->stop();
    }

    public function testPlacesThatCannotBeUsed(): void
    {
        $app = self::$app;
        self::boots('');
        $app->stop();
        foreach ([
            'a folder of the log that is not there' => ["--log-file={$app->folder}/nowhere/log", 'nowhere/log'],
            'a log that is a folder' => ["--log-file={$app->folder}", basename($app->folder)],
            'a folder of the pid file that is not there' => ["--pid-file={$app->folder}/nowhere/pid.json", 'nowhere/pid.json cannot be used: the folder'],
            'a pid file that is a device' => ['--pid-file=/dev/full', 'The pid file /dev/full cannot be used: it is no file'],
            'a folder of the unix socket that is not there' => ["--listen=unix:{$app->folder}/nowhere/socket", 'nowhere/socket'],
        ] as $name => [$option, $sentence]) {
            $this->check("{$name}: a sentence", !self::boots('', [$option]) && Server::until(15.0, static fn (): bool => !$app->alive()) && str_contains($app->output(), $sentence), $app->output());
            $app->stop();
        }
        $this->check('a log on a full disk does not end the server', self::boots('', ['--log-file=/dev/full']) || $app->ask('/')[0] === 200, $app->output());
        $this->same('it serves', 200, $app->ask('/')[0]);
        $app->stop();
    }

    public function testAFullDiskBelowThePidFile(): void
    {
        $app = self::$app;
        $disk = "{$app->folder}/disk";
        mkdir($disk);
        exec('mount -t tmpfs -o size=16k stampede-test ' . escapeshellarg($disk) . ' 2>/dev/null', $output, $status);
        if ($status === 0) {
            @file_put_contents("{$disk}/all", str_repeat('x', 65536));
            $this->check('a pid file on a full disk: a sentence', !self::boots('', ["--pid-file={$disk}/pid.json"]) || Server::until(15.0, static fn (): bool => !$app->alive()), $app->output());
            $this->check('which says so', str_contains($app->output(), 'is its disk full?'), $app->output());
            $this->same('nothing of it is left', ['all'], array_values(array_diff(scandir($disk), ['.', '..'])));
            $app->stop();
            exec('umount ' . escapeshellarg($disk));
        } else {
            $this->remark('no test of a full disk: this machine lets nobody mount one');
        }
    }

    public function testTheNumberOfWorkersByWhatTheControlGroup(): void
    {
        $all = (int) trim((string) shell_exec('nproc'));
        $half = ['cpu.max' => '50000 100000', 'memory.max' => (string) (128 << 20)];
        $one = ['cpu/pod/php/cpu.cfs_quota_us' => '100000', 'cpu/pod/php/cpu.cfs_period_us' => '100000'];
        foreach ([
            'half a processor and 128 MiB' => ['0::/', $half, 1],
            'no limits' => ['0::/', ['cpu.max' => 'max 100000', 'memory.max' => 'max'], $all],
            'one and a half processors and much memory' => ['0::/', ['cpu.max' => '150000 100000', 'memory.max' => (string) (8 << 30)], min(2, $all)],
            'all processors and 64 MiB' => ['0::/', ['cpu.max' => 'max 100000', 'memory.max' => (string) (64 << 20)], 1],
            'nothing that can be read' => ['', [], $all],
            'a group of its own' => ['0::/system.slice/app.service', ['system.slice/app.service/cpu.max' => '30000 100000', 'system.slice/app.service/memory.max' => 'max'], 1],
            'a limit of a group above' => ['0::/system.slice/app.service', ['system.slice/memory.max' => (string) (70 << 20), 'system.slice/app.service/memory.max' => (string) (8 << 30)], 1],
            'names of the host in a container' => ['0::/docker/abc', $half, 1],
            'version 1' => ["4:memory:/pod/php\n1:cpu:/pod/php\n0::/", $one + ['memory/pod/php/memory.limit_in_bytes' => '9223372036854771712'], 1],
            'version 1, the memory' => ["4:memory:/pod/php\n1:cpu:/", ['memory/pod/memory.limit_in_bytes' => (string) (70 << 20), 'cpu/cpu.cfs_quota_us' => '-1', 'cpu/cpu.cfs_period_us' => '100000'], 1],
            'version 1 without limits' => ["4:memory:/\n2:cpu,cpuacct:/", ['memory/memory.limit_in_bytes' => '9223372036854771712', 'cpu,cpuacct/cpu.cfs_quota_us' => '-1'], $all],
        ] as $name => [$membership, $files, $workers]) {
            $root = External::folder();
            file_put_contents("{$root}/membership", $membership);
            foreach ($files as $file => $text) {
                is_dir($folder = dirname("{$root}/{$file}")) || mkdir($folder, 0777, true);
                file_put_contents("{$root}/{$file}", "{$text}\n");
            }
            $this->same("workers with {$name}", $workers, self::workers("'{$root}', '{$root}/membership'"));
            exec('rm -rf ' . escapeshellarg($root));
        }
        $this->same('workers on one processor', 1, self::workers('', ['taskset', '-c', '0']));
        $group = ControlGroup::of('memory');
        if ($group === null) {
            $this->remark('no test in a real control group: this machine lets nobody make one');
            return;
        }
        $group->limitMemory(100 << 20);
        $this->same('workers in a real control group of 100 MiB', 1, self::workers('', ['sh', '-c', 'echo $$ > "$0" && exec "$@"', $group->processesFile()]));
    }

    /** @param list<string> $before the command that runs PHP */
    private static function workers(string $arguments, array $before = []): int
    {
        $source = dirname(__DIR__, 2) . '/php/src/Config';
        $command = [...$before, ...phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')), '-r',
            "require '{$source}/ControlGroup.php'; require '{$source}/Machine.php'; echo Stampede\\Config\\Machine::here(new Stampede\\Config\\ControlGroup({$arguments}))->workers();"];
        return (int) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)));
    }

    private static function begins(string $code, array $options = []): void
    {
        $app = self::$app;
        file_put_contents("{$app->folder}/app.php", "<?php require_once __DIR__ . '/vendor/autoload.php';\n{$code}\n" . APPLICATION);
        $app->start(['--workers=1', '--log-format=off', ...$options]);
    }

    private static function boots(string $code, array $options = []): bool
    {
        $app = self::$app;
        self::begins($code, $options);
        return $app->listens();
    }
}
