<?php

declare(strict_types=1);

/*
 * The event boot: one process of each generation loads the application and forks the workers, which the supervisor knows as its own.
 * A reload loads the next generation first, and nothing of the present one ends when that fails.
 */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
$folder = sys_get_temp_dir() . '/stampede-generations-' . getmypid();
mkdir($folder);
$code = "{$folder}/code.php";
$path = "{$folder}/control.sock";
$write = static fn (string $text): int|false => file_put_contents($code, "<?php {$text}");
$write('return 1;');
$server = new Server('generations', ['worker_num' => 2, 'boot_timeout' => 2, 'control_socket' => $path, '_code' => $code, 'log_date_format' => '']);
$control = new Control($path);
$value = static fn (): mixed => json_decode(ask($server, '/code')[1], true);
$generation = static function () use (&$control): array {
    return $control->ask(['generation']);
};
$settle = static function () use (&$control, $generation): array {
    $asked = $generation()['asked'] + 1;
    $control->ask(['reload']);
    Server::until(20, static fn (): bool => $generation()['settled'] >= $asked);
    return $generation();
};
/** Asks until both workers have responded. */
$ofAll = static function (string $path) use ($server): array {
    $seen = [];
    Server::until(10, static function () use ($server, $path, &$seen): bool {
        $facts = json_decode(ask($server, $path)[1], true);
        $seen[$facts['pid']] = $facts;
        return count($seen) === 2;
    });
    return array_values($seen);
};

/** The workers of the generation before may take a last request. */
$brings = static fn (mixed $wanted): bool => Server::until(10, static fn (): bool => $value() === $wanted);

// ---- families
Server::until(10, static fn (): bool => $generation()['boot_pid'] !== 0);
$boot = $generation()['boot_pid'];
$family = $ofAll('/family');
$report->same('two workers, children of the supervisor, are forked by the boot process', [[$server->pid(), $server->pid()], [$boot, $boot]], [array_column($family, 'parent'), array_column($family, 'by')]);
$report->same('the supervisor has loaded nothing', ['present' => 0, 'asked' => 0, 'settled' => 0, 'loading' => false, 'replacing' => false, 'failure' => '', 'boot_pid' => $boot], $generation());
$random = array_map(static fn (): string => ask($server, '/random')[1], range(1, 20));
$report->same('no two responses have the same random numbers', 20, count(array_unique($random)));

// ---- a worker that is killed
posix_kill($family[0]['pid'], SIGKILL);
$report->check('another worker is there soon', Server::until(10, static fn (): bool => count($control->ask(['workers'])['workers']) === 2 && array_unique(array_column($control->ask(['workers'])['workers'], 'state')) === ['serving'] && !in_array($family[0]['pid'], array_column($control->ask(['workers'])['workers'], 'pid'), true)));
$report->same('without a boot', [$boot, $boot], array_column($ofAll('/family'), 'by'));
$report->check('its end is in the log', str_contains($server->output(), "worker 0 (pid {$family[0]['pid']}) was ended by signal 9") || str_contains($server->output(), "worker 1 (pid {$family[0]['pid']}) was ended by signal 9"), $server->output());

// ---- reloads
$write('return 2;');
$load = new Load($server->address(), 12, '/code');
$asked = false;
$ended = $load->runUntil(static function () use (&$asked, $control, $load, $generation): bool {
    if (!$asked && $load->answered > 200) {
        $asked = true;
        $control->ask(['reload']);
    }
    return $asked && $generation()['settled'] === 1 && $load->answered > 1000;
});
$report->check('a reload under load loses no request', $ended && $load->failures() === 0 && $load->sent === $load->answered, $load->summary());
$report->check('it brings the new code', $brings(2));
$report->check('of another boot process', $generation()['boot_pid'] !== $boot && Server::until(5, static fn (): bool => !posix_kill($boot, 0)), json_encode($generation()));
foreach ([
    'an exception' => ['throw new RuntimeException("no " . "boot");', 'RuntimeException: no boot in ' . $code . ':1'],
    'a syntax error' => ['return (;', 'ParseError: syntax error, unexpected token ";" in ' . $code . ':1'],
    'exit()' => ['exit(0);', 'it called exit()'],
    'a fatal error' => ['class Broken implements Countable {}', 'Class Broken contains 1 abstract method'],
    'a signal' => ['Swoole\\Process::kill(getmypid(), 9);', 'its process was ended by signal 9'],
    'a boot that does not end' => ['for (;;) { usleep(1000); }', 'it did not come to its end within 2 seconds'],
    'a wait for nothing' => ['Swoole\Coroutine::yield();', 'waits for something that cannot happen'],
] as $name => [$text, $why]) {
    $before = $generation();
    $write($text);
    $after = $settle();
    $report->check("{$name}: the reload fails with the reason", str_contains($after['failure'], $why) && $after['present'] === $before['present'] && $after['boot_pid'] === $before['boot_pid'] && !$after['loading'], json_encode($after));
    $report->check("{$name}: the supervisor tells", Server::until(5, static fn (): bool => str_contains($server->output(), "told by the supervisor: {$after['failure']}")), $server->output());
    $report->same("{$name}: the generation before goes on", 2, $value());
}
foreach ([
    'an exception' => ['throw new RuntimeException("not healthy");', 'RuntimeException: not healthy in'],
    'exit()' => ['exit(0);', 'it called exit()'],
    'a signal' => ['Swoole\Process::kill(getmypid(), 9);', 'the process of the event bootCheck was ended by signal 9'],
    'no end' => ['for (;;) { usleep(1000); }', 'it did not come to its end within 2 seconds'],
] as $name => [$text, $why]) {
    $write("return ['check' => static function () { {$text} }];");
    $report->check("a check with {$name}: the generation is not used", str_contains($settle()['failure'], $why) && $value() === 2, json_encode($generation()));
}
$report->same('nothing of the checks is in the workers', '[]', ask($server, '/kept')[1]);
$write('return 3;');
$report->check('mended', $settle()['failure'] === '' && $brings(3));

// ---- reloads that overtake each other
$write('usleep(300000); return 4;');
$control->ask(['reload']);
$write('return 5;');
$control->ask(['reload']);
$report->check('the newest of two wins', Server::until(20, static fn (): bool => $generation()['settled'] === $generation()['asked']) && $brings(5), json_encode($generation()));

// ---- the boot process itself
$before = $generation()['boot_pid'];
posix_kill($before, SIGKILL);
$report->check('one that is killed is replaced', Server::until(20, static fn (): bool => !in_array($generation()['boot_pid'], [0, $before], true)), $server->output());
$report->check('and forks workers', (static function () use ($ofAll, $generation): bool {
    posix_kill($ofAll('/family')[0]['pid'], SIGKILL);
    return Server::until(20, static fn (): bool => in_array($generation()['boot_pid'], array_column($ofAll('/family'), 'by'), true));
})());
foreach ([SIGTERM, SIGINT, SIGHUP, SIGUSR1] as $signal) { // as a terminal or a service manager does
    posix_kill($generation()['boot_pid'], $signal);
}
$report->same('it leaves the signals of the family to the supervisor', $before = $generation()['boot_pid'], $settle()['boot_pid'] === 0 ? 0 : $before);

// ---- what cannot be shared
$listener = stream_socket_server('tcp://127.0.0.1:0');
$name = stream_socket_get_name($listener, false);
$write(<<<PHP
    Booted::\$kept = [stream_socket_client('tcp://{$name}'), fopen(__FILE__ . '.lock', 'c'), fopen(__FILE__ . '.log', 'a'), stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0)];
    flock(Booted::\$kept[1], LOCK_SH);
    Swoole\Coroutine::create(static fn () => Swoole\Coroutine::sleep(1000));
    Swoole\Timer::after(1000000, static fn () => null);
    return 6;
    PHP);
$settle();
foreach ([
    "leaves a connection to {$name} open (descriptor ",
    "leaves the file {$code}.lock with a lock open (descriptor ",
    'leaves a connection to another process open (descriptor ',
    'leaves 1 coroutines that wait',
    'leaves 1 timers',
] as $sentence) {
    $report->check("the log says: {$sentence}", str_contains($server->output(), $sentence), $server->output());
}
$report->check('and nothing of a log file that is appended to', !str_contains($server->output(), "{$code}.log"), $server->output());

// ---- the end
$write('for (;;) { usleep(1000); }');
$control->ask(['reload']);
Server::until(10, static fn (): bool => $generation()['loading']);
$family = array_filter(array_map('intval', explode(' ', (string) file_get_contents("/proc/{$server->pid()}/task/{$server->pid()}/children"))));
$server->stop();
$report->same('a stop during a boot ends at once, with all processes', [true, []], [count($family) >= 4, array_filter($family, static fn (int $pid): bool => posix_kill($pid, 0))]);

// ---- task workers, users, log files
$write('return 6;');
$log = "{$folder}/log";
$server = new Server('generations', ['worker_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path, 'log_file' => $log, '_code' => $code] + (posix_geteuid() === 0 ? ['user' => 'nobody'] : []));
chmod($folder, 0777);
$control = new Control($path);
Server::until(10, static fn (): bool => $generation()['boot_pid'] !== 0);
$report->check('task workers are forked by the boot process as well', array_slice(json_decode(ask($server, '/task')[1], true), 1) === [$server->pid(), $generation()['boot_pid']]);
$user = posix_geteuid() === 0 ? posix_getpwnam('nobody')['uid'] : posix_geteuid();
$report->same('all have become the user of the settings', [$user, $user], [(int) ask($server, '/user')[1], fileowner("/proc/{$generation()['boot_pid']}")]);
$task = json_decode(ask($server, '/task')[1], true)[0];
$report->check('a reload replaces them', $settle()['failure'] === '' && Server::until(10, static fn (): bool => !in_array(json_decode(ask($server, '/task')[1], true)[0], [$task, null], true)));
rename($log, "{$log}.1");
touch($log);
chmod($log, 0666); // the user of the settings opens it, too
posix_kill($server->pid(), SIGRTMIN);
Server::until(10, static fn (): bool => array_filter(array_map(static fn (string $file): string|false => @readlink($file), glob("/proc/{$generation()['boot_pid']}/fd/*")), static fn (string|false $to): bool => $to === $log) !== []);
$old = (int) ask($server, '/')[1];
posix_kill($old, SIGKILL);
Server::until(10, static fn (): bool => array_unique(array_column($control->ask(['workers'])['workers'], 'state')) === ['serving'] && !in_array($old, array_column($control->ask(['workers'])['workers'], 'pid'), true));
$new = max(array_column(array_slice($control->ask(['workers'])['workers'], 0, 2), 'pid'));
$report->check('a worker that comes after a rotation logs to the new file', Server::until(20, static function () use ($server, $log, $new): bool {
    ask($server, '/throw');
    return str_contains((string) file_get_contents($log), "thrown by {$new}");
}), (string) file_get_contents($log));
$report->same('the end', 0, $server->stop());

// ---- a first boot that fails, then comes
$write('throw new Exception("not yet");');
$program = static function () use ($code, $path): array {
    $port = Server::freePort();
    $command = [...phpWithModule(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so'), '-n', __DIR__ . '/apps/generations.php', (string) $port, json_encode(['worker_num' => 1, 'task_worker_num' => 1, 'control_socket' => $path, '_code' => $code])];
    return [$port, proc_open($command, [['file', '/dev/null', 'r'], ['file', "{$code}.out", 'w'], ['file', "{$code}.out", 'a']], $pipes)];
};
[$port, $process] = $program();
$report->check('a first boot that fails is tried again', Server::until(20, static fn (): bool => substr_count((string) @file_get_contents("{$code}.out"), 'not yet; next try in') >= 2 || substr_count((string) @file_get_contents("{$code}.out"), '; next try in') >= 2), (string) @file_get_contents("{$code}.out"));
$write('return 7;');
$report->check('and then serves', Server::until(20, static fn (): bool => @file_get_contents("http://127.0.0.1:{$port}/code") === '7'));
posix_kill(proc_get_status($process)['pid'], SIGKILL);
proc_close($process);
$report->check('when the supervisor is killed, all end', Server::until(20, static fn (): bool => (int) exec('pgrep -fc ' . escapeshellarg('apps/generations.php ' . $port)) <= 1));
exec('rm -rf ' . escapeshellarg($folder));
$report->finish();
