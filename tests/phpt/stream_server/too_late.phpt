--TEST--
What comes after the application has closed a connection is dropped; dispatch modes 1, 3 and 7 decide by discard_timeout_request
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/peers.inc';

use Swoole\Server;

$cases = [[SWOOLE_BASE, []], [SWOOLE_PROCESS, []], [SWOOLE_PROCESS, ['dispatch_mode' => 3]], [SWOOLE_PROCESS, ['dispatch_mode' => 3, 'discard_timeout_request' => true]]];
foreach ($cases as [$mode, $settings]) {
    $log = tempnam(sys_get_temp_dir(), 'log');
    $server = new Server('127.0.0.1', 0, $mode);
    $server->set($settings + ['worker_num' => 1, 'open_eof_split' => true, 'package_eof' => "\n"]);
    $server->on('receive', static function (Server $server, int $fd, int $reactor, string $data) use ($log): void {
        note($log, trim($data));
        $server->send($fd, 'bye');
        $server->close($fd);
        if ($server->exist($fd)) {
            note($log, 'still there');
        }
    });
    $server->on('close', static fn () => note($log, 'closed'));
    $port = $server->port;
    serve_peers($server, static function () use ($port, $log): void {
        $peer = connect_to("tcp://127.0.0.1:$port");
        fwrite($peer, "first\nsecond\n");
        echo stream_get_contents($peer), ' ';
        wait_for(static fn (): bool => in_array('closed', notes($log), true));
        $lines = notes($log);
        sort($lines);
        echo implode(' ', $lines), "\n";
    });
    unlink($log);
}
?>
--EXPECT--
bye closed first
bye closed first
bye closed first second
bye closed first
