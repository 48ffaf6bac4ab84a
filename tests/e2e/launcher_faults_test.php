<?php

declare(strict_types=1);

/* Applications that misbehave while they boot, and places that cannot be written: what the command stampede says, and that it goes on or ends. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';
require_once __DIR__ . '/lib/External.php';
require_once __DIR__ . '/lib/Application.php';

const APPLICATION = 'return static fn () => new class implements Psr\Http\Server\RequestHandlerInterface {
    public function handle(Psr\Http\Message\ServerRequestInterface $request): Psr\Http\Message\ResponseInterface {
        return new Nyholm\Psr7\Response(200, [], "served in " . basename(getcwd()));
    }
};';

$report = new Report();
$app = new Application('slim');
$begins = static function (string $code, array $options = []) use ($app): void {
    file_put_contents("{$app->folder}/app.php", "<?php require_once __DIR__ . '/vendor/autoload.php';\n{$code}\n" . APPLICATION);
    $app->start(['--workers=1', '--log-format=off', ...$options]);
};
$boots = static function (string $code, array $options = []) use ($app, $begins): bool {
    $begins($code, $options);
    return $app->listens();
};

// ---- a PHP without what the command needs
foreach (['ctype', 'pcntl', 'posix', 'tokenizer'] as $extension) {
    $others = array_diff(['ctype', 'pcntl', 'posix', 'tokenizer', 'mbstring'], [$extension]);
    $loads = array_merge(...array_map(static fn (string $name): array => extension_loaded($name) && is_file(ini_get('extension_dir') . "/{$name}.so") ? ['-d', "extension={$name}"] : [], $others));
    if (!is_file(ini_get('extension_dir') . "/{$extension}.so")) {
        continue; // compiled into this PHP
    }
    $command = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', ...$loads, dirname(__DIR__, 2) . '/php/bin/stampede', 'serve', $app->folder]));
    exec("{$command} 2>&1", $lines, $status);
    $report->same("without the extension {$extension}: a sentence", [1, "The command stampede needs the PHP extension {$extension}: install the package, or load the extension in php.ini."], [$status, implode("\n", $lines)]);
    $lines = [];
}

// ---- a boot that cannot be served
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
    $report->check("an application that {$name} while it boots: a sentence", !$boots($code, ['--boot-timeout=3']) && str_contains($app->output(), $sentence), $app->output());
    $report->check('and the command has ended', Server::until(15.0, static fn (): bool => !$app->alive()) && microtime(true) - $began < 40.0);
    $app->stop();
}

// ---- a boot that leaves something behind
foreach ([
    'prints' => 'echo "hello from the boot";',
    'runs a program' => 'exec("true");',
    'changes the folder' => 'chdir("/");',
    'sets an error handler that throws' => 'set_error_handler(static fn (int $type, string $text) => throw new ErrorException($text, 0, $type));',
] as $name => $code) {
    $report->check("an application that {$name} while it boots is served", $boots($code), $app->output());
    [$status, $head, $body] = $app->ask('/');
    $report->same('as if it had not', [200, 'served in ' . basename($app->folder)], [$status, $body]);
    $report->same('again', 200, $app->ask('/')[0]);
    $report->same('and after a reload', [0, 200], [Application::run(['reload', $app->folder])[0], $app->ask('/')[0]]);
    $app->stop();
}

// ---- a boot that takes long
$begins('while (!file_exists(__DIR__ . "/told")) { usleep(5000); clearstatcache(); }');
$isTold = static fn (): bool => preg_match('/The application is booting for \d+ s: \S*app\.php has not returned yet/', $app->output()) === 1;
$report->check('a long boot is told of while it lasts', Server::until(30.0, $isTold) && !str_contains($app->output(), 'Listening on'), $app->output());
touch("{$app->folder}/told");
$report->check('and is served after it', $app->listens(), $app->output());
$app->stop();
$report->check('a quick one is not', $boots('') && !str_contains($app->output(), 'is booting for'), $app->output());
$app->stop();

// ---- places that cannot be used
$boots('');
$app->stop();
foreach ([
    'a folder of the log that is not there' => ["--log-file={$app->folder}/nowhere/log", 'nowhere/log'],
    'a log that is a folder' => ["--log-file={$app->folder}", basename($app->folder)],
    'a folder of the pid file that is not there' => ["--pid-file={$app->folder}/nowhere/pid.json", 'nowhere/pid.json cannot be used: the folder'],
    'a pid file that is a device' => ['--pid-file=/dev/full', 'The pid file /dev/full cannot be used: it is no file'],
    'a folder of the unix socket that is not there' => ["--listen=unix:{$app->folder}/nowhere/socket", 'nowhere/socket'],
] as $name => [$option, $sentence]) {
    $report->check("{$name}: a sentence", !$boots('', [$option]) && Server::until(15.0, static fn (): bool => !$app->alive()) && str_contains($app->output(), $sentence), $app->output());
    $app->stop();
}
$report->check('a log on a full disk does not end the server', $boots('', ['--log-file=/dev/full']) || $app->ask('/')[0] === 200, $app->output());
$report->same('it serves', 200, $app->ask('/')[0]);
$app->stop();

// ---- a full disk below the pid file
$disk = "{$app->folder}/disk";
mkdir($disk);
exec('mount -t tmpfs -o size=16k stampede-test ' . escapeshellarg($disk) . ' 2>/dev/null', $output, $status);
if ($status === 0) {
    @file_put_contents("{$disk}/all", str_repeat('x', 65536));
    $report->check('a pid file on a full disk: a sentence', !$boots('', ["--pid-file={$disk}/pid.json"]) || Server::until(15.0, static fn (): bool => !$app->alive()), $app->output());
    $report->check('which says so', str_contains($app->output(), 'is its disk full?'), $app->output());
    $report->same('nothing of it is left', ['all'], array_values(array_diff(scandir($disk), ['.', '..'])));
    $app->stop();
    exec('umount ' . escapeshellarg($disk));
} else {
    echo "# no test of a full disk: this machine lets nobody mount one\n";
}

// ---- the number of workers by what the control group allows
$processors = (int) trim((string) shell_exec('nproc'));
$machine = dirname(__DIR__, 2) . '/php/src/Launcher/Machine.php';
$php = implode(' ', array_map(escapeshellarg(...), phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so'))));
foreach ([
    'half a processor and 128 MiB' => ['50000 100000', (string) (128 << 20), 1],
    'no limits' => ['max 100000', 'max', $processors],
    'one and a half processors and much memory' => ['150000 100000', (string) (8 << 30), min(2, $processors)],
    'all processors and 64 MiB' => ['max 100000', (string) (64 << 20), 1],
    'nothing that can be read' => ['', '', $processors],
] as $name => [$quota, $memory, $workers]) {
    file_put_contents("{$app->folder}/cpu.max", $quota);
    file_put_contents("{$app->folder}/memory.max", $memory);
    $report->same("workers with {$name}", $workers, (int) shell_exec("{$php} -r " . escapeshellarg("require '{$machine}'; echo Stampede\\Launcher\\Machine::here('{$app->folder}')->workers();")));
}
unset($app);
$report->finish();
