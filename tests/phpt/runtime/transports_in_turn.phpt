--TEST--
Runtime: a socket is of the transport that its own stream was opened by, whatever was opened before or meanwhile
--EXTENSIONS--
openssl
--FILE--
<?php
Swoole\Runtime::setHookFlags(SWOOLE_HOOK_SSL | SWOOLE_HOOK_NET_FUNCTION);
Co\run(function () {
    $silent = stream_socket_server('tcp://127.0.0.1:0'); // nobody answers the handshakes
    $port = (int) substr(strrchr(stream_socket_get_name($silent, false), ':'), 1);
    $streams = [];
    foreach (['ssl', 'tcp'] as $transport) { // one call, one after another
        $streams[] = @stream_socket_client("$transport://127.0.0.1:$port", $code, $message, 0.02);
    }
    stream_set_timeout($streams[1], 0, 20000);
    $order = '';
    go(function () use ($streams, &$order) {
        fread($streams[1], 1);
        $order .= 'plain ';
    });
    $order .= 'main ';
    for ($i = 0; $i < 3; $i++) { // where the hosts file is not asked first, all wait for the name before they have a socket
        go(function () use ($port, $i, &$order) {
            $i === 2 ? @stream_socket_client("tls://localhost:$port", $code, $message, 0.05)
                : @stream_socket_client("ssl://localhost:$port", $code, $message, 0.4);
            $order .= "$i ";
        });
    }
    $order .= 'main ';
    $ticks = 0;
    $tick = Swoole\Timer::tick(5, function () use (&$ticks, &$order) { // while the others wait, after the one that does not
        $ticks += str_contains($order, '2') ? 1 : 0;
    });
    while (substr_count($order, ' ') < 6) {
        Co::sleep(0.005);
    }
    Swoole\Timer::clear($tick);
    $ended = strpos($order, '2');
    var_dump(strpos($order, '0') !== false, strpos($order, '1') !== false, $ended !== false, $ticks >= 3);
});
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
