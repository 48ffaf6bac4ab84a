--TEST--
Coroutine\Http2\Client, Http2\Request and Response: properties, states
--FILE--
<?php
use Swoole\Coroutine\Http2\Client;
use Swoole\Http2\{Request, Response};
foreach ([new Client('example.com', 443, true), new Request(), new Response()] as $object) {
    echo get_class($object), "\n";
    foreach (get_object_vars($object) as $name => $value) {
        echo '  ', $name, ' = ', json_encode($value), "\n";
    }
}
try {
    new Client('', 80);
} catch (Client\Exception $exception) {
    echo $exception->getMessage(), "\n";
}
Co\run(function () {
    $client = new Client('127.0.0.1', 1);
    var_dump($client->set(['timeout' => 1]), $client->setting, $client->stats(), $client->stats('active_stream_num'), $client->isStreamExist(0));
    foreach ([fn () => $client->send(new Request()), fn () => $client->recv(), fn () => $client->read(), fn () => $client->write(1, 'x'), fn () => $client->ping(), fn () => $client->goaway()] as $call) {
        var_dump($call());
    }
    var_dump($client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION, $client->errMsg, $client->close());
    var_dump($client->connect(), $client->errCode === SOCKET_ECONNREFUSED, $client->connected);
});
try {
    (new Client('127.0.0.1', 1))->connect();
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
Swoole\Coroutine\Http2\Client
  errCode = 0
  errMsg = ""
  sock = -1
  type = 0
  setting = null
  socket = null
  connected = false
  host = "example.com"
  port = 443
  ssl = true
  serverLastStreamId = 0
Swoole\Http2\Request
  path = "\/"
  method = "GET"
  headers = null
  cookies = null
  data = ""
  pipeline = false
  usePipelineRead = false
Swoole\Http2\Response
  streamId = 0
  errCode = 0
  statusCode = 0
  pipeline = false
  headers = null
  set_cookie_headers = null
  cookies = null
  data = null
the host must not be empty, and the port a number from 0 to 65535
bool(true)
array(1) {
  ["timeout"]=>
  int(1)
}
array(0) {
}
int(0)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
string(33) "client is not connected to server"
bool(false)
bool(false)
bool(true)
bool(false)
API must be called in the coroutine
