<?php

declare(strict_types=1);

/* What is short or breaks around a server: shared memory, the disk and the pipe of its log, TLS peers that go half-way. */

namespace Stampede\Tests\E2e;

final class resources_test extends EndToEndTest
{
    private static string $folder;
    private static mixed $php;

    public static function setUpBeforeClass(): void
    {
        $module = realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so');
        self::$php = getenv('E2E_PHP') ?: escapeshellarg(PHP_BINARY) . ' -d ' . escapeshellarg("extension=$module");
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-resources-' . getmypid();
        mkdir($folder);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testSharedMemory(): void
    {
        $folder = self::$folder;
        if (posix_getuid() === 0) {
            foreach (['full' => 'mount -t tmpfs -o size=16k tmpfs /dev/shm && { head -c 100000 /dev/zero > /dev/shm/fill; } 2> /dev/null;', 'missing' => 'umount -l /dev/shm;'] as $name => $words) {
                [$process, $port] = self::launch('exec unshare -m /bin/sh -c ' . escapeshellarg("$words exec \"\$@\"") . ' sh env', ['worker_num' => 2, 'max_connections_per_address' => 1000], ['file', "$folder/shm", 'a']);
                $this->check("/dev/shm is $name: the server does not need it", Server::until(8, static fn (): bool => self::statusOf($port, '/') === 200), (string) file_get_contents("$folder/shm"));
                $this->check("/dev/shm is $name: it goes on", array_unique(array_map(static fn (): int => self::statusOf($port, '/'), range(1, 50))) === [200]);
                $this->check("/dev/shm is $name: and ends", self::end($process));
            }
        }
        [$process, $port] = self::launch('exec prlimit --as=700000000', ['worker_num' => 1000, 'max_connection' => 8000000], ['file', "$folder/limit", 'a']);
        $this->check('too little memory for what workers share: the start is refused', Server::until(20, static fn (): bool => !proc_get_status($process)['running'])
            && preg_match('~cannot get the shared memory of the \w+: Cannot allocate memory~', (string) file_get_contents("$folder/limit")) === 1, (string) file_get_contents("$folder/limit"));
        $this->same('and nothing is left of it', 0, self::statusOf($port, '/'));
    }

    public function testTheLog(): void
    {
        $folder = self::$folder;
        if (posix_getuid() === 0) {
            mkdir("$folder/small");
            exec('mount -t tmpfs -o size=32k tmpfs ' . escapeshellarg("$folder/small"));
            $server = new Server('ports', ['log_file' => "$folder/small/log"]);
            exec('head -c 100000 /dev/zero 2> /dev/null > ' . escapeshellarg("$folder/small/fill") . ' 2> /dev/null');
            $this->check('a log on a full disk: requests go on', array_unique(array_map(static fn (): int => ask($server, '/throw')[0], range(1, 100))) === [500] && ask($server, '/')[0] === 200);
            unlink("$folder/small/fill");
            ask($server, '/throw');
            $this->check('and it is written again when there is room', Server::until(5, static fn (): bool => str_contains((string) file_get_contents("$folder/small/log"), 'as asked')));
            unset($server);
            exec('umount ' . escapeshellarg("$folder/small"));
        }
        [$process, $port, $pipes] = self::launch('', ['worker_num' => 1], ['pipe', 'w']);
        $this->check('a log into a pipe', Server::until(8, static fn (): bool => self::statusOf($port, '/throw') === 500) && str_contains((string) fgets($pipes[1]) . fgets($pipes[1]), 'as asked'));
        array_map(fclose(...), $pipes);
        $this->check('whose reader goes: requests go on', array_unique(array_map(static fn (): int => self::statusOf($port, '/throw'), range(1, 20))) === [500] && self::statusOf($port, '/') === 200);
        $this->check('and the server ends', self::end($process));
    }

    public function testTLSPeersThatGoHalfWay(): void
    {
        $certificates = new Certificates();
        $server = new Server('ports', ['http_header_timeout' => 3, 'http_idle_timeout' => 3, 'http_linger_timeout' => 0.5, 'open_http2_protocol' => true,
            '_ports' => [['127.0.0.1', $tls = Server::freePort(), 1 | 512, ['ssl_cert_file' => $certificates->path('server.pem'), 'ssl_key_file' => $certificates->path('server.key')]]]]);
        /** @return resource a connection, reset when it is closed if wanted */
        $shaken = static function (bool $reset = false) use ($tls) {
            $stream = stream_socket_client("tcp://127.0.0.1:$tls", $code, $message, 10.0, STREAM_CLIENT_CONNECT, self::context());
            if ($reset) {
                socket_set_option(socket_import_stream($stream), SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
            }
            stream_socket_enable_crypto($stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT);
            return $stream;
        };
        $worker = $server->workerPid();
        $held = static function () use ($worker): int {
            return count(array_filter(glob("/proc/$worker/fd/*") ?: [], static fn (string $fd): bool => str_starts_with((string) @readlink($fd), 'socket:')));
        };
        $ticks = static function () use ($worker): int {
            $fields = explode(' ', substr((string) strrchr((string) file_get_contents("/proc/$worker/stat"), ')'), 2));
            return (int) $fields[11] + (int) $fields[12];
        };
        $warm = $shaken();
        fwrite($warm, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream_get_contents($warm);
        fclose($warm);
        Server::until(5, static fn (): bool => $server->connections() === 0);
        $before = $held();
        $hello = hex2bin('16030100') . chr(200) . "\x01\x00\x00\xc4\x03\x03" . str_repeat('r', 100);
        for ($i = 0; $i < 25; $i++) {
            $raw = stream_socket_client("tcp://127.0.0.1:$tls");  // a reset in the handshake
            fwrite($raw, substr($hello, 0, 1 + $i * 4));
            socket_set_option(socket_import_stream($raw), SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
            fclose($raw);
            $stream = $shaken(true);  // a reset behind it
            fclose($stream);
            $stream = $shaken();  // the end of TCP without close_notify, half a request under way
            fwrite($stream, substr("GET / HTTP/1.1\r\nHost: a\r\n", 0, $i));
            stream_socket_shutdown($stream, STREAM_SHUT_WR);
            fclose($stream);
            $stream = $shaken(true);  // the same with an answer under way
            fwrite($stream, "GET /big HTTP/1.1\r\nHost: a\r\n\r\nGET /big HTTP/1.1\r\nHost: a\r\n\r\n");
            fclose($stream);
            $stream = $shaken();  // and while the handler is at work
            fwrite($stream, "GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n");
            stream_socket_shutdown($stream, STREAM_SHUT_WR);
            $kept[] = $stream;
        }
        $from = $ticks();
        $at = microtime(true);
        Server::until(1.0, static fn (): bool => false);
        $share = ($ticks() - $from) / (microtime(true) - $at);
        $this->check('connections whose peer has ended its side cost no processor time', $share < 25, "$share % of a processor");
        $kept = [];
        $this->check('all of them go', Server::until(8, static fn (): bool => $server->connections() === 0), (string) $server->connections());
        $this->check('with their descriptors', Server::until(5, static fn (): bool => $held() <= $before), $held() . " instead of $before");
        $stream = $shaken();
        fwrite($stream, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        $this->check('others are served', str_starts_with((string) stream_get_contents($stream), 'HTTP/1.1 200'));
        $this->check('without a word in the log', !str_contains($server->output(), 'ERROR'), $server->output());
        $this->same('the server ends well', 0, $server->stop());
    }

    /** The program of apps/ports.php behind some shell words. @return array{resource, int, array<int, resource>} */
    private static function launch(string $before, array $settings, array $output): array
    {
        $php = self::$php;
        $port = Server::freePort();
        $command = ($before === '' ? "exec $php" : "$before $php") . ' -n ' . escapeshellarg(__DIR__ . '/apps/ports.php') . " $port " . escapeshellarg(json_encode($settings, JSON_THROW_ON_ERROR));
        return [proc_open(['/bin/sh', '-c', $command], [['file', '/dev/null', 'r'], $output, $output], $pipes), $port, $pipes];
    }

    private static function statusOf(int $port, string $path): int
    {
        $peer = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 5.0);
        if ($peer === false) {
            return 0;
        }
        stream_set_timeout($peer, 10);
        @fwrite($peer, "GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        return (int) substr((string) stream_get_contents($peer), 9, 3);
    }

    /** @param resource $process */
    private static function end($process): bool
    {
        proc_terminate($process, SIGTERM);
        $ended = Server::until(8, static fn (): bool => !proc_get_status($process)['running']);
        if (!$ended) {
            proc_terminate($process, SIGKILL);
        }
        return $ended;
    }

    private static function context()
    {
        return stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
    }
}
