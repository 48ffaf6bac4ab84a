--TEST--
Event::write sends in the background and in order
--FILE--
<?php

use Swoole\Event;
[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$data = random_bytes(3000000);
var_dump(Event::write($a, $data), Event::write($a, 'tail'));
$got = '';
stream_set_blocking($b, false);
Event::add($b, function ($s) use (&$got, $data) {
    $got .= fread($s, 65536);
    if (strlen($got) === strlen($data) + 4) { Event::del($s); }
});
Event::wait();
var_dump($got === $data . 'tail');
var_dump(@Event::write($a, ''), @Event::add('nonsense', fn () => 1), @Event::add(987, fn () => 1));
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
