--TEST--
Coroutine\Http\Server: ports, failures, start, shutdown, start again
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
try {
    (new Server('127.0.0.1', 0))->start();
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
Co\run(function () {
    $server = new Server('127.0.0.1', 0);
    foreach (get_object_vars($server) as $name => $value) {
        echo $name, ' = ', in_array($name, ['fd', 'port']) ? gettype($value) : json_encode($value), "\n";
    }
    foreach ([['127.0.0.1', $server->port], ['300.1.1.1', 0], ['127.0.0.1', 70000]] as $address) {
        try {
            new Server(...$address);
        } catch (Swoole\Exception $exception) {
            echo get_class($exception), ' ', str_replace((string) $server->port, 'PORT', $exception->getMessage()), "\n";
        }
    }
    var_dump($server->set(['upload_tmp_dir' => '/tmp', 'http_parse_post' => false]), $server->settings['upload_tmp_dir']);
    $server->handle('/', function ($request, $response) use ($server) {
        var_dump($request->post, $request->rawContent());
        $server->shutdown();
        $response->end('last');
    });
    go(function () use ($server) {
        $client = new Client('127.0.0.1', $server->port);
        var_dump($client->post('/', ['a' => 'b']), $client->body);
    });
    var_dump($server->start(), $server->fd);
    $other = new Server('127.0.0.1', $server->port);  // takes the address of the one that was shut down
    var_dump($server->start(), $server->errCode === SOCKET_EADDRINUSE, $server->errMsg);
    $path = sys_get_temp_dir() . '/stampede-' . getmypid() . '.sock';
    $unix = new Server("unix:$path");
    $unix->handle('/', fn ($request, $response) => $response->end('over ' . ($request->server['remote_addr'] === '' ? 'nothing' : 'unix')));
    $cid = go(fn () => $unix->start());
    $client = new Client("unix:$path");
    var_dump($client->get('/'), $client->statusCode, file_exists($path));
    $unix->shutdown();
    Co::join([$cid]);
    var_dump(file_exists($path));
    $tls = new Server('127.0.0.1', 0, true);
    var_dump($tls->start(), $tls->errMsg);
    $one = new Server('127.0.0.1', 0, false, true);
    $two = new Server('127.0.0.1', $one->port, false, true);
    var_dump($one->port === $two->port);
    $cid = go(fn () => var_dump($one->start(), $one->errCode === SOCKET_ECANCELED));
    Co::cancel($cid);
});
echo "end\n";
gc_collect_cycles();  // the functions hold their server
?>
--EXPECT--
API must be called in the coroutine
fd = integer
host = "127.0.0.1"
port = integer
ssl = false
settings = null
errCode = 0
errMsg = ""
Swoole\Exception bind(127.0.0.1:PORT) failed, Error: Address already in use[98]
Swoole\Exception bind(300.1.1.1:0) failed, Error: Invalid argument[22]
Swoole\Exception the port must be a number from 0 to 65535
bool(true)
string(4) "/tmp"
NULL
string(3) "a=b"
bool(true)
string(4) "last"
bool(true)
int(-1)
bool(false)
bool(true)
string(22) "Address already in use"
bool(true)
int(200)
bool(true)
bool(false)
bool(false)
string(59) "TLS needs a certificate: set ssl_cert_file and ssl_key_file"
bool(true)
bool(false)
bool(true)
end
