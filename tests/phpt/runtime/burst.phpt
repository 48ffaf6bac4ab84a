--TEST--
Hooks: a stream server takes a burst of connections before it accepts the first one
--FILE--
<?php
Co\run(static function (): void {
    $door = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($door, false);
    $peers = [];
    for ($i = 0; $i < 100; $i++) {
        $peers[] = stream_socket_client("tcp://$address", $number, $message, 30);
    }
    $start = hrtime(true);
    // Connections that had no place in the queue come back after a second, and the kernel knows of none before.
    $accepted = 0;
    while ($accepted < 100 && @stream_socket_accept($door, 0.0) !== false) {
        $accepted++;
    }
    var_dump($accepted);
});
?>
--EXPECT--
int(100)
