<?php

declare(strict_types=1);

/*
 * The event boot: one process of each generation loads the application and forks the workers, which the supervisor knows as its own.
 * A reload loads the next generation first, and nothing of the present one ends when that fails.
 */

namespace Stampede\Tests\E2e;

final class generations_test extends EndToEndTest
{
    private static Control $control;
    private static string $path;
    private static Server $server;
    private static string $code;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-generations-' . getmypid();
        mkdir($folder);
        self::$code = $code = "{$folder}/code.php";
        self::$path = $path = "{$folder}/control.sock";
        self::write('return 1;');
        self::$server = new Server('generations', ['worker_num' => 2, 'boot_timeout' => 2, 'control_socket' => $path, '_code' => $code, 'log_date_format' => '']);
        self::$control = new Control($path);
        Server::until(10, static fn (): bool => self::generation()['boot_pid'] !== 0);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testFamilies(): void
    {
        $server = self::$server;
        Server::until(10, static fn (): bool => self::generation()['boot_pid'] !== 0);
        $boot = self::generation()['boot_pid'];
        $family = self::ofAll('/family');
        $this->same('two workers, children of the supervisor, are forked by the boot process', [[$server->pid(), $server->pid()], [$boot, $boot]], [array_column($family, 'parent'), array_column($family, 'by')]);
        $this->same('the supervisor has loaded nothing', ['present' => 0, 'asked' => 0, 'settled' => 0, 'loading' => false, 'replacing' => false, 'failure' => '', 'boot_pid' => $boot], self::generation());
        $random = array_map(static fn (): string => ask($server, '/random')[1], range(1, 20));
        $this->same('no two responses have the same random numbers', 20, count(array_unique($random)));

        posix_kill($family[0]['pid'], SIGKILL);
        $this->check('another worker is there soon', Server::until(10, static fn (): bool => count(self::$control->ask(['workers'])['workers']) === 2 && array_unique(array_column(self::$control->ask(['workers'])['workers'], 'state')) === ['serving'] && !in_array($family[0]['pid'], array_column(self::$control->ask(['workers'])['workers'], 'pid'), true)));
        $this->same('without a boot', [$boot, $boot], array_column(self::ofAll('/family'), 'by'));
        $this->check('its end is in the log', str_contains($server->output(), "worker 0 (pid {$family[0]['pid']}) was ended by signal 9") || str_contains($server->output(), "worker 1 (pid {$family[0]['pid']}) was ended by signal 9"), $server->output());
    }

    public function testAReloadUnderLoad(): void
    {
        $server = self::$server;
        $boot = self::generation()['boot_pid'];
        self::write('return 2;');
        $load = new Load($server->address(), 12, '/code');
        $asked = false;
        $ended = $load->runUntil(static function () use (&$asked, $load): bool {
            if (!$asked && $load->answered > 200) {
                $asked = true;
                self::$control->ask(['reload']);
            }
            return $asked && self::generation()['settled'] === 1 && $load->answered > 1000;
        });
        $this->check('a reload under load loses no request', $ended && $load->failures() === 0 && $load->sent === $load->answered, $load->summary());
        $this->check('it brings the new code', self::brings(2));
        $this->check('of another boot process', self::generation()['boot_pid'] !== $boot && Server::until(5, static fn (): bool => !posix_kill($boot, 0)), json_encode(self::generation()));
    }

    public function testBootsThatFail(): void
    {
        [$server, $code] = [self::$server, self::$code];
        self::write('return 2;');
        self::settle();
        foreach ([
            'an exception' => ['throw new RuntimeException("no " . "boot");', 'RuntimeException: no boot in ' . $code . ':1'],
            'a syntax error' => ['return (;', 'ParseError: syntax error, unexpected token ";" in ' . $code . ':1'],
            'exit()' => ['exit(0);', 'it called exit()'],
            'a fatal error' => ['class Broken implements Countable {}', 'Class Broken contains 1 abstract method'],
            'a signal' => ['Swoole\\Process::kill(getmypid(), 9);', 'its process was ended by signal 9'],
            'a boot that does not end' => ['for (;;) { usleep(1000); }', 'it did not come to its end within 2 seconds'],
            'a wait for nothing' => ['Swoole\Coroutine::yield();', 'waits for something that cannot happen'],
        ] as $name => [$text, $why]) {
            $before = self::generation();
            self::write($text);
            $after = self::settle();
            $this->check("{$name}: the reload fails with the reason", str_contains($after['failure'], $why) && $after['present'] === $before['present'] && $after['boot_pid'] === $before['boot_pid'] && !$after['loading'], json_encode($after));
            $this->check("{$name}: the supervisor tells", Server::until(5, static fn (): bool => str_contains($server->output(), "told by the supervisor: {$after['failure']}")), $server->output());
            $this->same("{$name}: the generation before goes on", 2, self::value());
        }
        foreach ([
            'an exception' => ['throw new RuntimeException("not healthy");', 'RuntimeException: not healthy in'],
            'exit()' => ['exit(0);', 'it called exit()'],
            'a signal' => ['Swoole\Process::kill(getmypid(), 9);', 'the process of the event bootCheck was ended by signal 9'],
            'no end' => ['for (;;) { usleep(1000); }', 'it did not come to its end within 2 seconds'],
        ] as $name => [$text, $why]) {
            self::write("return ['check' => static function () { {$text} }];");
            $this->check("a check with {$name}: the generation is not used", str_contains(self::settle()['failure'], $why) && self::value() === 2, json_encode(self::generation()));
        }
        $this->same('nothing of the checks is in the workers', '[]', ask($server, '/kept')[1]);
        self::write('return 3;');
        $this->check('mended', self::settle()['failure'] === '' && self::brings(3));
    }

    public function testTheNewestOfTwo(): void
    {
        self::write('usleep(300000); return 4;');
        self::$control->ask(['reload']);
        self::write('return 5;');
        self::$control->ask(['reload']);
        $this->check('the newest of two wins', Server::until(20, static fn (): bool => self::generation()['settled'] === self::generation()['asked']) && self::brings(5), json_encode(self::generation()));
    }

    public function testABootProcessThatIsKilled(): void
    {
        $server = self::$server;
        $before = self::generation()['boot_pid'];
        posix_kill($before, SIGKILL);
        $this->check('one that is killed is replaced', Server::until(20, static fn (): bool => !in_array(self::generation()['boot_pid'], [0, $before], true)), $server->output());
        $this->check('and forks workers', (static function (): bool {
            posix_kill(self::ofAll('/family')[0]['pid'], SIGKILL);
            return Server::until(20, static fn (): bool => in_array(self::generation()['boot_pid'], array_column(self::ofAll('/family'), 'by'), true));
        })());
        foreach ([SIGTERM, SIGINT, SIGHUP, SIGUSR1] as $signal) { // as a terminal or a service manager does
            posix_kill(self::generation()['boot_pid'], $signal);
        }
        $this->same('it leaves the signals of the family to the supervisor', $before = self::generation()['boot_pid'], self::settle()['boot_pid'] === 0 ? 0 : $before);
    }

    public function testWhatABootLeavesOpen(): void
    {
        [$server, $code] = [self::$server, self::$code];
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        $name = stream_socket_get_name($listener, false);
        self::write(<<<PHP
            Booted::\$kept = [stream_socket_client('tcp://{$name}'), fopen(__FILE__ . '.lock', 'c'), fopen(__FILE__ . '.log', 'a'), stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0)];
            flock(Booted::\$kept[1], LOCK_SH);
            Swoole\Coroutine::create(static fn () => Swoole\Coroutine::sleep(1000));
            Swoole\Timer::after(1000000, static fn () => null);
            return 6;
            PHP);
        self::settle();
        foreach ([
            "leaves a connection to {$name} open (descriptor ",
            "leaves the file {$code}.lock with a lock open (descriptor ",
            'leaves a connection to another process open (descriptor ',
            'leaves 1 coroutines that wait',
            'leaves 1 timers',
        ] as $sentence) {
            $this->check("the log says: {$sentence}", str_contains($server->output(), $sentence), $server->output());
        }
        $this->check('and nothing of a log file that is appended to', !str_contains($server->output(), "{$code}.log"), $server->output());
    }

    public function testAStopDuringABoot(): void
    {
        $server = self::$server;
        self::write('for (;;) { usleep(1000); }');
        self::$control->ask(['reload']);
        Server::until(10, static fn (): bool => self::generation()['loading']);
        $family = array_filter(array_map('intval', explode(' ', (string) file_get_contents("/proc/{$server->pid()}/task/{$server->pid()}/children"))));
        $server->stop();
        $this->same('a stop during a boot ends at once, with all processes', [true, []], [count($family) >= 4, array_filter($family, static fn (int $pid): bool => posix_kill($pid, 0))]);
    }

    public function testTaskWorkersUsersAndLogs(): void
    {
        [$code, $folder] = [self::$code, self::$folder];
        $path = "{$folder}/tasks.sock";
        self::write('return 6;');
        $log = "{$folder}/log";
        $server = new Server('generations', ['worker_num' => 2, 'task_worker_num' => 1, 'control_socket' => $path, 'log_file' => $log, '_code' => $code] + (posix_geteuid() === 0 ? ['user' => 'nobody'] : []));
        chmod($folder, 0777);
        self::$control = new Control($path);
        Server::until(10, static fn (): bool => self::generation()['boot_pid'] !== 0);
        $this->check('task workers are forked by the boot process as well', array_slice(json_decode(ask($server, '/task')[1], true), 1) === [$server->pid(), self::generation()['boot_pid']]);
        $user = posix_geteuid() === 0 ? posix_getpwnam('nobody')['uid'] : posix_geteuid();
        $this->same('all have become the user of the settings', [$user, $user], [(int) ask($server, '/user')[1], fileowner('/proc/' . self::generation()['boot_pid'])]);
        $task = json_decode(ask($server, '/task')[1], true)[0];
        $this->check('a reload replaces them', self::settle()['failure'] === '' && Server::until(10, static fn (): bool => !in_array(json_decode(ask($server, '/task')[1], true)[0], [$task, null], true)));
        rename($log, "{$log}.1");
        touch($log);
        chmod($log, 0666); // the user of the settings opens it, too
        posix_kill($server->pid(), SIGRTMIN);
        Server::until(10, static fn (): bool => array_filter(array_map(static fn (string $file): string|false => @readlink($file), glob('/proc/' . self::generation()['boot_pid'] . '/fd/*')), static fn (string|false $to): bool => $to === $log) !== []);
        $old = (int) ask($server, '/')[1];
        posix_kill($old, SIGKILL);
        Server::until(10, static fn (): bool => array_unique(array_column(self::$control->ask(['workers'])['workers'], 'state')) === ['serving'] && !in_array($old, array_column(self::$control->ask(['workers'])['workers'], 'pid'), true));
        $new = max(array_column(array_slice(self::$control->ask(['workers'])['workers'], 0, 2), 'pid'));
        $this->check('a worker that comes after a rotation logs to the new file', Server::until(20, static function () use ($server, $log, $new): bool {
            ask($server, '/throw');
            return str_contains((string) file_get_contents($log), "thrown by {$new}");
        }), (string) file_get_contents($log));
        $this->same('the end', 0, $server->stop());
    }

    public function testAFirstBootThatFailsThenComes(): void
    {
        $code = self::$code;
        $path = self::$folder . '/first.sock';
        self::write('throw new Exception("not yet");');
        $program = static function () use ($code, $path): array {
            $port = Server::freePort();
            $command = [...phpWithModule(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so'), '-n', __DIR__ . '/apps/generations.php', (string) $port, json_encode(['worker_num' => 1, 'task_worker_num' => 1, 'control_socket' => $path, '_code' => $code])];
            return [$port, proc_open($command, [['file', '/dev/null', 'r'], ['file', "{$code}.out", 'w'], ['file', "{$code}.out", 'a']], $pipes)];
        };
        [$port, $process] = $program();
        $this->check('a first boot that fails is tried again', Server::until(20, static fn (): bool => substr_count((string) @file_get_contents("{$code}.out"), 'not yet; next try in') >= 2 || substr_count((string) @file_get_contents("{$code}.out"), '; next try in') >= 2), (string) @file_get_contents("{$code}.out"));
        self::write('return 7;');
        $this->check('and then serves', Server::until(20, static fn (): bool => @file_get_contents("http://127.0.0.1:{$port}/code") === '7'));
        posix_kill(proc_get_status($process)['pid'], SIGKILL);
        proc_close($process);
        $this->check('when the supervisor is killed, all end', Server::until(20, static fn (): bool => (int) exec('pgrep -fc ' . escapeshellarg('apps/generations.php ' . $port)) <= 1));
    }

    private static function write(string $text): int|false
    {
        $code = self::$code;
        return file_put_contents($code, "<?php {$text}");
    }

    private static function value(): mixed
    {
        $server = self::$server;
        return json_decode(ask($server, '/code')[1], true);
    }

    /** Asks until both workers have responded. */
    private static function ofAll(string $path): array
    {
        $server = self::$server;
        $seen = [];
        Server::until(10, static function () use ($server, $path, &$seen): bool {
            $facts = json_decode(ask($server, $path)[1], true);
            $seen[$facts['pid']] = $facts;
            return count($seen) === 2;
        });
        return array_values($seen);
    }

    /** The workers of the generation before may take a last request. */
    private static function brings(mixed $wanted): bool
    {
        return Server::until(10, static fn (): bool => self::value() === $wanted);
    }

    private static function generation(): array
    {
        return self::$control->ask(['generation']);
    }

    /** Reloads, and waits until it has come to its end. */
    private static function settle(): array
    {
        $asked = self::generation()['asked'] + 1;
        self::$control->ask(['reload']);
        Server::until(20, static fn (): bool => self::generation()['settled'] >= $asked);
        return self::generation();
    }
}
