--TEST--
WebRequest: exit ends a script, and a function that call() calls; no catch sees it, and finally runs in the function
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

function in_request(callable $code): string
{
    $printed = '';
    WebRequest::begin(['REQUEST_METHOD' => 'GET'], [], [], [], [], '', function (string $data) use (&$printed): void { $printed .= $data; });
    $result = $code();
    WebRequest::end();
    return json_encode([$printed, $result]);
}

function deep(int $depth, bool $waits): mixed
{
    try {
        if ($depth > 0) {
            return array_map(fn () => deep($depth - 1, $waits), [1]);
        }
        $waits && Coroutine::sleep(0.001);
        exit('text');
    } catch (Throwable) {
        echo ' caught';
    } finally {
        echo " finally {$depth}";
    }
}

function generator(): Generator
{
    try {
        yield 1;
        exit;
    } finally {
        echo 'of the generator';
    }
}

Coroutine\run(function (): void {
    echo in_request(fn () => WebRequest::run(__DIR__ . '/exit_script.inc')), "\n";
    echo in_request(fn () => WebRequest::call(fn () => deep(2, false))), "\n";
    echo in_request(fn () => WebRequest::call(fn () => iterator_to_array(generator()))), "\n";
    echo in_request(fn () => WebRequest::call(fn () => 'no exit')), "\n";
    foreach ([1, 2] as $number) {
        Coroutine::create(function (): void {
            echo in_request(fn () => WebRequest::call(fn () => deep(1, true))), "\n";
        });
    }
});
Coroutine\run(function (): void {
    try {
        exit('outside');
    } catch (Swoole\ExitException $exit) {
        echo 'outside of requests it is caught: ', $exit->getStatus(), "\n";
    }
});
?>
--EXPECT--
["the script, its text",null]
["text finally 0 finally 1 finally 2",null]
["of the generator",null]
["","no exit"]
["text finally 0 finally 1",null]
["text finally 0 finally 1",null]
outside of requests it is caught: outside
