--TEST--
Swoole\Server::set(): what has no effect says so once, what is missing refuses the start
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
$log = tempnam(sys_get_temp_dir(), 'log');
$stats = tempnam(sys_get_temp_dir(), 'stats');
$server = new Swoole\Http\Server('127.0.0.1', 0, SWOOLE_BASE);
$server->set(['log_file' => $log, 'open_cpu_affinity' => true, 'thread_num' => null, 'enable_unsafe_event' => false, 'stats_file' => $stats, 'stats_timer_interval' => 10, 'socket_timeout' => 0.25]);
$server->on('request', fn () => 0);
$server->on('workerStart', function ($server) use ($stats) {
    echo Co::getOptions()['socket_timeout'], "\n";
    for ($until = hrtime(true) + 10e9; filesize($stats) === 0 && hrtime(true) < $until;) {
        Co::sleep(0.01);
        clearstatcache();
    }
    Co::sleep(0.02);
    $server->shutdown();
});
$server->start();
preg_match_all('/the option .*/', file_get_contents($log), $lines);
echo implode("\n", $lines[0]), "\n", preg_match('/^worker_num: 1$/m', file_get_contents($stats)), "\n";

foreach (['url_rewrite_rules' => ['~(~' => '/b'], 'bootstrap' => 'x.php'] as $name => $value) {
    $server = new Swoole\Http\Server('127.0.0.1', 0, SWOOLE_BASE);
    $server->set([$name => $value, 'log_file' => $log]);
    $server->on('request', fn () => 0);
    try {
        $server->start();
    } catch (Swoole\Exception $exception) {
        echo $exception->getMessage(), "\n";
    }
}
set_error_handler(fn (int $level, string $text) => print("$text\n"));
Swoole\Server\Helper::checkOptions(['worker_num' => 1, 'worker_nmu' => 1]);
array_map('unlink', [$log, $stats]);
?>
--EXPECT--
0.25
the option open_cpu_affinity has no effect: the kernel places the processes
1
url_rewrite_rules: "~(~" is no regular expression
the option bootstrap is not there: servers consist of processes, not of threads
unsupported option [worker_nmu]
