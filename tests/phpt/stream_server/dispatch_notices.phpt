--TEST--
dispatch_func and the dispatch modes 4 and 5 where they have no effect: one line in the log
--FILE--
<?php
function logged(string $class, int $mode, array $settings): void
{
    $file = tempnam(sys_get_temp_dir(), 'dispatch');
    $server = new $class('127.0.0.1', 0, $mode);
    $server->set($settings + ['worker_num' => 2, 'log_file' => $file, 'log_level' => SWOOLE_LOG_NOTICE]);
    $server->on($class === Swoole\Server::class ? 'receive' : 'request', static fn () => null);
    $server->on('start', static fn () => $server->shutdown());
    $server->start();
    $lines = preg_grep('/dispatch_/', file($file));
    echo $lines === [] ? "nothing\n" : preg_replace('/^.*?(?=dispatch_)/m', '', implode($lines));
    unlink($file);
}

$choose = static fn (): int => 0;
logged(Swoole\Server::class, SWOOLE_BASE, ['dispatch_func' => $choose]);
logged(Swoole\Server::class, SWOOLE_BASE, ['dispatch_mode' => 4]);
logged(Swoole\Server::class, SWOOLE_BASE, ['dispatch_mode' => 2]);
logged(Swoole\Server::class, SWOOLE_PROCESS, ['dispatch_func' => $choose]);
logged(Swoole\Server::class, SWOOLE_PROCESS, ['dispatch_mode' => 5]);
logged(Swoole\Http\Server::class, SWOOLE_PROCESS, ['dispatch_func' => $choose]);
logged(Swoole\Http\Server::class, SWOOLE_PROCESS, ['dispatch_mode' => 5]);
logged(Swoole\Http\Server::class, SWOOLE_PROCESS, ['dispatch_mode' => 3]);
logged(Swoole\Http\Server::class, SWOOLE_PROCESS, ['dispatch_func' => $choose, 'open_http2_protocol' => true]);
?>
--EXPECT--
dispatch_func has no effect with SWOOLE_BASE: packets are received by the worker that has their connection
dispatch_mode 4 has no effect with SWOOLE_BASE: packets are received by the worker that has their connection
nothing
nothing
nothing
nothing
nothing
nothing
dispatch_func counts for HTTP/1 without TLS only: other requests are handled by the worker that has their connection
