--TEST--
Clients read on behind a mark of urgent data; the marked byte is left out
--FILE--
<?php
use Swoole\Coroutine\{Channel, Client, Socket};
use Swoole\Coroutine\Http;

// Sends before, an urgent byte and after at once to who connects, and lets the connection be until he has read.
function peer(string $before, string $after, callable $client): void
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $done = new Channel(1);
    go(function () use ($listener, $before, $after, $done) {
        $connection = stream_socket_accept($listener, 10);
        fread($connection, 8192);
        fwrite($connection, $before);
        stream_socket_sendto($connection, '!', STREAM_OOB);
        fwrite($connection, $after);
        $done->pop(10);
    });
    $client((int) substr(strrchr(stream_socket_get_name($listener, false), ':'), 1));
    $done->push(true);
}

Co\run(function () {
    foreach ([["HTTP/1.1 200 OK\r\nContent-Le", "ngth: 10\r\n\r\n1234567890"], ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", '67890'], ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", '1234567890']] as [$before, $after]) {
        peer($before, $after, function (int $port) {
            $client = new Http\Client('127.0.0.1', $port);
            $client->set(['timeout' => 5]);
            $client->get('/');
            echo $client->statusCode, ' ', $client->body, "\n";
        });
    }
    peer('12345', "67890\n", function (int $port) {
        $client = new Client(SWOOLE_SOCK_TCP);
        $client->set(['open_eof_check' => true, 'package_eof' => "\n", 'timeout' => 5]);
        $client->connect('127.0.0.1', $port);
        $client->send('x');
        echo $client->recv();
    });
    peer('12345', '67890', function (int $port) {
        $socket = new Socket(AF_INET, SOCK_STREAM, 0);
        $socket->connect('127.0.0.1', $port);
        $socket->send('x');
        echo $socket->recvAll(10, 5), "\n";
    });
    peer('12345', "67890\n", function (int $port) {
        $stream = stream_socket_client("tcp://127.0.0.1:$port");
        stream_set_timeout($stream, 5);
        fwrite($stream, 'x');
        echo fgets($stream);
    });
});
?>
--EXPECT--
200 1234567890
200 1234567890
200 1234567890
1234567890
1234567890
1234567890
