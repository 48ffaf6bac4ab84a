--TEST--
packets: by mark, by length, by function, of known protocols; settings that make no sense
--FILE--
<?php

use Swoole\Coroutine\Socket;

function pair(array $settings): array
{
    $pair = swoole_coroutine_socketpair(AF_UNIX, SOCK_STREAM, 0);
    $pair[1]->setProtocol($settings);
    return $pair;
}

Co\run(function () {
    [$a, $b] = pair(['open_eof_check' => true, 'package_eof' => "\r\n"]);
    $a->send("one\r\n\r\ntw");
    var_dump($b->recvPacket(), $b->recvPacket(), $b->recvPacket(0.01), $b->errCode === SOCKET_ETIMEDOUT);
    $a->send("o\r\nrest");
    var_dump($b->recvPacket());
    $a->close();
    var_dump($b->recvPacket(), $b->errCode === SOCKET_ECONNRESET);

    [$a, $b] = pair(['open_length_check' => true, 'package_length_type' => 'n', 'package_length_offset' => 2, 'package_body_offset' => 4, 'package_max_length' => 100]);
    $a->send("AA\0\3abcBB\0\0CC\0\x60" . str_repeat('c', 96) . "DD\0\x61");
    var_dump(substr($b->recvPacket(), 4), strlen($b->recvPacket()), strlen($b->recvPacket()));
    var_dump($b->recvPacket(), $b->errCode === SWOOLE_ERROR_PACKAGE_LENGTH_TOO_LARGE, $b->recvPacket());

    $asked = 0;
    [$a, $b] = pair(['open_length_check' => true, 'package_length_func' => function (string $bytes) use (&$asked): int {
        $asked++;
        Co::sleep(0.001);
        $colon = strpos($bytes, ':');
        return $colon === false ? (strlen($bytes) > 5 ? -1 : 0) : $colon + 1 + (int) $bytes;
    }]);
    $a->send('3:abc2');
    var_dump($b->recvPacket(), $b->recvPacket(0.05));
    $a->send(':xy');
    var_dump($b->recvPacket(), $asked >= 3);
    $a->send('nonsense');
    var_dump($b->recvPacket(), $b->errCode === SWOOLE_ERROR_PACKAGE_MALFORMED_DATA);

    [$a, $b] = pair(['open_length_check' => true, 'package_length_func' => fn () => throw new DomainException('from the function')]);
    $a->send('x');
    try {
        $b->recvPacket();
    } catch (DomainException $exception) {
        echo $exception->getMessage(), "\n";
    }

    [$a, $b] = pair(['open_mqtt_protocol' => true]);
    $a->send("\xc0\x00\x30\x03abc");
    var_dump(bin2hex($b->recvPacket()), bin2hex($b->recvPacket()));
    [$a, $b] = pair(['open_fastcgi_protocol' => true]);
    $a->send("\1\3\0\1\0\2\1\0ab\0more");
    var_dump(strlen($b->recvPacket()));
    [$a, $b] = pair([]);
    $a->send('whatever');
    var_dump($b->recvPacket());

    $bad = [['package_length_type' => 'x'], ['open_eof_check' => true, 'package_eof' => ''], ['package_length_func' => 'no such function']];
    foreach ($bad as $settings) {
        try {
            (new Socket(AF_INET, SOCK_STREAM, 0))->setProtocol($settings);
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
});
--EXPECT--
string(5) "one
"
string(2) "
"
bool(false)
bool(true)
string(5) "two
"
bool(false)
bool(true)
string(3) "abc"
int(4)
int(100)
bool(false)
bool(true)
bool(false)
string(5) "3:abc"
bool(false)
string(4) "2:xy"
bool(true)
bool(false)
bool(true)
from the function
string(4) "c000"
string(10) "3003616263"
int(11)
string(8) "whatever"
ValueError: The setting package_length_type must be a letter that pack() knows for whole numbers, as N.
ValueError: The setting package_eof must not be empty.
TypeError: The setting package_length_func must be a function that takes the bytes so far and returns the size of the packet.
