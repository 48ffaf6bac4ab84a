--TEST--
recvLine() takes many lines at a time from the socket, and leaves what is no line for whoever reads next
--FILE--
<?php

use Swoole\Coroutine;
use Swoole\Coroutine\Socket;

Coroutine\run(static function (): void {
    $connect = static function (): array {
        [$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        return [Socket::import($one), Socket::import($other)];
    };

    [$in, $out] = $connect();
    $in->sendAll("first\r\nsecond\nthe rest of it");
    var_dump($out->recvLine(), $out->recvLine(), $out->recvLine(), $out->peek(4), $out->recv(4), $out->recvLine(3), $out->peek(2), $out->recvAll(7));

    $in->sendAll("a line\nparts of a vector");
    var_dump($out->recvLine());
    var_dump($out->readVector([5, 4, 8]));

    $in->sendAll("a line\nall parts");
    var_dump($out->recvLine());
    var_dump($out->readVectorAll([3, 6]));

    $in->sendAll("a line\n\0\0\0\5fives");
    var_dump($out->recvLine());
    $out->setProtocol(['open_length_check' => true, 'package_length_type' => 'N', 'package_body_offset' => 4]);
    var_dump($out->recvPacket() === "\0\0\0\5fives");

    // A line that comes in pieces, is longer than what is looked at at once, or has no end.
    Coroutine::create(static function () use ($in): void {
        foreach (['in ', 'three ', "pieces\nmore"] as $piece) {
            $in->sendAll($piece);
            Coroutine::sleep(0.01);
        }
        $in->sendAll(' of it' . str_repeat('x', 50000) . "\nlast words");
        $in->close();
    });
    var_dump($out->recvLine(), strlen($out->recvLine(100000)), $out->recvLine(), $out->recvLine());

    // Nothing comes in time: what is there of the line is given.
    [$in, $out] = $connect();
    $in->sendAll('a half');
    var_dump($out->recvLine(100, 0.05), $out->errCode === SOCKET_ETIMEDOUT, $out->recvLine(100, 0.05), $out->errCode === SOCKET_ETIMEDOUT);

    // Another reader of the same connection.
    [$in, $out] = $connect();
    $in->sendAll("mine\nyours\n");
    var_dump($out->recvLine());
    $out->peek();
    $copy = fopen("php://fd/{$out->fd}", 'r');
    var_dump(fgets($copy));

    $cost = static function (Closure $read): float {
        [$in, $out] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        [$in, $out] = [Socket::import($in), Socket::import($out)];
        $lines = str_repeat(str_repeat('x', 30) . "\n", 1000);
        $sum = 0;
        for ($round = 0; $round < 50; $round++) {
            $in->sendAll($lines);
            $use = getrusage();
            $sum -= $use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec'] + ($use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec']) / 1e6;
            for ($i = 0; $i < 1000; $i++) {
                $read($out);
            }
            $use = getrusage();
            $sum += $use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec'] + ($use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec']) / 1e6;
        }
        return $sum;
    };
    $lines = $cost(static fn (Socket $socket) => $socket->recvLine());
    $reads = $cost(static fn (Socket $socket) => $socket->recv(31));
    echo 'lines are cheaper than reads: ', $lines < 0.8 * $reads ? 'yes' : "no, $lines against $reads", "\n";
});
?>
--EXPECT--
string(6) "first"
string(1) "
"
string(7) "second
"
string(4) "the "
string(4) "the "
string(3) "res"
string(2) "t "
string(7) "t of it"
string(7) "a line
"
array(3) {
  [0]=>
  string(5) "parts"
  [1]=>
  string(4) " of "
  [2]=>
  string(8) "a vector"
}
string(7) "a line
"
array(2) {
  [0]=>
  string(3) "all"
  [1]=>
  string(6) " parts"
}
string(7) "a line
"
bool(true)
string(16) "in three pieces
"
int(50011)
string(10) "last words"
string(0) ""
string(6) "a half"
bool(true)
bool(false)
bool(true)
string(5) "mine
"
string(6) "yours
"
lines are cheaper than reads: yes
