--TEST--
a server whose log goes to nothing reports exceptions of handlers in PHP's own error log
--FILE--
<?php

$log = tempnam(sys_get_temp_dir(), 'log');
ini_set('error_log', $log);
ini_set('log_errors', '1');
foreach ([['log_file' => '/dev/null'], ['log_level' => SWOOLE_LOG_NONE]] as $settings) {
    $server = new Swoole\Http\Server('127.0.0.1', 0);
    $server->set($settings + ['worker_num' => 1]);
    $server->on('request', static fn () => throw new Exception('of the request'));
    $server->on('workerStart', static function () use ($server): void {
        go(static function () use ($server): void {
            $client = new Swoole\Coroutine\Http\Client('127.0.0.1', $server->port);
            $client->get('/page');
            echo $client->statusCode, "\n";
            $server->shutdown();
        });
        Swoole\Timer::after(10000, static fn () => $server->shutdown());
    });
    $server->start();
    $text = file_get_contents($log);
    var_dump(substr_count($text, 'PHP Fatal error:'), str_contains($text, 'the handler of "GET /page" failed: Exception: of the request in '));
    file_put_contents($log, '');
}
unlink($log);
--EXPECT--
500
int(1)
bool(true)
500
int(1)
bool(true)
