<?php

declare(strict_types=1);

/* Unix sockets with their modes and leftovers, sockets that a service manager hands over, and what it hears of the server. */

namespace Stampede\Tests\E2e;

final class listeners_test extends EndToEndTest
{
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-listeners-' . getmypid();
        mkdir($folder);
        chmod($folder, 0777);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testUnixSockets(): void
    {
        $folder = self::$folder;
        $server = new Server('ports', ['unix_socket_mode' => '0660', '_ports' => [["$folder/one", 0, 5, []], ["$folder/two", 0, 5, ['unix_socket_mode' => '600']]]]);
        Server::until(10, static fn (): bool => self::modes('one', 'two') === ['660', '600']);
        $this->same('unix_socket_mode, and that of one port', ['660', '600'], self::modes('one', 'two'));
        self::serves('one');
        $seen = json_decode(self::get("unix://$folder/one"), true);
        $this->same('who asks has no address', ['', 0], [$seen['server']['remote_addr'] ?? null, $seen['server']['remote_port'] ?? null]);
        foreach (['a second server' => "$folder/one", 'a file that is no socket' => __FILE__] as $name => $path) {
            $why = whyNot('ports', ['_ports' => [[$path, 0, 5, []]]]);
            $this->check("$name is refused with a sentence", str_contains($why, "failed to listen on unix:$path: the path is in use by another process, or is no socket"), $why);
        }
        $this->check('which leaves both as they were', file_exists(__FILE__) && json_decode(self::get("unix://$folder/one"), true) !== null);
        $inode = fileinode("$folder/one");
        posix_kill($server->pid(), SIGUSR1);
        $before = $server->workerPid();
        Server::until(5, static fn (): bool => $server->workerPid() !== $before);
        $this->check('a reload keeps the socket', fileinode("$folder/one") === $inode && json_decode(self::get("unix://$folder/one"), true) !== null);
        posix_kill($server->pid(), SIGKILL);
        // Its workers end, also the one that the reload has replaced.
        Server::until(20, static fn (): bool => @stream_socket_client("unix://$folder/one") === false);
        $this->check('a killed server leaves its socket', file_exists("$folder/one"));
        unset($server);
        $server = new Server('ports', ['_ports' => [["$folder/one", 0, 5, []]]]);
        $this->check('the next one takes its place', self::serves('one'));
        $server->stop();
        $this->check('and removes it at its end', !file_exists("$folder/one"));
        unset($server);
        foreach (['0888', 'rw', '01777', ''] as $bad) {
            $why = whyNot('ports', ['unix_socket_mode' => $bad, '_ports' => [["$folder/three", 0, 5, []]]]);
            $this->check("unix_socket_mode \"$bad\"", $bad === '' ? $why === '' : str_contains($why, 'unix_socket_mode must be octal digits'), $why);
        }
        $why = whyNot('ports', ['_ports' => [[str_repeat('x', 200), 0, 5, []]]]);
        $this->check('a path that is too long', str_contains($why, 'the address is not valid'), $why);
        $why = whyNot('ports', ['_ports' => [["$folder/no/such", 0, 5, []]]]);
        $this->check('a folder that is not there', str_contains($why, 'failed to listen'), $why);
    }

    public function testSocketsThatAreHandedOver(): void
    {
        $folder = self::$folder;
        /** Starts the program of apps/ports.php as a service manager does, with descriptors from 3 on. */
        $launch = static function (array $sockets, array $settings, array $environment) use ($folder): array {
            $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
            $php = getenv('E2E_PHP') ?: escapeshellarg(PHP_BINARY) . ' -d ' . escapeshellarg("extension=$module");
            $log = tempnam($folder, 'log');
            $pipes = [];
            $descriptors = [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['file', $log, 'a']] + array_combine(array_keys($sockets), $sockets);
            $assign = implode(' ', array_map(static fn (string $name, string $value): string => "$name=" . ($value === 'PID' ? '$$' : escapeshellarg($value)), array_keys($environment), $environment));
            $command = "$assign exec $php -n " . escapeshellarg(__DIR__ . '/apps/ports.php') . ' 0 ' . escapeshellarg(json_encode($settings, JSON_THROW_ON_ERROR));
            $process = proc_open(['/bin/sh', '-c', $command], $descriptors, $pipes);
            return [$process, proc_get_status($process)['pid'], $log];
        };
        $end = static function (array $launched): void {
            proc_terminate($launched[0], SIGTERM);
            if (!Server::until(8, static fn (): bool => !proc_get_status($launched[0])['running'])) {
                proc_terminate($launched[0], SIGKILL);
            }
            proc_close($launched[0]);
        };
        $tcp = stream_socket_server('tcp://127.0.0.1:0');
        $address = 'tcp://' . stream_socket_get_name($tcp, false);
        $unix = stream_socket_server("unix://$folder/handed");
        $notices = socket_create(AF_UNIX, SOCK_DGRAM, 0);
        socket_bind($notices, "$folder/notify");
        socket_set_nonblock($notices);
        $heard = '';
        $hears = static function (string $wanted) use ($notices, &$heard): bool {
            return Server::until(8, static function () use ($notices, &$heard, $wanted): bool {
                while (@socket_recv($notices, $bytes, 1000, MSG_DONTWAIT) > 0) {
                    $heard .= "$bytes\n";
                }
                return str_contains($heard, $wanted);
            });
        };
        // A client that comes before the server is there.
        $early = new Peer($address);
        $early->send(["GET /pid HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $environment = ['LISTEN_PID' => 'PID', 'LISTEN_FDS' => '2', 'LISTEN_FDNAMES' => 'web:local', 'NOTIFY_SOCKET' => "$folder/notify", 'WATCHDOG_PID' => 'PID', 'WATCHDOG_USEC' => '400000'];
        $settings = ['_host' => 'systemd:web', '_ports' => [['systemd:local', 0, 5, []]], 'worker_num' => 2];
        $launched = $launch([3 => $tcp, 4 => $unix], $settings, $environment);
        $this->check('the manager hears when all workers are ready', $hears("READY=1\n"), $heard . file_get_contents($launched[2]));
        $heard = '';
        $this->check('the manager hears signs of life', $hears("WATCHDOG=1\nWATCHDOG=1\nWATCHDOG=1\n"), $heard);
        $this->check('a connection that came before is served', preg_match('~\r\n\r\n\d+$~', $early->readToEnd(5.0)) === 1);
        $seen = json_decode(self::get($address), true);
        $this->same('the port of a socket that was handed over', (int) substr((string) strrchr($address, ':'), 1), $seen['server']['server_port'] ?? null);
        $this->check('another by its name', json_decode(self::get("unix://$folder/handed"), true) !== null);
        $this->same('children would not take them too', 'none', self::get($address, '/environment'));
        $heard = '';
        $pids = children($launched[1]);
        posix_kill($launched[1], SIGUSR1);
        $this->check('a reload is announced', $hears("RELOADING=1\nMONOTONIC_USEC=") && $hears("READY=1\n"), $heard);
        $this->check('and keeps the sockets', Server::until(8, static fn (): bool => array_intersect($pids, children($launched[1])) === []) && json_decode(self::get($address), true) !== null);
        $heard = '';
        $end($launched);
        $this->check('the end is announced', $hears("STOPPING=1"), $heard);
        $this->check('a socket that was handed over stays', file_exists("$folder/handed"));
        $launched = $launch([3 => $tcp], ['_host' => 'systemd'], ['LISTEN_PID' => 'PID', 'LISTEN_FDS' => '1']);
        $this->check('without names the first one is taken, by the next server', Server::until(8, static fn (): bool => json_decode(self::get($address), true) !== null), (string) file_get_contents($launched[2]));
        $end($launched);
        $plain = stream_socket_server('udp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND);
        foreach ([
            'none' => [[], [], 'no such socket was handed over'],
            'of another process' => [[3 => $tcp], ['LISTEN_PID' => '1', 'LISTEN_FDS' => '1'], 'no such socket was handed over'],
            'of another name' => [[3 => $tcp], ['LISTEN_PID' => 'PID', 'LISTEN_FDS' => '1', 'LISTEN_FDNAMES' => 'other'], 'no such socket was handed over'],
            'a number that is none' => [[3 => $tcp], ['LISTEN_PID' => 'PID', 'LISTEN_FDS' => '1x', 'LISTEN_FDNAMES' => 'web'], 'no such socket was handed over'],
            'no stream' => [[3 => $plain], ['LISTEN_PID' => 'PID', 'LISTEN_FDS' => '1', 'LISTEN_FDNAMES' => 'web'], 'no listening stream socket'],
        ] as $name => [$sockets, $environment, $sentence]) {
            $launched = $launch($sockets, ['_host' => 'systemd:web'], $environment);
            $this->check("handed over: $name", Server::until(8, static fn (): bool => !proc_get_status($launched[0])['running']) && str_contains((string) file_get_contents($launched[2]), $sentence), (string) file_get_contents($launched[2]));
            proc_close($launched[0]);
        }
        if (($activate = trim((string) shell_exec('command -v systemd-socket-activate'))) !== '') {
            $port = Server::freePort();
            $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
            $process = proc_open([$activate, '-l', "127.0.0.1:$port", '--fdname=web', PHP_BINARY, '-n', '-d', "extension=$module", __DIR__ . '/apps/ports.php', '0', json_encode(['_host' => 'systemd:web'])],
                [['file', '/dev/null', 'r'], ['file', "$folder/activate", 'a'], ['file', "$folder/activate", 'a']], $pipes);
            $this->check('systemd-socket-activate', Server::until(8, static fn (): bool => json_decode(self::get("tcp://127.0.0.1:$port"), true) !== null), (string) file_get_contents("$folder/activate"));
            $end([$process]);
        }
    }

    private static function get(string $address, string $path = '/'): string
    {
        if (@stream_socket_client($address, $code, $message, 5.0) === false) {
            return '';
        }
        $peer = new Peer($address);
        $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $received = $peer->readToEnd(10.0);
        return substr($received, (int) strpos($received, "\r\n\r\n") + 4);
    }

    /** @return list<string> */
    private static function modes(string ...$names): array
    {
        clearstatcache();
        $paths = array_map(static fn (string $name): string => self::$folder . "/$name", array_values($names));
        return array_map(static fn (string $path): string => file_exists($path) ? decoct(fileperms($path) & 0777) : '', $paths);
    }

    /** A server tells that it is there by its first port: the others come after that. */
    private static function serves(string $name): bool
    {
        return Server::until(10, static fn (): bool => json_decode(self::get('unix://' . self::$folder . "/$name"), true) !== null);
    }
}
