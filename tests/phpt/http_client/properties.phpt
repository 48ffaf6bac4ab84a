--TEST--
Coroutine\Http\Client: properties and settings before the first request
--FILE--
<?php
use Swoole\Coroutine\Http\Client;
$client = new Client('example.com', 0, true);
foreach (get_object_vars($client) as $name => $value) {
    echo $name, ' = ', json_encode($value), "\n";
}
var_dump($client->set([]), $client->set(['timeout' => 1.5, 'keep_alive' => false]), $client->setting);
var_dump($client->getDefer(), $client->setDefer(), $client->getDefer());
$client->setBasicAuth('me', 'word');
var_dump($client->requestHeaders, $client->setMethod('PUT'), $client->requestMethod, $client->setData('x'), $client->requestBody);
var_dump($client->getHeaderOut(), $client->getPeerCert(), $client->getpeername(), $client->close(), $client->errCode === SWOOLE_ERROR_CLIENT_NO_CONNECTION);
foreach ([['', 80], ['a', 65536], ["a\0b", 80]] as $arguments) {
    try {
        new Client(...$arguments);
    } catch (Client\Exception $exception) {
        echo $exception->getMessage(), "\n";
    }
}
try {
    $client->get('/');
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
try {
    clone $client;
} catch (Error $error) {
    echo get_class($error), "\n";
}
var_dump((new ReflectionMethod($client, 'setBasicAuth'))->getParameters()[1]->getAttributes()[0]->getName());
?>
--EXPECT--
socket = null
errCode = 0
errMsg = ""
connected = false
host = "example.com"
port = 443
ssl = true
setting = null
requestMethod = null
requestHeaders = null
requestBody = null
uploadFiles = null
downloadFile = null
downloadOffset = 0
statusCode = 0
headers = null
set_cookie_headers = null
cookies = null
body = ""
bool(false)
bool(true)
array(2) {
  ["timeout"]=>
  float(1.5)
  ["keep_alive"]=>
  bool(false)
}
bool(false)
bool(true)
bool(true)
array(1) {
  ["Authorization"]=>
  string(18) "Basic bWU6d29yZA=="
}
bool(true)
string(3) "PUT"
bool(true)
string(1) "x"
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
the host of an HTTP client must be a name, an address or unix:/path
the port must be a number from 0 to 65535
the host of an HTTP client must be a name, an address or unix:/path
API must be called in the coroutine
Error
string(18) "SensitiveParameter"
