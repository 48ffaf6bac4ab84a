--TEST--
Runtime: a flag selects the streams of its transport, although they are TCP below
--EXTENSIONS--
openssl
--INI--
default_socket_timeout=1
--FILE--
<?php
// What runs behind 'main' has waited beside it; what lies before it has held the process.
function order(int $flags): string
{
    $order = [];
    Swoole\Runtime::setHookFlags($flags);
    Co\run(function () use ($flags, &$order) {
        $silent = stream_socket_server('tcp://127.0.0.1:0'); // nobody answers the handshakes
        $address = stream_socket_get_name($silent, false);
        $plain = stream_socket_client("tcp://$address");
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $server = stream_socket_server('ssl://127.0.0.1:0');
        $door = stream_socket_server('ssl://127.0.0.1:0');
        $peer = stream_socket_client('tcp://' . stream_socket_get_name($door, false));
        foreach ([$plain, $pair[0]] as $stream) {
            stream_set_timeout($stream, 0, 20000);
        }
        $waits = [
            'tcp' => fn () => fread($plain, 1),
            'ssl' => fn () => @stream_socket_client("ssl://$address", $code, $message, 0.02),
            'tls' => fn () => @stream_socket_client("tls://$address", $code, $message, 0.02),
            'tlsv1.2' => fn () => @stream_socket_client("tlsv1.2://$address", $code, $message, 0.02),
            'pair' => fn () => fread($pair[0], 1),
            'accepting ssl' => fn () => @stream_socket_accept($server, 0.02),
        ];
        if (($flags & SWOOLE_HOOK_TCP) !== 0 || $flags === SWOOLE_HOOK_SSL) { // takes default_socket_timeout
            $waits['accepted by ssl'] = fn () => @stream_socket_accept($door, 0.02);
        }
        foreach ($waits as $name => $wait) {
            go(function () use ($name, $wait, &$order) {
                $wait();
                $order[] = $name;
            });
        }
        $order[] = 'main';
    });
    $beside = array_slice($order, array_search('main', $order, true) + 1);
    sort($beside);
    return implode(', ', $beside);
}
foreach (['TCP', 'SSL', 'TLS', 'UNIX', 'STREAM_FUNCTION', 'UDP', 'ALL'] as $name) {
    echo str_pad($name, 17), order(constant("SWOOLE_HOOK_$name")), "\n";
}
?>
--EXPECT--
TCP              tcp
SSL              accepted by ssl, accepting ssl, ssl
TLS              tls, tlsv1.2
UNIX             pair
STREAM_FUNCTION  pair
UDP              
ALL              accepted by ssl, accepting ssl, pair, ssl, tcp, tls, tlsv1.2
