<?php

declare(strict_types=1);

/* Every setting that changes what a peer or an operator sees. */

namespace Stampede\Tests\E2e;

final class settings_test extends EndToEndTest
{
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-settings-' . getmypid();
        mkdir($folder);
        chmod($folder, 0777);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testPortsAndLookups(): void
    {
        $folder = self::$folder;
        // Ports.
        $second = Server::freePort();
        $server = new Server('settings', ['_unix' => "$folder/sock", '_second' => $second, 'worker_num' => '2']);
        $this->same('the first port', 'hello', self::get($server->address()));
        $this->same('a unix socket', 'hello', self::get("unix://$folder/sock"));
        $this->same('a port with a function of its own', "second $second", self::get("tcp://127.0.0.1:$second"));
        // Connections of the requests before may still be on their way out while they are counted.
        $info = [];
        Server::until(5.0, static function () use ($server, &$info): bool {
            $info = json_decode(ask($server, '/info')[1], true);
            return $info[4] === count($info[3]);
        });
        $this->check('getClientInfo, exist and the list of connections', $info[0]['server_port'] === $server->port && $info[0]['remote_ip'] === '127.0.0.1'
            && $info[1] === true && $info[2] === false && in_array($info[6], $info[3], true) && $info[4] === count($info[3]) && in_array($info[6], $info[5], true)
            && $info[8] === true && $info[9] === 1 && $info[10] === true, json_encode($info));
        $setting = json_decode(ask($server, '/setting')[1], true);
        $this->check('setting holds defaults', $setting['task_worker_num'] === 0 && $setting['package_max_length'] === 2 * 1024 * 1024 && $setting['open_http_protocol'] === true, json_encode($setting));
        $server->stop();
        $this->check('the socket file goes with the server', !file_exists("$folder/sock"));
    }

    public function testReusePort(): void
    {
        // Reuse of the port: a socket for each worker, and none lost over a reload.
        $server = new Server('settings', ['enable_reuse_port' => true, 'worker_num' => 2]);
        $load = new Load($server->address(), 10);
        $next = 0;
        $load->runUntil(static function (Load $load) use ($server, &$next): bool {
            if ($load->answered > 100 * ($next + 1) && $next < 3) {
                posix_kill($server->pid(), SIGUSR1);
                $next++;
            }
            return $next === 3 && $load->answered > 2000;
        });
        $this->check('enable_reuse_port: reloads lose nothing', $load->failures() === 0, $load->summary());
        unset($server);
    }

    public function testUserAndGroup(): void
    {
        $folder = self::$folder;
        // Who it runs as.
        if (posix_getuid() === 0) {
            $nobody = posix_getpwnam('nobody');
            $server = new Server('settings', ['user' => 'nobody', 'group' => 'daemon']);
            [$uid, $gid] = json_decode(ask($server, '/who')[1], true);
            $this->same('user and group', [$nobody['uid'], posix_getgrnam('daemon')['gid']], [$uid, $gid]);
            unset($server);
            mkdir("$folder/root");
            touch("$folder/root/only-this");
            $server = new Server('settings', ['chroot' => "$folder/root"]);
            $this->same('chroot', ['.', '..', 'only-this', 'tmp'], json_decode(ask($server, '/root')[1], true));
            unset($server);
            // The jail holds no lists of users and groups: they are looked up outside of it.
            $server = new Server('settings', ['chroot' => "$folder/root", 'user' => 'nobody', 'group' => 'daemon']);
            preg_match_all('/^(?:Uid|Gid|Groups):\s+(\d+)/m', (string) @file_get_contents('/proc/' . ask($server, '/pid')[1] . '/status'), $found);
            $daemon = posix_getgrnam('daemon')['gid'];
            $this->same('user and group in a chroot', [$nobody['uid'], $daemon, $daemon], array_map('intval', $found[1]));
            $this->same('and the chroot', ['.', '..', 'only-this', 'tmp'], json_decode(ask($server, '/root')[1], true));
            unset($server);
        }
        $server = new Server('settings', ['user' => 'no-such-user']);
        $this->check('an unknown user is named', Server::until(5, static fn (): bool => str_contains($server->output(), 'the user "no-such-user" does not exist')), $server->output());
        unset($server);
    }

    public function testDaemonize(): void
    {
        $folder = self::$folder;
        // In the background.
        $port = Server::freePort();
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        exec(escapeshellarg(PHP_BINARY) . ' -n -d extension=' . escapeshellarg($module) . ' ' . escapeshellarg(__DIR__ . '/apps/settings.php') . " $port "
            . escapeshellarg(json_encode(['daemonize' => true, 'pid_file' => "$folder/pid", 'log_file' => "$folder/log"])) . ' 2>&1', $output, $status);
        $this->same('daemonize: the command returns at once, quietly', [0, ''], [$status, implode("\n", $output)]);
        $this->check('daemonize: the pid file', Server::until(5, static fn (): bool => is_file("$folder/pid") && (int) file_get_contents("$folder/pid") > 0));
        $pid = (int) file_get_contents("$folder/pid");
        $this->check('daemonize: it serves', Server::until(5, static fn (): bool => @stream_socket_client("tcp://127.0.0.1:$port") !== false) && self::get("tcp://127.0.0.1:$port") === 'hello');
        self::get("tcp://127.0.0.1:$port", '/print');
        $this->check('daemonize: what the processes print is in the log file', Server::until(5, static fn (): bool => str_contains((string) @file_get_contents("$folder/log"), 'printed by the worker')));
        $this->same('daemonize: a session of its own', $pid, posix_getsid($pid));
        self::get("tcp://127.0.0.1:$port", '/throw');
        $this->check('log_file', Server::until(5, static fn (): bool => str_contains((string) @file_get_contents("$folder/log"), 'for the log')));
        posix_kill($pid, SIGTERM);
        $this->check('daemonize: it ends', Server::until(6, static fn (): bool => !posix_kill($pid, 0)) && !file_exists("$folder/pid"));
    }

    public function testLogSettings(): void
    {
        $folder = self::$folder;
        // The log.
        foreach ([[2, date('.Ymd')], [3, date('.YmdH')], [1, date('.Ym')]] as [$rotation, $suffix]) {
            $server = new Server('settings', ['log_file' => "$folder/rotated", 'log_rotation' => $rotation]);
            ask($server, '/throw');
            $this->check("log_rotation $rotation", Server::until(5, static fn (): bool => str_contains((string) @file_get_contents("$folder/rotated$suffix"), 'for the log')), implode(' ', glob("$folder/*") ?: []));
            unset($server);
        }
        $server = new Server('settings', ['log_level' => 6, 'log_file' => "$folder/none"]);
        ask($server, '/throw');
        ask($server, '/');
        $this->same('log_level 6 writes nothing', '', (string) file_get_contents("$folder/none"));
        unset($server);
        $server = new Server('settings', ['log_date_format' => 'day %d', 'log_file' => "$folder/dated"]);
        ask($server, '/throw');
        $this->check('log_date_format', Server::until(5, static fn (): bool => str_contains((string) file_get_contents("$folder/dated"), '[day ' . date('d'))), (string) file_get_contents("$folder/dated"));
        unset($server);
    }

    public function testWarningsOfParsing(): void
    {
        // Warnings of the parsers of a request meet an error handler that throws: that request fails, its worker goes on.
        $server = new Server('settings', ['_strict' => true]);
        $pid = ask($server, '/pid')[1];
        $vars = http_build_query(array_fill(0, 1100, 'x'), 'v');
        $peer = new Peer($server->address());
        $type = 'Content-Type: application/x-www-form-urlencoded';
        $peer->send(["GET /vars?$vars HTTP/1.1\r\nHost: a\r\n\r\n", "POST /vars HTTP/1.1\r\nHost: a\r\n$type\r\nContent-Length: " . strlen($vars) . "\r\n\r\n$vars",
            "POST /vars HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 50\r\n\r\n--b\r\nContent-Disposition: form-data; name=unfinish",
            "GET /vars HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->same('an error handler that throws, and warnings of parsing', [500, 500, 200, 200], array_map(static fn ($answer): int => $answer->status, $peer->answers(4)));
        $this->check('the log names max_input_vars', str_contains($server->output(), 'max_input_vars'), $server->output());
        $this->same('the same worker goes on', $pid, ask($server, '/pid')[1]);
        unset($server);
    }

    public function testConcurrencyAndConnections(): void
    {
        // Limits.
        $server = new Server('settings', ['max_concurrency' => 2]);
        $slow = [new Peer($server->address()), new Peer($server->address())];
        foreach ($slow as $peer) {
            $peer->send(["GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $this->check('max_concurrency: one more is told so', Server::until(0.8, static fn (): bool => ask($server, '/')[0] === 503));
        $this->check('and those two are served', array_filter($slow, static fn (Peer $peer): bool => $peer->answers(1)[0]->status === 200) === $slow);
        unset($server);
        $server = new Server('settings', ['max_connection' => 3, 'http_idle_timeout' => 60]);
        $peers = [];
        for ($i = 0; $i < 3; $i++) {
            $peers[$i] = new Peer($server->address());
            $peers[$i]->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
            $peers[$i]->answers(1);
        }
        $fourth = new Peer($server->address());
        $fourth->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->check('max_connection: a further one waits', $fourth->readUntil(static fn (string $bytes): bool => $bytes !== '', 0.5) === '');
        $peers[0]->close();
        $this->same('until one goes', 200, $fourth->answers(1, 5.0)[0]->status ?? 0);
        unset($server, $peers, $fourth);
        $server = new Server('settings', ['heartbeat_idle_time' => 1, 'heartbeat_check_interval' => 1]);
        $peer = new Peer($server->address());
        $peer->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $start = microtime(true);
        $peer->readToEnd(5.0);
        $this->check('heartbeat_idle_time closes a silent connection', $peer->ended() && microtime(true) - $start > 0.8 && microtime(true) - $start < 3);
        unset($server);
        $server = new Server('settings', ['enable_coroutine' => false]);
        $this->same('enable_coroutine off', [200, '-1'], ask($server, '/coroutine'));
        $this->same('an exception there', 500, ask($server, '/throw')[0]);
        $this->same('and the next request', [200, 'hello'], ask($server, '/'));
        unset($server);
        $server = new Server('settings', ['max_coroutine' => 3]);
        $slow = [];
        for ($i = 0; $i < 3; $i++) {
            $slow[$i] = new Peer($server->address());
            $slow[$i]->send(["GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $this->check('max_coroutine: one more is told so', Server::until(0.8, static fn (): bool => ask($server, '/')[0] === 503));
        unset($server, $slow);
    }

    public function testOptionsThatDoNothing(): void
    {
        // What `php --ri` tells of options that do nothing stands on the page as well.
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $info = (string) shell_exec(PHP_BINARY . ' -n -d extension=' . escapeshellarg((string) realpath($module)) . ' --ri stampede');
        preg_match_all('/^(\w+) => ((?:no effect|missing, refused at start\(\)): .*)$/m', $info, $rows, PREG_SET_ORDER);
        $page = (string) file_get_contents(dirname(__DIR__, 2) . '/docs/user/compatibility.md');
        $missing = array_filter($rows, static fn (array $row): bool => !str_contains($page, "| `{$row[1]}` | {$row[2]} |"));
        $this->check('options that do nothing are on the page', count($rows) > 20 && $missing === [], implode(', ', array_column($missing, 1)));
    }

    private static function get(string $address, string $path = '/'): string
    {
        $peer = new Peer($address);
        $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $received = $peer->readToEnd(10.0);
        return substr($received, (int) strpos($received, "\r\n\r\n") + 4);
    }
}
