--TEST--
The event close says which side ended the connection
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
use Swoole\WebSocket\Server;

$out = tempnam(sys_get_temp_dir(), 'out');
$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING]);
$server->on('request', static fn ($request, $response) => $response->end());
$server->on('message', static function (Server $server, $frame): void {
    $server->close($frame->fd);
});
$server->on('close', static function (Server $server, int $fd, int $reactorId) use ($out): void {
    file_put_contents($out, ($reactorId < 0 ? 'server' : 'client') . "\n", FILE_APPEND);
});
$port = $server->port;
$server->on('managerStart', static function (Server $server) use ($port, $out): void {
    if (pcntl_fork() !== 0) {
        return;
    }
    $until = static function (int $count) use ($out): void {
        for ($end = hrtime(true) + 10e9; count(file($out)) < $count && hrtime(true) < $end;) {
            usleep(1000);
        }
    };
    $connect = static fn () => stream_socket_client("tcp://127.0.0.1:$port");
    $upgrade = static function () use ($connect) {
        $peer = $connect();
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n");
        while (rtrim((string) fgets($peer)) !== '');
        return $peer;
    };
    $ask = static function ($peer, string $more): void {
        fwrite($peer, "GET / HTTP/1.1\r\nHost: a\r\n$more\r\n");
        while (rtrim((string) fgets($peer)) !== '');
    };
    $peers = [];
    $steps = [
        static fn () => fclose($connect()),  // without a request
        static function () use ($connect, $ask): void {  // a kept connection
            $peer = $connect();
            $ask($peer, '');
            fclose($peer);
        },
        static function () use ($connect, $ask, &$peers): void {  // the response was the last
            $ask($peers[] = $connect(), "Connection: close\r\n");
        },
        static function () use ($upgrade): void {  // vanishes
            fclose($upgrade());
        },
        static function () use ($upgrade, &$peers): void {  // says goodbye
            fwrite($peers[] = $upgrade(), "\x88\x82aaaa" . ("\x03\xe8" ^ 'aa'));
        },
        static function () use ($upgrade, &$peers): void {  // is closed
            fwrite($peers[] = $upgrade(), "\x81\x80aaaa");
        },
    ];
    foreach ($steps as $i => $step) {
        $step();
        $until($i + 1);
    }
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
});
$server->start();
echo file_get_contents($out);
unlink($out);
?>
--EXPECT--
client
client
server
client
client
server
