--TEST--
Remote objects: a server with a port, its token, lost connections and processes, time-outs, sizes
--EXTENSIONS--
pcntl
posix
--FILE--
<?php
require __DIR__ . '/client.inc';
use Swoole\Coroutine;
use Swoole\RemoteObject\Client;
use Swoole\RemoteObject\Server;

function free_port(): int
{
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    return (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
}

function in_child(callable $run): int
{
    $pid = pcntl_fork();
    if ($pid === 0) {
        $run();
        posix_kill(getmypid(), SIGKILL);
    }
    return $pid;
}

$port = free_port();
$server = in_child(static function () use ($port): void {
    (new Server('127.0.0.1', $port, ['worker_num' => 2, 'bootstrap' => __DIR__ . '/hosted.inc', 'log_level' => SWOOLE_LOG_NONE]))->start();
});
$there = static function () use ($port): bool {
    $up = false;
    Coroutine\run(static function () use ($port, &$up): void {
        $up = (new Client('127.0.0.1', $port))->ping();
    });
    return $up;
};
var_dump(wait_until($there));
$dir = swoole_get_default_remote_object_server_dir();
printf("%o %o\n", fileperms($dir) & 0777, fileperms("$dir/$port.token") & 0077);

// The objects of a client that is killed.
$mark = note_file();
$client = in_child(static fn () => Coroutine\run(static function () use ($port, $mark): void {
    $shelf = (new Client('127.0.0.1', $port))->create('Shelf', $mark);
    touch("$mark.made");
    Coroutine::sleep(60);
}));
var_dump(wait_until(static fn (): bool => is_file("$mark.made")), is_file($mark));
posix_kill($client, SIGKILL);
pcntl_waitpid($client, $status);
var_dump(wait_until(static fn (): bool => is_file($mark) && file_get_contents($mark) !== ""), file($mark));
array_map('unlink', [$mark, "$mark.made"]);

Coroutine\run(static function () use ($port): void {
    echo thrown(static fn () => (new Client('127.0.0.1', $port, ['token' => 'guessed']))->call('getmypid')), "\n";
    foreach ([['timeout' => 0], ['retries' => 1]] as $wrong) {
        echo thrown(static fn () => new Client('127.0.0.1', $port, $wrong)), "\n";
    }
    $small = new Client('127.0.0.1', $port, ['package_max_length' => 4096]);
    $shelf = $small->create('Shelf');
    echo thrown(static fn () => $shelf->echo(str_repeat('x', 5000))), "\n";
    echo thrown(static fn () => $shelf->long(5000)), "\n";
    var_dump(strlen($shelf->long(2000)));

    // A worker that ends takes its objects with it; the client makes others.
    $client = new Client('127.0.0.1', $port);
    $shelf = $client->create('Shelf');
    $pid = $shelf->pid();
    echo preg_replace('/:\d+/', '', thrown(static fn () => $shelf->end())), "\n";
    echo thrown(static fn () => $shelf->pid()), "\n";
    var_dump($client->create('Shelf')->pid() !== $pid);

    $short = new Client('127.0.0.1', $port, ['timeout' => 0.2]);
    $shelf = null;
    wait_until(static function () use ($short, &$shelf): bool {
        try {
            $shelf = $short->create('Shelf');
            return true;
        } catch (Swoole\RemoteObject\Exception) {
            return false;  // the machine is busy
        }
    });
    $began = hrtime(true);
    echo preg_replace('/:\d+/', '', thrown(static fn () => $shelf->sleep(20))), "\n";
    var_dump(hrtime(true) - $began < 15e9);
});

// Messages of others: no token, no message, the class of another object.
$ask = static function (string $token, string $body, string $path = '/ping') use ($port): string {
    $context = stream_context_create(['http' => ['method' => 'POST', 'ignore_errors' => true, 'content' => $body, 'header' => "Authorization: Bearer $token\r\nContent-Type: text/plain"]]);
    return file_get_contents("http://127.0.0.1:$port$path?limit=10000", false, $context) === false ? 'nothing' : $http_response_header[0];
};
$token = file_get_contents("$dir/$port.token");
echo $ask('', serialize([])), "\n", $ask($token, 'x'), "\n", $ask($token, serialize([]), '/call'), "\n", $ask($token, serialize([])), "\n";
$sent = 'a:1:{s:4:"name";O:5:"Shelf":1:{s:11:"' . "\0Shelf\0mark" . '";s:' . strlen($mark) . ":\"$mark\";}}";
echo $ask($token, $sent), "\n";

posix_kill($server, SIGTERM);
pcntl_waitpid($server, $status);
clearstatcache();
var_dump(is_file($mark), is_file("$dir/$port.token"));
Coroutine\run(static function () use ($port): void {
    $client = new Client('127.0.0.1', $port);
    var_dump($client->ping());
    echo preg_replace('/:\d+/', '', thrown(static fn () => $client->create('Shelf'))), "\n";
});
echo thrown(static fn () => new Server('0.0.0.0', 0)), "\n";
?>
--EXPECTF--
bool(true)
700 0
bool(true)
bool(false)
bool(true)
array(1) {
  [0]=>
  string(6) "freed
"
}
Swoole\RemoteObject\Exception: The server of remote objects at 127.0.0.1:%d refuses the token: give server and client the same option token, or run them as the same user. (0)
InvalidArgumentException: timeout, connect_timeout and package_max_length of a client of remote objects must be above 0. (0)
InvalidArgumentException: A client of remote objects has no option retries: it has timeout, connect_timeout, token and package_max_length. (0)
Swoole\RemoteObject\Exception: The arguments have %d bytes, package_max_length allows 4096. (0)
Swoole\RemoteObject\Exception: The result has %d bytes, the client takes 4096: ask for less, or set its package_max_length. (0)
int(2000)
Swoole\RemoteObject\Exception: The server of remote objects at 127.0.0.1 has ended the connection, and the objects on it are lost: its log says why. (0)
Swoole\RemoteObject\Exception: The connection that this remote object was made on has ended, and with it the object: make another one. (0)
bool(true)
Swoole\RemoteObject\Exception: The server of remote objects at 127.0.0.1 has not responded within the timeout of 0.2 s; the objects of this connection are lost. (0)
bool(true)
HTTP/1.1 401 Unauthorized
HTTP/1.1 400 Bad Request
HTTP/1.1 410 Gone
HTTP/1.1 200 OK
HTTP/1.1 200 OK
bool(false)
bool(false)
bool(false)
Swoole\RemoteObject\Exception: The server of remote objects at 127.0.0.1 cannot be reached: %s. (0)
Swoole\RemoteObject\Exception: A server of remote objects on 0.0.0.0 needs the option token, and its clients the same: it runs what they ask for. (0)
