--TEST--
Process: a child with a pipe, its end, exit codes, the exported socket
--FILE--
<?php
use Swoole\Process;

$child = new Process(function (Process $process) {
    $process->write('hello from ' . ($process->pid === getmypid() ? 'me' : 'somebody'));
    $process->write('got ' . $process->read());
    $process->exit(7);
    echo "never\n";
});
$pid = $child->start();
var_dump($pid === $child->pid, is_int($child->pipe), $child->read());
var_dump($child->write('a message'), $child->read());
var_dump(Process::wait() === ['pid' => $pid, 'code' => 7, 'signal' => 0], Process::wait());
var_dump($child->start());

// A stream ends when the child has.
$child = new Process(function (Process $process) {
    echo 'through standard output: ', fgets(STDIN);
}, true);
$child->start();
$child->write("line\n");
$text = '';
while (($piece = $child->read()) !== '') {
    $text .= $piece;
}
var_dump($text, Process::wait()['code']);

// Killed, thrown, without a pipe.
$child = new Process(function () { sleep(100); }, false, 0);
$child->start();
var_dump(Process::kill($child->pid, 0), Process::kill($child->pid, SIGKILL), Process::wait()['signal'], Process::kill($child->pid, 0), @$child->read());
$child = new Process(function () { ini_set('display_errors', '0'); throw new Exception('in the child'); });
$child->start();
var_dump(Process::wait()['code']);

// Time limits.
$child = new Process(function (Process $process) { $process->read(); });
$child->start();
$child->setTimeout(0.02);
var_dump($child->read());
$child->setBlocking(false);
var_dump($child->read(), $child->write('end'), $child->close(), @$child->read());
var_dump(is_array(Process::wait()));

// In coroutines, on both sides.
$child = new Process(function (Process $process) {
    $socket = $process->exportSocket();
    $socket->send(strtoupper($socket->recv()));
}, false, SOCK_STREAM, true);
$child->start();
Co\run(function () use ($child) {
    go(fn () => print("meanwhile\n"));
    $socket = $child->exportSocket();
    var_dump($socket instanceof Swoole\Coroutine\Socket, $socket === $child->exportSocket(), $socket->send('text'), $socket->recv());
    try {
        (new Process(fn () => 1))->start();
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
});
Process::wait();
?>
--EXPECTF--
bool(true)
bool(true)
string(13) "hello from me"
int(9)
string(13) "got a message"
bool(true)
bool(false)

Warning: Swoole\Process::start(): process has already been started in %s on line %d
bool(false)
string(30) "through standard output: line
"
int(0)
bool(true)
bool(true)
int(9)
bool(false)
bool(false)
int(255)
bool(false)
bool(false)
int(3)
bool(true)
bool(false)
bool(true)
meanwhile
bool(true)
bool(true)
int(4)
string(4) "TEXT"
must be forked outside the coroutine
