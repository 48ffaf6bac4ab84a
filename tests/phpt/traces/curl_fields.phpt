--TEST--
A transfer of curl gets further fields beside those of its handle, which keeps its own
--EXTENSIONS--
curl
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Http\Server;
use function Stampede\observe_calls;

$number = 0;
observe_calls(function (string $function) use (&$number): array {
    return [null, null, ['X-Added: ' . ++$number, 'X-Given: observer']];
}, static function (): void {});

Coroutine\run(function (): void {
    $server = new Server('127.0.0.1', 0);
    $server->handle('/', function ($request, $response): void {
        $seen = array_intersect_key($request->header, ['x-added' => 1, 'x-given' => 1, 'x-own' => 1]);
        ksort($seen);
        $response->end(urldecode(http_build_query($seen, '', ' ')));
    });
    Coroutine::create(fn () => $server->start());
    $get = function (?CurlHandle $handle = null) use ($server): CurlHandle {
        $handle ??= curl_init();
        curl_setopt_array($handle, [CURLOPT_URL => "http://127.0.0.1:{$server->port}/", CURLOPT_RETURNTRANSFER => true]);
        return $handle;
    };
    $handle = $get();
    echo curl_exec($handle), "\n";
    curl_setopt($handle, CURLOPT_HTTPHEADER, ['X-Own: a', 'x-given: application']);
    echo curl_exec($handle), "\n";
    $copy = curl_copy_handle($handle);
    echo curl_exec($copy), "\n";
    unset($handle);
    echo curl_exec($copy), "\n";
    curl_setopt($copy, CURLOPT_HTTPHEADER, ['X-Own: b']);
    echo curl_exec($copy), "\n";
    curl_reset($copy);
    echo curl_exec($get($copy)), "\n";

    $multi = curl_multi_init();
    $handles = [$get(), $get()];
    curl_setopt($handles[1], CURLOPT_HTTPHEADER, ['X-Own: c']);
    foreach ($handles as $each) {
        curl_multi_add_handle($multi, $each);
    }
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi, 1.0);
    } while ($running > 0);
    foreach ($handles as $each) {
        echo curl_multi_getcontent($each), "\n";
        curl_multi_remove_handle($multi, $each);
    }
    observe_calls(null);
    echo curl_exec($handles[1]), "\n";
    $server->shutdown();
});
?>
--EXPECT--
x-added=1 x-given=observer
x-added=2 x-given=application x-own=a
x-added=3 x-given=application x-own=a
x-added=4 x-given=application x-own=a
x-added=5 x-given=observer x-own=b
x-added=6 x-given=observer
x-added=7 x-given=observer
x-added=8 x-given=observer x-own=c
x-own=c
