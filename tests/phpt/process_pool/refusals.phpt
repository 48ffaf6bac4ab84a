--TEST--
Process\Pool: what cannot work is said in one sentence
--FILE--
<?php
use Swoole\Process\Pool;

function attempt(callable $function): void
{
    try {
        var_dump($function());
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
set_error_handler(fn ($level, $text) => print("$text\n"));

attempt(fn () => new Pool(0));
attempt(fn () => new Pool(1, 7));
attempt(fn () => new Pool(1, SWOOLE_IPC_MSGQUEUE, 0, true));
attempt(fn () => (new Pool(1, SWOOLE_IPC_SOCKET))->set(['enable_coroutine' => true]));
attempt(fn () => (new Pool(1))->on('Nothing', fn () => 1));
attempt(fn () => (new Pool(1))->on('Message', fn () => 1));
attempt(fn () => (new Pool(1))->start());
attempt(fn () => (new Pool(1, SWOOLE_IPC_UNIXSOCK))->start());
attempt(fn () => (new Pool(1))->listen('127.0.0.1', 1));
attempt(fn () => (new Pool(1))->write('x'));
attempt(fn () => (new Pool(1))->sendMessage('x', 0));
attempt(fn () => (new Pool(1))->getProcess(0));
attempt(fn () => (new Pool(1))->detach());
attempt(fn () => (new Pool(1))->stop());
attempt(fn () => (new Pool(1))->shutdown());
attempt(fn () => (new class(1) extends Pool { public function __construct() {} })->start());

$probe = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
$pool = new Pool(1, SWOOLE_IPC_SOCKET);
$pool->on('Message', fn () => 1);
attempt(fn () => $pool->start());
attempt(fn () => $pool->listen('127.0.0.1', $port));
attempt(fn () => $pool->listen('127.0.0.1', 70000));
attempt(fn () => $pool->listen('no such host'));
attempt(fn () => $pool->listen('unix:/no/such/folder/pool.sock'));

$pool = new Pool(1, SWOOLE_IPC_UNIXSOCK);
$pool->on('WorkerStart', function (Pool $pool) {
    attempt(fn () => $pool->start());
    attempt(fn () => $pool->on('Message', fn () => 1));
    attempt(fn () => $pool->sendMessage('x', 1));
    attempt(fn () => $pool->getProcess(1));
    $pool->shutdown();
});
Co\run(fn () => attempt(fn () => $pool->start()));
$pool->start();
?>
--EXPECTF--
Swoole\Exception: the parameter $worker_num must be greater than 0
Swoole\Exception: the parameter $ipc_type must be one of the SWOOLE_IPC_ constants
Swoole\Exception: the parameter $ipc_type must be SWOOLE_IPC_UNIXSOCK when enable coroutine
Swoole\Exception: the parameter $ipc_type must be SWOOLE_IPC_UNIXSOCK when enable coroutine
Swoole\Process\Pool::on(): unknown event type[Nothing]
bool(false)
Swoole\Process\Pool::on(): cannot set onMessage event with ipc_type=0
bool(false)
Swoole\Exception: require onWorkerStart callback: set the event WorkerStart with on() before start()
Swoole\Exception: require onWorkerStart or onMessage callback: set one of them with on() before start()
Swoole\Process\Pool::listen(): unsupported ipc type[0]: listen() goes with SWOOLE_IPC_SOCKET
bool(false)
Swoole\Process\Pool::write(): unsupported ipc type[0]: write() goes with SWOOLE_IPC_SOCKET
bool(false)
Swoole\Process\Pool::sendMessage(): process pool is not started.
bool(false)
Swoole\Process\Pool::getProcess(): process pool is not started.
bool(false)
Swoole\Process\Pool::detach(): only a worker can detach itself
bool(false)
Swoole\Process\Pool::stop(): only a worker can stop itself: shutdown() stops the pool
NULL
Swoole\Process\Pool::shutdown(): process pool is not started.
bool(false)
Swoole\Error: must call constructor first
Swoole\Exception: a pool with SWOOLE_IPC_SOCKET needs an address: call listen() before start()
Swoole\Process\Pool::listen(): cannot listen on 127.0.0.1:%d: Address already in use
bool(false)
Swoole\Process\Pool::listen(): invalid port [70000]
bool(false)
Swoole\Process\Pool::listen(): the address "no such host" is not valid
bool(false)
Swoole\Process\Pool::listen(): cannot listen on unix:/no/such/folder/pool.sock: No such file or directory
bool(false)
Swoole\Error: must be forked outside the coroutine
Swoole\Process\Pool::start(): process pool is started
bool(false)
Swoole\Process\Pool::on(): process pool is started. unable to register event callback function
bool(false)
Swoole\Process\Pool::sendMessage(): invalid worker_id[1]
bool(false)
Swoole\Process\Pool::getProcess(): invalid worker_id[1]
bool(false)
