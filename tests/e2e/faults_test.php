<?php

declare(strict_types=1);

/*
 * What breaks, and what must happen then: one request fails, its neighbours and the server do not.
 */

namespace Stampede\Tests\E2e;

final class faults_test extends EndToEndTest
{
    private static Server $server;
    private static mixed $worker;
    private static mixed $events;

    public static function setUpBeforeClass(): void
    {
        self::$events = $events = tempnam(sys_get_temp_dir(), 'events');

        // Outcomes of a handler; one worker, so that each must leave the next request a sound process.
        self::$server = $server = new Server('lifecycle', ['worker_num' => 1, '_events' => $events]);
        self::$worker = ask($server, '/pid')[1];
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $events = self::$events;
        unlink($events);
    }

    public function testExceptionsAndExit(): void
    {
        [$server, $worker] = [self::$server, self::$worker];
        $this->same('an exception is a 500', 500, ask($server, '/throw')[0]);
        $this->check('its trace is logged', self::logged($server, 'a fault') && self::logged($server, 'lifecycle.php'));
        $late = ask($server, '/throw-late');
        $this->check('an exception behind the first piece cuts the answer off', $late[0] === 0 || !str_ends_with($late[1], "0\r\n\r\n"), json_encode($late));
        $this->same('exit() ends its request only', 200, ask($server, '/exit')[0]);
        $this->same('exit() can be caught', [200, 'swoole exit 7'], ask($server, '/exit-caught'));
        $this->same('exit behind the answer leaves it whole', [200, 'whole'], ask($server, '/exit-ended'));
        $this->same('a handler that never answers gives a 500', 500, ask($server, '/unanswered')[0]);
        $this->same('all of that in one worker', $worker, ask($server, '/pid')[1]);
    }

    public function testFatalErrors(): void
    {
        $server = self::$server;
        foreach (['/fatal' => 'a fatal error', '/memory' => 'Allowed memory size'] as $path => $text) {
            $worker = ask($server, '/pid')[1];
            $neighbours = new Load($server->address(), 5, '/sleep?t=0.6');
            $asked = null;
            $neighbours->runUntil(static function (Load $load) use ($server, $path, &$asked): bool {
                if ($load->sent === 5 && $asked === null) {
                    $asked = ask($server, $path);
                }
                return $load->answered >= 5;
            });
            $this->same("$path is a 500", 500, $asked[0]);
            $this->check("$path is logged", self::logged($server, $text));
            $this->check("$path leaves its neighbours alone", $neighbours->failures() === 0 && ($neighbours->statuses[200] ?? 0) >= 5, $neighbours->summary());
            $this->check("$path: the worker is replaced", Server::until(8, static fn (): bool => children($server->pid()) !== []
                && !in_array((int) $worker, children($server->pid()), true)), $server->output());
            $this->same("$path: and the new one serves", [200, 'hello'], ask($server, '/'));
        }
    }

    public function testAFatalErrorInACallThatWaits(): void
    {
        $server = self::$server;
        $neighbour = new Load($server->address(), 1, '/blocking-child');
        $status = null;
        $neighbour->runUntil(static function (Load $load) use ($server, &$status): bool {
            if ($load->sent === 1 && $status === null) {
                $status = ask($server, '/fatal-in-wait')[0];
            }
            return $load->answered >= 1;
        });
        $this->same('a fatal error in Blocking::wait() is a 500', 500, $status);
        $this->same('the calls of a coroutine after it block as its flags say', [200 => 1], $neighbour->statuses);
    }

    public function testAWorkerThatIsKilled(): void
    {
        [$server, $events] = [self::$server, self::$events];
        // Killed under load: only what was in flight fails, and it is named.
        posix_kill($server->pid(), 0);
        unset($server);
        foreach ([SIGKILL, SIGSEGV, SIGABRT] as $signal) {
            file_put_contents($events, '');
            $server = new Server('lifecycle', ['worker_num' => 2, '_events' => $events]);
            Server::until(5, static fn (): bool => count(preg_grep('/workerStart/', events($events))) === 2);
            $load = new Load($server->address(), 10, '/sleep?t=0.3');
            $killed = 0;
            $replaced = 0.0;
            $at = microtime(true) + 0.5;
            $load->runUntil(static function () use ($server, $signal, &$killed, &$replaced, &$at): bool {
                $workers = children($server->pid());
                if ($killed === 0 && microtime(true) > $at) {
                    $killed = $workers[0];
                    posix_kill($killed, $signal);
                    $at = microtime(true);
                } elseif ($killed !== 0 && $replaced === 0.0 && count($workers) === 2 && !in_array($killed, $workers, true)) {
                    $replaced = microtime(true) - $at;
                }
                return $killed !== 0 && microtime(true) > $at + 1.5;
            });
            $this->check("signal $signal: replaced in well under a second", $replaced > 0.0 && $replaced < 0.5, (string) $replaced);
            $this->check("signal $signal: only requests in flight fail", $load->refused === 0 && $load->cut <= 10 && $load->cut > 0, $load->summary());
            $this->check("signal $signal: named in the log", self::logged($server, 'lost with worker') && self::logged($server, 'GET /sleep') && !self::logged($server, 'sleep?t=0.3') && self::logged($server, "signal $signal"), $server->output());
            $this->check("signal $signal: workerError tells it", Server::until(3, static fn (): bool => preg_grep("/workerError \d $killed 0 $signal\$/", events($events)) !== []));
            $this->same("signal $signal: the server ends well", 0, $server->stop());
            unset($server);
        }
    }

    public function testASupervisorThatIsKilled(): void
    {
        // The supervisor killed: what is in flight ends, then everything is gone and the port free.
        $server = new Server('lifecycle', ['worker_num' => 2]);
        $workers = workers($server, 2);
        $load = new Load($server->address(), 10, '/sleep?t=1');
        $killed = false;
        $load->runUntil(static function (Load $load) use ($server, &$killed): bool {
            if ($load->sent === 10 && !$killed) {
                Server::until(5, static fn (): bool => inFlight($server) >= 10);
                $killed = posix_kill($server->pid(), SIGKILL);
            }
            return $killed;
        });
        $this->check('the supervisor is killed: requests in flight are answered', $load->cut === 0 && $load->answered === 10, $load->summary());
        $this->check('its workers go within 5 s', Server::until(5, static fn (): bool => array_filter($workers, static fn (int $pid): bool => posix_kill($pid, 0)) === []));
        $again = @stream_socket_server($server->address());
        $this->check('and the port is free', $again !== false);
        $again !== false && fclose($again);
        unset($server);
    }

    public function testWorkersThatCannotStart(): void
    {
        $events = self::$events;
        // A worker that dies at start again and again.
        $boot = tempnam(sys_get_temp_dir(), 'boot');
        file_put_contents($events, '');
        $server = new Server('lifecycle', ['worker_num' => 2, '_boot' => $boot, '_events' => $events]);
        Server::until(5, static fn (): bool => count(preg_grep('/workerStart/', events($events))) === 2);
        ask($server, '/');
        $serving = children($server->pid());
        file_put_contents($boot, 'fail');
        file_put_contents($events, '');
        posix_kill($server->pid(), SIGUSR1);
        $this->check('a reload that fails leaves the old workers', self::logged($server, 'the old one stays')
            && Server::until(5, static fn (): bool => children($server->pid()) === $serving), $server->output());
        $this->same('which go on serving', [200, 'hello'], ask($server, '/'));
        posix_kill($serving[0], SIGKILL);
        $cpu = static fn (): int => array_sum(array_slice(explode(' ', (string) file_get_contents('/proc/' . $server->pid() . '/stat')), 13, 4));
        Server::until(2, static fn (): bool => preg_grep('/workerStart/', events($events)) !== []);
        $before = $cpu();
        $boots = count(preg_grep('/workerStart/', events($events)));
        $load = (new Load($server->address(), 2))->runFor(4.0);
        $boots = count(preg_grep('/workerStart/', events($events))) - $boots;
        $this->check('a worker that cannot start is tried a few times, not in a loop', $boots >= 1 && $boots <= 4, (string) $boots);
        $this->check('which costs under 5 % of a processor', ($cpu() - $before) / 4 < 5, (string) (($cpu() - $before) / 4));
        $this->check('says so', self::logged($server, 'times in a row right after its start') && self::logged($server, 'this worker cannot start'));
        $this->check('and the other worker serves on', $load->failures() === 0 && $load->answered > 100, $load->summary());
        file_put_contents($boot, '');
        $this->check('until it can', Server::until(35, static fn (): bool => count(children($server->pid())) === 2));
        $this->same('the server ends well', 0, $server->stop());
        unset($server, $boot);
    }

    public function testAnEndlessLoop(): void
    {
        // A handler that never gives the processor back.
        $server = new Server('lifecycle', ['worker_num' => 2, 'watchdog_timeout' => 1.5]);
        $peer = new Peer($server->address());
        $peer->send(["GET /loop HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $load = (new Load($server->address(), 4))->runFor(1.0);
        $this->check('an endless loop: other workers serve', $load->failures() === 0 && $load->answered > 50, $load->summary());
        $this->check('the watchdog ends it', str_contains($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'HTTP/1.1 500'), 60.0), 'HTTP/1.1 500'));
        $this->check('and says where', self::logged($server, 'watchdog_timeout') && (bool) preg_match('/lifecycle\.php on line \d+/', $server->output()), $server->output());
        $this->same('the server ends well behind it', 0, $server->stop());
        unset($server);
    }

    public function testStoppedProcesses(): void
    {
        // Stopped processes.
        $server = new Server('lifecycle', ['worker_num' => 2]);
        $workers = workers($server, 2);
        posix_kill($workers[0], SIGSTOP);
        $load = (new Load($server->address(), 1))->runFor(0.3);
        $stopped = new Load($server->address(), 8);
        $stopped->runFor(1.0);
        $this->check('a stopped worker: new connections are served by the other', $stopped->refused === 0 && $stopped->answered > 20, $stopped->summary());
        posix_kill($workers[0], SIGCONT);
        posix_kill($server->pid(), SIGSTOP);
        $load = (new Load($server->address(), 4))->runFor(0.5);
        $this->check('a stopped supervisor: the workers serve', $load->failures() === 0 && $load->answered > 20, $load->summary());
        posix_kill($server->pid(), SIGCONT);
        $this->same('all goes on', 0, $server->stop());
        unset($server);
    }

    public function testAStackOverflow(): void
    {
        // Too deep for a C stack: a clear message and a new worker, not corruption.
        $server = new Server('lifecycle', ['worker_num' => 1]);
        ask($server, '/recursion', 20);
        $this->check('a stack overflow is a clear message', self::logged($server, 'The C stack of') || self::logged($server, 'Maximum call stack size') || self::logged($server, 'Allowed memory size'), $server->output());
        $this->check('and the server goes on', Server::until(5, static fn (): bool => ask($server, '/')[0] === 200));
        unset($server);
    }

    public function testMoreCoroutinesThanAllowed(): void
    {
        // 100,000 coroutines in one request.
        $server = new Server('lifecycle', ['worker_num' => 1, 'max_coroutine' => 50000]);
        [$status, $body] = ask($server, '/many', 60);
        $this->check('more coroutines than allowed: the creator is told', $status === 200 && json_decode($body, true)[0] < 50000 && json_decode($body, true)[1] > 50000, "$status $body");
        $this->same('and the server goes on', [200, 'hello'], ask($server, '/'));
        unset($server);
    }

    public function testNoDescriptorsLeft(): void
    {
        // Descriptors run out.
        $server = new Server('lifecycle', ['worker_num' => 1]);
        Server::until(5, static fn (): bool => children($server->pid()) !== []);
        exec('prlimit --pid ' . worker($server) . ' --nofile=40:40');
        $peers = [];
        for ($i = 0; $i < 60; $i++) {
            $peers[] = new Peer($server->address());
        }
        foreach ($peers as $i => $peer) {
            $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $answered = static fn (): int => count(array_filter($peers, static fn (Peer $peer): bool => str_contains($peer->readUntil(static fn (string $bytes): bool => $bytes !== '', 0.01), 'hello')));
        Server::until(2, static fn (): bool => $answered() >= 20);
        $worker = worker($server);
        $ticks = static fn (int $pid): int => (int) explode(' ', (string) file_get_contents("/proc/$pid/stat"))[13] + (int) explode(' ', (string) file_get_contents("/proc/$pid/stat"))[14];
        $before = $ticks($worker);
        $start = microtime(true);
        Server::until(1, static fn (): bool => false);
        $share = ($ticks($worker) - $before) / (microtime(true) - $start);
        $this->check('no descriptors left: open connections are served, the processor rests', $answered() >= 10 && $share < 20, $answered() . " answered, $share %");
        foreach (array_slice($peers, 0, 40) as $peer) {
            $peer->close();
        }
        $this->check('and it recovers', Server::until(5, static fn (): bool => ask($server, '/')[0] === 200));
        unset($server, $peers, $peer);
    }

    public function testPeersThatGoAway(): void
    {
        $server = new Server('lifecycle', ['worker_num' => 1]);
        ask($server, '/'); // then its worker has opened what it needs
        $note = tempnam(sys_get_temp_dir(), 'note');
        $openBefore = count(glob('/proc/' . worker($server) . '/fd/*') ?: []);
        // Not a Peer, which would go on reading as fast as the server writes.
        $socket = stream_socket_client($server->address());
        $raw = socket_import_stream($socket);
        socket_set_option($raw, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        fwrite($socket, "GET /large?note=$note HTTP/1.1\r\nHost: a\r\n\r\n");
        fread($socket, 2000);
        fclose($socket);
        unset($raw, $socket);
        $this->check('a peer that goes in the middle of an answer is seen by the handler', Server::until(5, static fn (): bool => file_get_contents($note) === 'write failed'));
        for ($i = 0; $i < 500; $i++) {
            $gone = new Peer($server->address());
            $gone->send(["POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nhalf"]);
            $gone->abort();
        }
        $this->same('500 resets in the middle of a request leave a sound server', [200, 'hello'], ask($server, '/'));
        $open = static fn (): array => array_map(static fn (string $file): string => (string) @readlink($file), glob('/proc/' . worker($server) . '/fd/*') ?: []);
        $this->check('and no descriptor', Server::until(10, static fn (): bool => count($open()) <= $openBefore), "$openBefore before, " . implode(' ', $open()));
        unlink($note);
    }

    public function testThousandsOfFilesAskedForAtOnce(): void
    {
        $server = new Server('lifecycle', ['worker_num' => 1]);
        // Thousands of files asked for at once by a peer that does not read yet.
        $socket = stream_socket_client($server->address());
        stream_set_timeout($socket, 20);
        $descriptors = static fn (): int => count(glob('/proc/' . worker($server) . '/fd/*') ?: []);
        $before = $descriptors();
        $most = 0;
        for ($i = 0; $i < 100; $i++) {
            fwrite($socket, str_repeat("GET /file HTTP/1.1\r\nHost: a\r\n\r\n", 30));
            $most = max($most, $descriptors());
        }
        $this->check('3,000 pipelined file requests: a bounded number of descriptors', $most - $before < 80, ($most - $before) . ' more');
        $received = '';
        $size = filesize(__DIR__ . '/apps/lifecycle.php');
        while (strlen($received) < 3000 * $size && ($bytes = (string) fread($socket, 65536)) !== '') {
            $received .= $bytes;
        }
        while (substr_count($received, "\r\n\r\n") < 3000 && ($bytes = (string) fread($socket, 65536)) !== '') {
            $received .= $bytes;
        }
        while (($answers = Answer::all($received)) !== [] && !end($answers)->whole && ($bytes = (string) fread($socket, 65536)) !== '') {
            $received .= $bytes;
        }
        $sizes = array_unique(array_map(static fn (Answer $answer): int => strlen($answer->body), $answers));
        $this->check('and all of them are answered', count($answers) === 3000 && $sizes === [$size], count($answers) . ' ' . json_encode($sizes));
        fclose($socket);
        unset($received, $answers);
    }

    public function testAClockThatJumps(): void
    {
        // The wall clock jumps a day forth and back: dates follow, times do not.
        $clock = tempnam(sys_get_temp_dir(), 'clock');
        file_put_contents($clock, '+0');
        $library = glob('/usr/lib/*/faketime/libfaketime.so.1')[0];
        // PHP binds extensions to libc past what is preloaded; that is turned off here.
        $unbound = "$clock.so";
        exec('cc -O1 -shared -fPIC -o ' . escapeshellarg($unbound) . ' ' . escapeshellarg(dirname(__DIR__, 2) . '/tools/without_deepbind.c') . ' -ldl');
        $shifted = new Server('lifecycle', ['worker_num' => 1, 'http_idle_timeout' => 3], ['LD_PRELOAD' => "$unbound $library", 'FAKETIME_TIMESTAMP_FILE' => $clock,
            'FAKETIME_NO_CACHE' => '1', 'DONT_FAKE_MONOTONIC' => '1']);
        $idle = new Peer($shifted->address());
        $idle->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $idle->answers(1);
        $waiting = new Peer($shifted->address());
        $waiting->send(["GET /sleep?t=1 HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $asked = microtime(true);
        foreach (['+86400' => 86400, '-86400' => -86400] as $offset => $seconds) {
            file_put_contents($clock, $offset);
            $date = static function () use ($shifted): int {
                $peer = new Peer($shifted->address());
                $peer->send(["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
                return (int) strtotime((string) $peer->answers(1)[0]->field('date'));
            };
            $this->check("a clock that jumps by $offset s: the date follows", Server::until(3, static fn (): bool => abs($date() - time() - $seconds) < 5));
        }
        $slept = $waiting->answers(1, 5.0)[0]->status ?? 0;
        $this->check('but a sleep takes its time', $slept === 200 && microtime(true) - $asked >= 1.0 && microtime(true) - $asked < 8, (string) (microtime(true) - $asked));
        $this->check('and an idle connection stays its time, no longer', $idle->readToEnd(6.0) !== '' && $idle->ended());
        unset($shifted, $idle, $waiting);
        unlink($clock);
        unlink($unbound);
    }

    public function testAStormOfSignals(): void
    {
        $server = new Server('lifecycle', ['worker_num' => 1]);
        $body = random_bytes(1500000);
        $peer = new Peer($server->address());
        $worker = worker($server);
        $storm = static function () use ($body, $worker): \Generator {
            yield "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($body) . "\r\n\r\n";
            foreach (str_split($body, 3000) as $piece) {
                for ($i = 0; $i < 5; $i++) {
                    posix_kill($worker, SIGRTMIN);
                }
                yield $piece;
            }
        };
        $peer->send($storm(), 20);
        $this->check('interrupted system calls lose no byte', str_contains($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, hash('sha256', $body)), 10.0), hash('sha256', $body)));
        $this->same('the server ends well behind all that', 0, $server->stop());
        unset($server);
    }

    public function testStartsThatFail(): void
    {
        // Starting where one cannot start.
        $busy = stream_socket_server('tcp://127.0.0.1:0');
        $port = substr(strrchr(stream_socket_get_name($busy, false), ':'), 1);
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        foreach ([
            'a used port' => ["new Swoole\\Http\\Server('127.0.0.1', $port);", 'the port is in use by another process'],
            'a bad address' => ["new Swoole\\Http\\Server('not-an-address', 9999);", 'the address is not valid'],
            'an address of another machine' => ["new Swoole\\Http\\Server('192.0.2.1', 9999);", 'this machine has no such address'],
            'a bad port' => ["new Swoole\\Http\\Server('127.0.0.1', 70000);", 'from 0 to 65535'],
            'no function for requests' => ["(new Swoole\\Http\\Server('127.0.0.1', 0))->start();", 'require onRequest callback'],
            'WebSockets on a server that does not read messages' => ["\$s = new Swoole\\Http\\Server('127.0.0.1', 0); \$s->on('request', fn() => 1); \$s->set(['open_websocket_protocol' => true]); \$s->start();", 'require onMessage callback'],
            'WebSockets on a port of such a server' => ["\$s = new Swoole\\Http\\Server('127.0.0.1', 0); \$s->on('request', fn() => 1); \$s->listen('127.0.0.1', 0, 1)->set(['open_websocket_protocol' => true]); \$s->start();", 'require onMessage callback'],
            'a log file in no folder' => ["\$s = new Swoole\\Http\\Server('127.0.0.1', 0); \$s->on('request', fn() => 1); \$s->set(['log_file' => '/nowhere/x.log']); \$s->start();", '/nowhere/x.log'],
            'a pid file in no folder' => ["\$s = new Swoole\\Http\\Server('127.0.0.1', 0); \$s->on('request', fn() => 1); \$s->set(['pid_file' => '/nowhere/x.pid']); \$s->start();", '/nowhere/x.pid'],
            'start inside a coroutine' => ["\$s = new Swoole\\Http\\Server('127.0.0.1', 0); \$s->on('request', fn() => 1); go(fn() => \$s->start());", 'inside a coroutine'],
        ] as $name => [$code, $text]) {
            exec(escapeshellarg(PHP_BINARY) . ' -n -d extension=' . escapeshellarg($module) . ' -r ' . escapeshellarg($code) . ' 2>&1', $output, $status);
            $seen = implode("\n", $output);
            $this->check("$name: one sentence and a status", $status !== 0 && str_contains($seen, $text), "$status $seen");
            unset($output);
        }
        foreach (['["worker_num" => 5000]' => 'worker_num', '["worker_num" => "many"]' => 'worker_num', '["package_max_length" => "8X"]' => 'package_max_length',
            '["nonsense" => 1]' => 'unsupported option [nonsense]', '["log_file" => []]' => 'log_file'] as $settings => $text) {
            exec(escapeshellarg(PHP_BINARY) . ' -n -d display_errors=1 -d extension=' . escapeshellarg($module) . ' -r '
                . escapeshellarg("(new Swoole\\Http\\Server('127.0.0.1', 0))->set($settings);") . ' 2>&1', $output, $status);
            $this->check("the setting $settings is answered with a warning that names it", str_contains(implode("\n", $output), $text), implode("\n", $output));
            unset($output);
        }
        // No processes to be had.
        $as = posix_getuid() === 0 ? 'setpriv --reuid=nobody --regid=nogroup --clear-groups ' : '';
        $busyPids = static fn (): string => trim((string) shell_exec('pgrep -c -u nobody php'));
        $port = Server::freePort();
        $start = microtime(true);
        exec($as . 'prlimit --nproc=1 ' . escapeshellarg(PHP_BINARY) . ' -n -d extension=' . escapeshellarg(realpath($module)) . ' -r '
            . escapeshellarg("\$s = new Swoole\\Http\\Server('127.0.0.1', $port); \$s->set(['worker_num' => 3, 'upload_tmp_dir' => '/tmp']); \$s->on('request', fn() => 1); \$s->start();") . ' 2>&1', $output, $status);
        $this->check('no process can be forked at the start: one sentence and a status', $status !== 0 && str_contains(implode("\n", $output), 'cannot start the workers'), "$status " . implode("\n", $output));
        $this->check('and nothing is left', @stream_socket_client("tcp://127.0.0.1:$port") === false);
        unset($output);
    }

    public function testAsProcess1(): void
    {
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        // The first process of a container.
        if (posix_getuid() === 0) {
            $port = Server::freePort();
            $code = "\$s = new Swoole\\Http\\Server('127.0.0.1', $port); \$s->set(['worker_num' => 2]); \$s->on('request', fn(\$q, \$r) => \$r->end(posix_getppid() . ' ' . file_exists('/proc/1/stat')));"
                . " \$s->on('managerStart', function (\$s) { file_put_contents('php://stdout', 'pid ' . getmypid() . PHP_EOL); if (pcntl_fork() === 0) { if (pcntl_fork() === 0) { usleep(100000); } posix_kill(getmypid(), SIGKILL); } }); \$s->start();";
            $process = proc_open(['unshare', '--pid', '--fork', '--kill-child', PHP_BINARY, '-d', 'extension=' . realpath($module), '-r', $code],
                [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
            $this->same('as PID 1: it starts', "pid 1\n", fgets($pipes[1]));
            $this->check('as PID 1: it serves', Server::until(5, static fn (): bool => @stream_socket_client("tcp://127.0.0.1:$port") !== false));
            $inside = children(proc_get_status($process)['pid'])[0];
            $zombies = static fn (): int => count(array_filter(children($inside), static fn (int $pid): bool => str_contains((string) @file_get_contents("/proc/$pid/status"), "State:\tZ")));
            $this->check('as PID 1: it reaps what others left', Server::until(5, static fn (): bool => $zombies() === 0 && count(children($inside)) === 2));
            posix_kill($inside, SIGTERM);
            $this->check('as PID 1: it ends on SIGTERM', Server::until(5, static fn (): bool => !proc_get_status($process)['running']));
            proc_close($process);
        }
    }

    public function testThousandsOfConnections(): void
    {
        // Many connections at once.
        $server = new Server('lifecycle', ['worker_num' => 2, 'max_connection' => 20000, 'backlog' => 4096]);
        Server::until(5, static fn (): bool => json_decode(ask($server, '/stats')[1], true)['worker_num'] === 2 && count(children($server->pid())) === 2);
        $sockets = [];
        $most = min(5000, (int) posix_getrlimit()['soft openfiles'] - 200);
        for ($i = 0; $i < $most; $i++) {
            $socket = @stream_socket_client($server->address(), $code, $message, 5.0, STREAM_CLIENT_ASYNC_CONNECT | STREAM_CLIENT_CONNECT);
            if ($socket !== false) {
                $sockets[] = $socket;
            }
        }
        foreach ($sockets as $socket) {
            @fwrite($socket, "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        $byWorker = [];
        foreach ($sockets as $socket) {
            stream_set_timeout($socket, 10);
            $body = strstr((string) fread($socket, 4096), "\r\n\r\n");
            $byWorker[trim((string) $body)] = ($byWorker[trim((string) $body)] ?? 0) + 1;
        }
        $this->check("$most connections at once: all are answered", array_sum($byWorker) === $most && !isset($byWorker['']), json_encode($byWorker));
        $this->check('and shared by the workers within 20 %', count($byWorker) === 2 && max($byWorker) <= 1.2 * $most / 2, json_encode($byWorker));
        unset($sockets, $socket);
        $this->same('and the server goes on', [200, 'hello'], ask($server, '/'));
        unset($server);
    }

    private static function logged(Server $server, string $text): bool
    {
        return Server::until(3, static fn (): bool => str_contains($server->output(), $text));
    }
}
