--TEST--
Runtime::enableCoroutine(0) after the hooks were on: libraries selected by a flag block again
--EXTENSIONS--
curl
pcntl
posix
--FILE--
<?php
use Swoole\Runtime;

$listener = stream_socket_server('tcp://127.0.0.1:0');
$url = 'http://' . stream_socket_get_name($listener, false) . '/';
$child = pcntl_fork();
if ($child === 0) {
    for (;;) {
        $connection = stream_socket_accept($listener, 60);
        fread($connection, 8192);
        usleep(50000);
        fwrite($connection, "HTTP/1.0 200 OK\r\n\r\ndone");
        fclose($connection);
    }
}
fclose($listener);
$ask = function () use ($url): void {
    go(function () use ($url) {
        $handle = curl_init($url);
        curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
        echo curl_exec($handle), ' ';
    });
    go(function () { echo 'other '; });
};
Co\run($ask);
echo "\n";
Runtime::enableCoroutine(0);
Co\run($ask);
echo "\n";
Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
Co\run($ask);
echo "\n";
posix_kill($child, SIGKILL);
pcntl_waitpid($child, $status);
?>
--EXPECT--
other done 
done other 
other done
