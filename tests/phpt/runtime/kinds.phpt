--TEST--
Runtime: a flag selects the sockets of its kind
--FILE--
<?php
function order(int $flags): string
{
    $order = '';
    Swoole\Runtime::setHookFlags($flags);
    Co\run(function () use (&$order) {
        $tcp = stream_socket_server('tcp://127.0.0.1:0');
        $client = stream_socket_client('tcp://' . stream_socket_get_name($tcp, false));
        $server = stream_socket_accept($tcp);
        $unix = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        foreach ([$server, $unix[0]] as $stream) {
            stream_set_timeout($stream, 0, 20000);
        }
        go(function () use ($server, &$order) {
            fread($server, 1);
            $order .= 't';
        });
        go(function () use ($unix, &$order) {
            fread($unix[0], 1);
            $order .= 'u';
        });
        $order .= 'm';
    });
    return $order;
}
var_dump(order(SWOOLE_HOOK_TCP), order(SWOOLE_HOOK_UNIX), order(SWOOLE_HOOK_TCP | SWOOLE_HOOK_UNIX), order(SWOOLE_HOOK_UDP), order(0));
?>
--EXPECT--
string(3) "umt"
string(3) "tmu"
string(3) "mtu"
string(3) "tum"
string(3) "tum"
