--TEST--
The record of a request has the waits of its coroutines by kind, its CPU and that of others
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Http\Response;
use function Stampede\record_request;
use function Stampede\request_record;

function compute(float $seconds): void
{
    for ($until = hrtime(true) + (int) ($seconds * 1e9); hrtime(true) < $until;);
}

Coroutine\run(function (): void {
    var_dump(request_record());
    $response = new Response();
    record_request($response);
    Coroutine::create(function (): void {
        Coroutine::sleep(0.02);
        compute(0.02);
    });
    Coroutine::sleep(0.01);
    Coroutine::sleep(0.06);
    compute(0.01);
    $record = request_record(true);
    var_dump($record['waits']['sleep']['count'], $record['waits']['sleep']['seconds'] >= 0.09, $record['duration'] >= 0.08);
    var_dump($record['cpu'] > 0.005 && $record['cpu'] <= $record['duration'], $record['others_cpu'] >= 0.0, $record['queue']);
    var_dump(request_record());
});
Coroutine\run(function (): void {
    $go = new Coroutine\Channel(1);
    Coroutine::create(function () use ($go): void {
        $go->pop();
        compute(0.05); // of another request
    });
    record_request(new Response());
    $go->push(true);
    Coroutine::sleep(0.01);
    $record = request_record(true);
    var_dump($record['cpu'] < $record['others_cpu'], $record['others_cpu'] > 0.002);
});
?>
--EXPECT--
NULL
int(3)
bool(true)
bool(true)
bool(true)
bool(true)
float(0)
NULL
bool(true)
bool(true)
