--TEST--
Coroutine\Socket: while one coroutine waits to read, another may wait for room to write, again and again
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Socket;

const LENGTH = 4 * 1024 * 1024;

function pair(int $family): array
{
    if ($family === AF_UNIX) {
        $ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        return [Socket::import($ends[0]), Socket::import($ends[1])];
    }
    $listener = new Socket(AF_INET, SOCK_STREAM);
    $listener->bind('127.0.0.1');
    $listener->listen();
    $client = new Socket(AF_INET, SOCK_STREAM);
    $client->connect('127.0.0.1', $listener->getsockname()['port']);
    return [$client, $listener->accept(1)];
}

Co\run(function () {
    foreach ([AF_UNIX, AF_INET] as $family) {
        [$one, $other] = pair($family);
        $answers = [];
        Coroutine::create(function () use ($one, &$answers) {
            while (($answer = $one->recv(100, 5)) !== '' && $answer !== false) {
                $answers[] = $answer;
            }
        });
        Coroutine::create(function () use ($other) {
            for ($round = 0; $round < 3; $round++) {
                Coroutine::sleep(0.02); // the sender waits by now
                $other->send('got ' . strlen($other->recvAll(LENGTH, 5)));
            }
        });
        for ($round = 0; $round < 3; $round++) {
            var_dump($one->sendAll(str_repeat('x', LENGTH), 5));
            Coroutine::sleep(0.05);
        }
        $other->close();
        Coroutine::sleep(0.01);
        var_dump($answers);
    }
});
--EXPECT--
int(4194304)
int(4194304)
int(4194304)
array(3) {
  [0]=>
  string(11) "got 4194304"
  [1]=>
  string(11) "got 4194304"
  [2]=>
  string(11) "got 4194304"
}
int(4194304)
int(4194304)
int(4194304)
array(3) {
  [0]=>
  string(11) "got 4194304"
  [1]=>
  string(11) "got 4194304"
  [2]=>
  string(11) "got 4194304"
}
