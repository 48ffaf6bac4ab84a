--TEST--
Socket: time limits and lingering as options: right values, or an error that says what they are
--EXTENSIONS--
sockets
--FILE--
<?php
use Swoole\Coroutine\Socket;

Swoole\Coroutine\run(static function (): void {
    $socket = new Socket(AF_INET, SOCK_STREAM, 0);
    $object = new stdClass();
    [$object->sec, $object->usec] = [3, 250_000];
    $values = [['sec' => 1, 'usec' => 500_000], ['sec' => 0, 'usec' => 0], $object, 2.5, '2.5', 7, INF, 'soon', '', null, true, NAN, new stdClass(), ['sec' => 1], [1, 2]];
    foreach ($values as $value) {
        try {
            $socket->setOption(SOL_SOCKET, SO_RCVTIMEO, ['sec' => 9, 'usec' => 0]);
            echo json_encode([$socket->setOption(SOL_SOCKET, SO_RCVTIMEO, $value), $socket->getOption(SOL_SOCKET, SO_RCVTIMEO)]), "\n";
        } catch (Error $error) {
            echo $error::class, ': ', $error->getMessage(), ' ', json_encode($socket->getOption(SOL_SOCKET, SO_RCVTIMEO)), "\n";
        }
    }
    $plain = socket_create(AF_INET, SOCK_STREAM, 0);
    $linger = new stdClass();
    [$linger->l_onoff, $linger->l_linger] = [1, 5];
    foreach ([$linger, ['l_onoff' => 1, 'l_linger' => 3], ['l_onoff' => 0, 'l_linger' => 0], ['l_onoff' => '1', 'l_linger' => '2'], 1, ['l_onoff' => 1]] as $value) {
        $both = [];
        foreach ([$socket->setOption(...), static fn (int $level, int $name, mixed $value) => socket_set_option($plain, $level, $name, $value)] as $set) {
            try {
                $both[] = $set(SOL_SOCKET, SO_LINGER, $value);
            } catch (ValueError|TypeError) { // which of them depends on PHP's version
                $both[] = 'refused';
            }
        }
        echo json_encode([...$both, $socket->getOption(SOL_SOCKET, SO_LINGER) === socket_get_option($plain, SOL_SOCKET, SO_LINGER)]), "\n";
    }
});
?>
--EXPECT--
[true,{"sec":1,"usec":500000}]
[true,{"sec":0,"usec":0}]
[true,{"sec":3,"usec":250000}]
[true,{"sec":2,"usec":500000}]
[true,{"sec":2,"usec":500000}]
[true,{"sec":7,"usec":0}]
[true,{"sec":0,"usec":0}]
TypeError: A time limit must be an array with sec and usec, or a number of seconds, not string. {"sec":9,"usec":0}
TypeError: A time limit must be an array with sec and usec, or a number of seconds, not string. {"sec":9,"usec":0}
TypeError: A time limit must be an array with sec and usec, or a number of seconds, not null. {"sec":9,"usec":0}
TypeError: A time limit must be an array with sec and usec, or a number of seconds, not bool. {"sec":9,"usec":0}
TypeError: A time limit must be an array with sec and usec, or a number of seconds, not float. {"sec":9,"usec":0}
ValueError: The value of this option must be an array with sec and usec. {"sec":9,"usec":0}
ValueError: The value of this option must be an array with sec and usec. {"sec":9,"usec":0}
ValueError: The value of this option must be an array with sec and usec. {"sec":9,"usec":0}
[true,true,true]
[true,true,true]
[true,true,true]
[true,true,true]
["refused","refused",true]
["refused","refused",true]
