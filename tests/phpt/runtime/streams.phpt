--TEST--
Runtime: blocking streams, sleeps and children wait in their coroutine
--FILE--
<?php
Co\run(function () {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    go(function () use ($server) {
        echo "accepts\n";
        $peer = stream_socket_accept($server);
        $line = fgets($peer);
        echo "server reads: $line";
        fwrite($peer, str_repeat('x', 1_000_000) . "\n");
        fclose($peer);
    });
    go(function () use ($server) {
        $client = stream_socket_client('tcp://' . stream_socket_get_name($server, false));
        fwrite($client, "hello\n");
        $size = strlen(stream_get_contents($client));
        echo "client reads: $size\n";
    });
    echo "main goes on\n";
});
Co\run(function () {
    foreach ([0.03, 0.01, 0.02] as $time) {
        go(function () use ($time) {
            usleep((int) ($time * 1e6));
            echo "slept $time\n";
        });
    }
});
Co\run(function () {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    stream_set_timeout($pair[0], 0, 20000);
    go(function () use ($pair) {
        var_dump(fgets($pair[0]), stream_get_meta_data($pair[0])['timed_out']);
        stream_set_blocking($pair[0], false);
        var_dump(fgets($pair[0]));
    });
    go(function () {
        exec('exit 3', $output, $status);
        $process = proc_open(['sh', '-c', 'cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        fwrite($pipes[0], 'through');
        fclose($pipes[0]);
        $result = [$status, fread($pipes[1], 100), proc_close($process)];
        usleep(50000);
        echo json_encode($result), "\n";
    });
});
// A wait that is cancelled fails.
$cid = go(function () {
    $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    var_dump(fgets($pair[0]), Co::isCanceled());
});
var_dump(Co::cancel($cid));
Swoole\Event::wait();
?>
--EXPECT--
accepts
main goes on
server reads: hello
client reads: 1000001
slept 0.01
slept 0.02
slept 0.03
bool(false)
bool(true)
bool(false)
[3,"through",0]
bool(false)
bool(true)
bool(true)
