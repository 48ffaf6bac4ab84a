--TEST--
A read that was filled is no promise: what is there is read without asking, what is not there is waited for
--FILE--
<?php

use Swoole\Coroutine;

Coroutine\run(static function (): void {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $address = 'tcp://' . stream_socket_get_name($server, false);
    $connect = static function () use ($server, $address): array {
        $client = stream_socket_client($address);
        return [$client, stream_socket_accept($server, 5)];
    };

    foreach ([8192, 3 * 8192, 100000] as $size) {
        // The last read is filled, then nothing comes in time.
        [$client, $peer] = $connect();
        fwrite($peer, str_repeat('x', $size));
        stream_set_timeout($client, 0, 50000);
        $read = 0;
        while (($piece = fread($client, 8192)) !== '' && $piece !== false) {
            $read += strlen($piece);
        }
        $data = stream_get_meta_data($client);
        echo $read === $size ? 'all' : "$read of $size", $data['timed_out'] ? ', timed out' : '', $data['eof'] ? ', ended' : '', "\n";

        // It comes later.
        Coroutine::create(static function () use ($peer): void {
            Coroutine::sleep(0.02);
            fwrite($peer, 'more');
            fclose($peer);
        });
        stream_set_timeout($client, 5);
        echo stream_get_contents($client), feof($client) ? ', ended' : '', "\n";
    }

    // Another coroutine takes what is left while the first one waits for something else.
    [$client, $peer] = $connect();
    fwrite($peer, str_repeat('x', 50000));
    $read = strlen(fread($client, 8192));
    Coroutine::join([Coroutine::create(static function () use ($client, &$read): void {
        while ($read < 50000) {
            $read += strlen(fread($client, 8192));
        }
    })]);
    stream_set_timeout($client, 0, 50000);
    var_dump(fread($client, 8192), stream_get_meta_data($client)['timed_out'], $read);

    // The number is used again.
    [$client, $peer] = $connect();
    fwrite($peer, str_repeat('x', 50000));
    fread($client, 8192);
    fclose($client);
    [$client, $peer] = $connect();
    stream_set_timeout($client, 0, 50000);
    var_dump(fread($client, 8192), stream_get_meta_data($client)['timed_out']);
    $reading = [$client];
    $none = null;
    var_dump(stream_select($reading, $none, $none, 0, 20000));
});
?>
--EXPECT--
all, timed out
more, ended
all, timed out
more, ended
all, timed out
more, ended
bool(false)
bool(true)
int(50000)
bool(false)
bool(true)
int(0)
