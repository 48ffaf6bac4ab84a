--TEST--
curl_exec() that is cancelled was aborted; its arguments are not to blame
--EXTENSIONS--
curl
--FILE--
<?php
$listener = stream_socket_server('tcp://127.0.0.1:0');
Co\run(function () use ($listener) {
    $start = function () use ($listener): int {
        return go(function () use ($listener) {
            $handle = curl_init('http://' . stream_socket_get_name($listener, false) . '/');
            curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
            for ($i = 0; $i < 2; $i++) {
                swoole_clear_error();
                var_dump(curl_exec($handle), curl_errno($handle) === CURLE_ABORTED_BY_CALLBACK, swoole_last_error() === SWOOLE_ERROR_CO_CANCELED, Co::isCanceled());
            }
            // Canceled before, but not in this call.
            curl_setopt($handle, CURLOPT_TIMEOUT_MS, 1);
            swoole_clear_error();
            var_dump(curl_exec($handle), curl_errno($handle) === CURLE_OPERATION_TIMEDOUT, swoole_last_error() === SWOOLE_ERROR_CO_CANCELED);
        });
    };
    $cid = $start();
    foreach ([1, 2] as $i) {
        Co::sleep(0.01);
        Co::cancel($cid);
    }
    Co::join([$cid]);
});
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
