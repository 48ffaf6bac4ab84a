--TEST--
Files to send that are no files: a device is not called a directory
--FILE--
<?php
Co\run(function (): void {
    [$a, $b] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    foreach (['/dev/null', __DIR__, __DIR__ . '/none'] as $path) {
        var_dump(@$a->sendFile($path));
        echo $a->errMsg, "\n";
    }
});
?>
--EXPECT--
bool(false)
Operation not supported
bool(false)
Is a directory
bool(false)
file not exist
