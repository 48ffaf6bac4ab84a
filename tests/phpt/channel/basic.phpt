--TEST--
push and pop, full and empty, in order
--FILE--
<?php

Co\run(function () {
    $c = new Swoole\Coroutine\Channel(2);
    var_dump($c instanceof Chan, $c->capacity, $c->errCode, $c->isEmpty(), $c->isFull(), $c->length());
    var_dump($c->push('a'), $c->push(['b']), $c->isFull(), $c->length());
    go(function () use ($c) { var_dump($c->push('c')); echo "pushed c\n"; });
    var_dump($c->stats());
    var_dump($c->pop());
    var_dump($c->pop(), $c->pop(), $c->length());
    go(function () use ($c) { var_dump($c->pop()); });
    go(function () use ($c) { var_dump($c->pop()); });
    var_dump($c->stats()['consumer_num']);
    $c->push(1);
    echo "between\n";
    $c->push(2);
});
--EXPECT--
bool(true)
int(2)
int(0)
bool(true)
bool(false)
int(0)
bool(true)
bool(true)
bool(true)
int(2)
array(3) {
  ["consumer_num"]=>
  int(0)
  ["producer_num"]=>
  int(1)
  ["queue_num"]=>
  int(2)
}
bool(true)
pushed c
string(1) "a"
array(1) {
  [0]=>
  string(1) "b"
}
string(1) "c"
int(0)
int(2)
int(1)
between
int(2)
