--TEST--
Swoole\Curl\Handler and swoole_curl_*: curl handles as objects, which wait in coroutines
--EXTENSIONS--
curl
--FILE--
<?php
use Swoole\Curl\Handler;

Co\run(function () {
    $server = new Co\Http\Server('127.0.0.1', 0);
    $server->handle('/', function ($request, $response) {
        Co::sleep(0.01);
        $response->end(strtoupper($request->rawContent() ?: $request->server['request_method']));
    });
    go(fn () => $server->start());
    $url = "http://127.0.0.1:{$server->port}/";

    $handler = new Handler($url);
    var_dump($handler->setOpt(CURLOPT_RETURNTRANSFER, true), $handler->exec(), $handler->getContent(), $handler->errno(), $handler->error());
    var_dump($handler->getInfo()['http_code'], preg_match('/^Object\(\d+\) of type \(curl\)$/', (string) $handler));

    // Functions get the object.
    $handle = swoole_curl_init($url);
    $same = null;
    $body = '';
    var_dump(swoole_curl_setopt_array($handle, [
        CURLOPT_POSTFIELDS => 'posted',
        CURLOPT_WRITEFUNCTION => function ($given, string $data) use (&$same, &$body, $handle) {
            $same = $given === $handle;
            $body .= $data;
            return strlen($data);
        },
    ]), swoole_curl_exec($handle), $same, $body, swoole_curl_getinfo($handle, CURLINFO_RESPONSE_CODE), swoole_curl_getinfo($handle)['url'] === $url);
    swoole_curl_reset($handle);
    var_dump(swoole_curl_exec($handle), swoole_curl_errno($handle) === CURLE_URL_MALFORMAT, swoole_curl_error($handle) !== '', swoole_curl_multi_getcontent($handle));
    swoole_curl_close($handle);
    set_error_handler(fn (int $level, string $text) => print("$text\n"));
    var_dump($handle->isAvailable(), $handle->exec());
    restore_error_handler();

    // Twenty at once.
    $results = Swoole\Coroutine\map(range(1, 20), function (int $i) use ($url) {
        $handler = new Handler($url);
        $handler->setOpt(CURLOPT_RETURNTRANSFER, true);
        $handler->setOpt(CURLOPT_POSTFIELDS, "n{$i}");
        return $handler->exec();
    });
    var_dump($results === array_map(fn ($i) => "N{$i}", range(1, 20)));
    $server->shutdown();
});

try {
    new Handler("http://\0");
} catch (ValueError) {
    echo "refused\n";
}
$table = swoole_table(16, 'name:s:10, age:int, weight:f');
$table->set('a', ['name' => 'x', 'age' => 3, 'weight' => 1.5]);
var_dump($table->get('a'));
try {
    swoole_table(16, 'name');
} catch (InvalidArgumentException $exception) {
    echo $exception->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
string(3) "GET"
string(3) "GET"
int(0)
string(0) ""
int(200)
int(1)
bool(true)
bool(true)
bool(true)
string(6) "POSTED"
int(200)
bool(true)
bool(false)
bool(true)
bool(true)
NULL
supplied resource is not a valid cURL handle resource
supplied resource is not a valid cURL handle resource
bool(false)
bool(false)
bool(true)
refused
array(3) {
  ["name"]=>
  string(1) "x"
  ["age"]=>
  int(3)
  ["weight"]=>
  float(1.5)
}
the field 'name' of swoole_table() must be like 'name:string:64', 'age:int' or 'weight:float'
