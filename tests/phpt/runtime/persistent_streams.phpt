--TEST--
Coroutines that open the same persistent stream get one each
--FILE--
<?php
$server = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($server, false);
$port = (int) substr($address, strrpos($address, ':') + 1);

Co\run(function () use ($server, $address, $port) {
    go(function () use ($server) {
        for ($i = 0; $i < 12; $i++) {
            $peer = stream_socket_accept($server, 5);
            go(function () use ($peer) {
                while (($line = fgets($peer)) !== false) {
                    Co::sleep(0.01);
                    fwrite($peer, $line);
                }
            });
        }
    });
    $open = [
        'pfsockopen' => fn () => pfsockopen('127.0.0.1', $port),
        'stream_socket_client' => fn () => stream_socket_client("tcp://$address", $code, $text, 5, STREAM_CLIENT_CONNECT | STREAM_CLIENT_PERSISTENT),
    ];
    foreach ($open as $name => $connect) {
        $wrong = 0;
        $wait = new Swoole\Coroutine\WaitGroup();
        for ($i = 0; $i < 5; $i++) {
            $wait->add();
            go(function () use ($i, $connect, $wait, &$wrong) {
                $stream = $connect();
                for ($k = 0; $k < 3; $k++) {
                    fwrite($stream, "$i.$k\n");
                    $wrong += fgets($stream) !== "$i.$k\n";
                }
                $wait->done();
            });
        }
        $wait->wait();
        $stream = $connect();
        fwrite($stream, "later\n");
        echo "$name: $wrong wrong lines, then ", fgets($stream);
        fclose($stream);
    }
});

// Outside of coroutines it is PHP's.
$first = pfsockopen('127.0.0.1', $port);
var_dump($first === pfsockopen('127.0.0.1', $port) || stream_socket_get_name($first, false) === stream_socket_get_name(pfsockopen('127.0.0.1', $port), false));
?>
--EXPECT--
pfsockopen: 0 wrong lines, then later
stream_socket_client: 0 wrong lines, then later
bool(true)
