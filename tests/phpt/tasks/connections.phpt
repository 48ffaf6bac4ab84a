--TEST--
Connections from other processes: push(), close() and exists() in task workers, user processes and the supervisor
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/once.inc';

use Swoole\WebSocket\Server;

$seen = new Swoole\Table(64);
$seen->column('text', Swoole\Table::TYPE_STRING, 512);
$seen->create();
$out = tempnam(sys_get_temp_dir(), 'out');

$server = new Server('127.0.0.1', 0);
$server->set(['worker_num' => 2, 'task_worker_num' => 1, 'log_level' => SWOOLE_LOG_WARNING]);
$port = $server->port;
$large = str_repeat('large ', 40000);
$facts = static fn (int $fd): array => [$server->exists($fd), $server->isEstablished($fd), in_array($fd, iterator_to_array($server->connections), false), $server->getClientInfo($fd)['remote_ip'] ?? null];
$process = new Swoole\Process(static function (Swoole\Process $process) use ($server, $facts, $large): void {
    while (true) {
        $fd = (int) $process->read();
        $server->push($fd, 'process ' . json_encode($facts($fd)));
        $server->push($fd, $large);
    }
});
$server->addProcess($process);
$server->on('task', static function (Server $server, int $id, int $source, int $fd) use ($facts, $large): bool {
    $server->push($fd, 'task ' . json_encode($facts($fd)));
    $server->push($fd, $large);
    return true;
});
$server->on('message', static function (Server $server, $frame) use ($process, $seen): void {
    match ($frame->data) {
        'task' => $server->task($frame->fd),
        'process' => $process->write((string) $frame->fd),
        'supervisor' => $seen->set('for the supervisor', ['text' => (string) $frame->fd]),
        'close' => $server->task(-1) && $seen->set('to close', ['text' => (string) $frame->fd]),
    };
});
$server->on('finish', static fn () => 1);
$server->on('start', static function (Server $server) use ($seen, $facts, $large): void {
    Swoole\Timer::tick(5, static function () use ($server, $seen, $facts, $large): void {
        if ($seen->exists('for the supervisor')) {
            $fd = (int) $seen->get('for the supervisor', 'text');
            $seen->del('for the supervisor');
            $server->push($fd, 'supervisor ' . json_encode($facts($fd)));
            $server->push($fd, $large);
        }
        if ($seen->exists('to close')) {
            $server->close((int) $seen->get('to close', 'text'));
            $seen->del('to close');
        }
    });
});
$server->on('managerStart', static function (Server $server) use ($port, $out, $large): void {
    if (pcntl_fork() !== 0) {
        return;
    }
    ob_start();
    Swoole\Coroutine\run(static function () use ($port, $large): void {
        $client = new Swoole\Coroutine\Http\Client('127.0.0.1', $port);
        var_dump($client->upgrade('/'));
        foreach (['task', 'process', 'supervisor'] as $who) {
            $client->push($who);
            echo $client->recv(10)?->data, ' ', var_export($client->recv(10)?->data === $large, true), "\n";
        }
        $client->push('close');
        $last = $client->recv(10);
        var_dump($last === '' || $last === false || $last instanceof Swoole\WebSocket\CloseFrame);
    });
    file_put_contents($out, ob_get_clean());
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
});
$server->start();
echo file_get_contents($out);
unlink($out);
?>
--EXPECT--
bool(true)
task [true,true,true,"127.0.0.1"] true
process [true,true,true,"127.0.0.1"] true
supervisor [true,true,true,"127.0.0.1"] true
bool(true)
