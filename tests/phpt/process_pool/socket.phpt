--TEST--
Process\Pool: messages over TCP and unix sockets, with their length in front, and their responses
--FILE--
<?php
use Swoole\Process\Pool;

function ask(string $address, string $message): string
{
    $socket = stream_socket_client($address);
    fwrite($socket, pack('N', strlen($message)) . $message);
    $response = stream_get_contents($socket);
    return strlen($response) < 4 ? $response : ($response = [unpack('N', $response)[1], substr($response, 4)])[0] . ' ' . md5($response[1]);
}

$probe = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
fclose($probe);
$path = sys_get_temp_dir() . '/pool-' . getmypid() . '.sock';

foreach ([["127.0.0.1", $port, "tcp://127.0.0.1:$port"], ["unix:$path", 0, "unix://$path"]] as [$host, $port, $address]) {
    $pool = new Pool(2, SWOOLE_IPC_SOCKET);
    var_dump($pool->listen($host, $port));
    $pool->on('Message', function (Pool $pool, string $data) {
        if ($data === 'silent') {
            return;
        }
        $pool->write(strrev($data));
        $pool->write('.');
    });
    $pool->on('Start', function (Pool $pool) use ($address) {
        $client = new Swoole\Process(function () use ($address, $pool) {
            foreach (['abc', '', str_repeat('0123456789', 100000)] as $message) {
                var_dump(ask($address, $message) === strlen($message) + 1 . ' ' . md5(strrev($message) . '.'));
            }
            var_dump(ask($address, 'silent'));
            // Longer than allowed, and a client that leaves in the middle.
            $socket = stream_socket_client($address);
            fwrite($socket, pack('N', 3 << 20));
            var_dump(fread($socket, 10));
            $socket = stream_socket_client($address);
            fwrite($socket, pack('N', 100) . 'only this');
            fclose($socket);
            var_dump(ask($address, 'x') === '2 ' . md5('x.'));
            Swoole\Process::kill($pool->master_pid, SIGTERM);
        });
        $client->start();
    });
    swoole_async_set(['log_level' => SWOOLE_LOG_NONE]);
    $pool->start();
    Swoole\Process::wait();
}
unset($pool);
var_dump(file_exists($path));
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
string(0) ""
%Astring(0) ""
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
string(0) ""
%Astring(0) ""
bool(true)
bool(false)
