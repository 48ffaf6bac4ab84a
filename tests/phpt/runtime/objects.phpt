--TEST--
Runtime: which objects take part, by policy, setting and flag, and those that come later too
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Runtime;

// A program of its own for each case: extensions come from php.ini there.
$module = null;
foreach (file('/proc/self/maps') as $line) {
    if (preg_match('~(/\S*stampede\S*\.so)$~', trim($line), $found)) {
        $module = $found[1];
    }
}
$run = static function (string $code, string ...$options) use ($module): string {
    $command = [PHP_BINARY, '-n', '-d', "extension=$module", ...$options, '-r', $code];
    return (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
};
$list = 'foreach (Stampede\hooked_objects() as $path => $object) { printf("%s: %s%s\n", basename($path), $object["state"], $object["functions"] === [] ? "" : " and more"); }';
$of = static fn (string $text, string $start): string => preg_match("~^$start.*~m", $text, $found) ? $found[0] : 'not there';

echo 'before: ', $run('var_dump(Stampede\hooked_objects() === []);');
$all = $run('Swoole\Runtime::enableCoroutine();' . $list, '-d', 'extension=sockets');
echo $of($all, 'php'), "\n", $of($all, 'sockets'), "\n", $of($all, 'libc.so'), "\n", $of($all, basename($module)), "\n";
echo 'without its flag: ', $of($run('Swoole\Runtime::setHookFlags(SWOOLE_HOOK_TCP);' . $list, '-d', 'extension=sockets'), 'sockets'), "\n";
echo 'excluded: ', $of($run('Swoole\Runtime::enableCoroutine();' . $list, '-d', 'extension=sockets', '-d', 'stampede.hook_exclude=libfoo, sockets'), 'sockets'), "\n";
echo 'included: ', $of($run('Swoole\Runtime::enableCoroutine();' . $list, '-d', 'stampede.hook_include=libcrypto'), 'libcrypto'), "\n";
echo 'loaded later: ', $of($run('Swoole\Runtime::enableCoroutine(); dl("sockets");' . $list, '-d', 'enable_dl=1'), 'sockets'), "\n";

// With ext-sockets alone selected, streams block and sockets wait; the other way round with the flag of streams.
$order = '$order = []; Swoole\Coroutine\run(function () use (&$order) {
    socket_create_pair(AF_UNIX, SOCK_STREAM, 0, $sockets);
    socket_set_option($sockets[0], SOL_SOCKET, SO_RCVTIMEO, ["sec" => 0, "usec" => 20000]);
    $streams = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    stream_set_timeout($streams[0], 0, 20000);
    go(function () use ($sockets, &$order) { @socket_recv($sockets[0], $data, 1, 0); $order[] = "sockets"; });
    go(function () use ($streams, &$order) { fread($streams[0], 1); $order[] = "streams"; });
    $order[] = "main";
}); echo implode(" ", $order), "\n";';
foreach (['SOCKETS', 'UNIX', 'ALL'] as $flag) {
    echo "$flag: ", $run("Swoole\\Runtime::setHookFlags(SWOOLE_HOOK_$flag);" . $order, '-d', 'extension=sockets');
}
echo 'listed: ', preg_match('~Blocking calls of => wait in coroutines.*=> redirected \(the PHP program\) .*poll~s', (string) shell_exec(escapeshellarg(PHP_BINARY) . ' -n -d ' . escapeshellarg("extension=$module") . ' --ri stampede')), "\n";
?>
--EXPECTF--
before: bool(true)
php%s: redirected and more
sockets.so: redirected and more
libc.so.6: left alone
stampede.so: left alone
without its flag: sockets.so: flag off
excluded: sockets.so: left alone
included: libcrypto.so.%d: redirected and more
loaded later: sockets.so: redirected and more
SOCKETS: streams main sockets
UNIX: sockets main streams
ALL: main sockets streams
listed: 1
