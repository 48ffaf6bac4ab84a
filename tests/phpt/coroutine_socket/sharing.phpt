--TEST--
one reader and one writer; a second one is refused; cancel and close end their waits
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Socket;

Co\run(function () {
    [$a, $b] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    $much = str_repeat('x', 1_000_000);
    go(function () use ($a) { var_dump($a->recvAll(6)); });
    $writer = go(function () use ($a, $much) { var_dump($a->sendAll($much)); });
    var_dump($a->getBoundCid(SWOOLE_EVENT_READ), $a->getBoundCid(SWOOLE_EVENT_WRITE) === $writer);
    $attempts = [
        'recv' => fn () => $a->recv(), 'recvAll' => fn () => $a->recvAll(), 'recvPacket' => fn () => $a->recvPacket(), 'recvLine' => fn () => $a->recvLine(),
        'recvfrom' => fn () => $a->recvfrom($peer), 'readVector' => fn () => $a->readVector([1]), 'accept' => fn () => $a->accept(),
        'send' => fn () => $a->send('y'), 'sendAll' => fn () => $a->sendAll('y'), 'writeVector' => fn () => $a->writeVector(['y']),
        'sendto' => fn () => $a->sendto('/', 0, 'y'), 'sendFile' => fn () => $a->sendFile(__FILE__), 'connect' => fn () => $a->connect('/'),
        'sslHandshake' => fn () => $a->sslHandshake(),
    ];
    foreach ($attempts as $name => $attempt) {
        try {
            $attempt();
            echo "$name was not refused\n";
        } catch (Swoole\Error $error) {
            echo $name, ' ', $error->getCode() === SWOOLE_ERROR_CO_HAS_BEEN_BOUND ? '' : 'other code ', str_contains($error->getMessage(), 'reading') ? 'reading' : 'writing', "\n";
        }
    }
    // A part of what the first reader wants: it is still the one reader.
    $b->send('abc');
    Coroutine::sleep(0.001);
    try {
        $a->recv();
    } catch (Swoole\Error $error) {
        echo preg_replace('/#\d+/', '#N', preg_replace('~/\S*/~', '', $error->getMessage())), "\n";
    }
    $b->send('def');
    var_dump($b->recvAll(1_000_000) === $much);

    go(function () use ($a) { var_dump($a->recv(), $a->errCode === SOCKET_ECANCELED, $a->errMsg); });
    var_dump($a->cancel(), $a->cancel(SWOOLE_EVENT_WRITE));
    Coroutine::sleep(0.001);
    $cid = go(function () use ($a) { var_dump($a->recv(), $a->errCode === SOCKET_ECANCELED, Coroutine::isCanceled()); });
    Coroutine::cancel($cid);
    Coroutine::sleep(0.001);
    go(function () use ($a) { var_dump($a->recv(), $a->isClosed()); });
    var_dump($a->close());
    Coroutine::sleep(0.001);
    var_dump($b->recv(), Coroutine::stats()['coroutine_num'] < 3);
    // The number of a closed descriptor comes back at once; who waited for the old one does not read from the new one.
    [$old, $other] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    go(function () use ($old) { var_dump($old->recv(), $old->errCode === SOCKET_EBADF || $old->errCode === SOCKET_ECANCELED); });
    $other->send('old');
    $number = $old->fd;
    $old->close();
    [$new, $peer] = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    $peer->send('new');
    Coroutine::sleep(0.001);
    var_dump($new->fd === $number, $new->recv());
    try {
        var_dump(@$b->send('x'), $b->errCode === SOCKET_EPIPE);
    } finally {
        echo "no signal\n";
    }
});
try {
    (new Socket(AF_INET, SOCK_STREAM, 0))->recv();
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
try {
    (new ReflectionClass(Socket::class))->newInstanceWithoutConstructor()->isClosed();
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
--EXPECT--
int(2)
bool(true)
recv reading
recvAll reading
recvPacket reading
recvLine reading
recvfrom reading
readVector reading
accept reading
send writing
sendAll writing
writeVector writing
sendto writing
sendFile writing
connect writing
sslHandshake writing
Socket#N has already been bound to another coroutine#N, which is reading in sharing.php:9; reading of the same socket in coroutine#N at the same time, in sharing.php:31, is not allowed: give each coroutine a connection of its own
string(6) "abcdef"
int(1000000)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
string(18) "Operation canceled"
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
string(0) ""
bool(true)
bool(false)
bool(true)
bool(true)
string(3) "new"
bool(false)
bool(true)
no signal
API must be called in the coroutine
must call constructor first
