--TEST--
Stampede\WebRequest: each request begins with the settings that the process has then, and leaves them as they were
--INI--
precision=14
memory_limit=128M
--FILE--
<?php
use Stampede\WebRequest;

function request(callable $work): void
{
    WebRequest::begin([], [], [], [], [], '');
    $work();
    WebRequest::end();
}

function show(string $when): void
{
    echo $when, ': ', ini_get('precision'), ' ', ini_get('memory_limit'), "\n";
}

request(fn () => show('as in php.ini'));
ini_set('precision', '7');
request(fn () => show('one is changed'));
ini_set('precision', '8');
request(function (): void {
    show('to another value');
    ini_set('precision', '5');
    ini_set('memory_limit', '256M');
});
show('after changes in a request');
ini_restore('precision');
ini_set('memory_limit', '200M');
request(function (): void {
    show('another one is changed');
    ini_restore('memory_limit');
    show('and put back in the request');
});
show('after that');
ini_set('memory_limit', '20' . '0M'); // the same text at another place
request(fn () => show('the same value'));
ini_restore('memory_limit');
request(fn () => show('all are as in php.ini'));

Swoole\Coroutine\run(function (): void {
    foreach (['5', '6'] as $own) {
        go(fn () => request(function () use ($own): void {
            ini_set('precision', $own);
            Swoole\Coroutine::sleep(0.001);
            show("of two at once, {$own}");
        }));
    }
    show('between them');
    ini_set('precision', '9'); // the process's own, while requests wait
});
show('at the end');
?>
--EXPECT--
as in php.ini: 14 128M
one is changed: 7 128M
to another value: 8 128M
after changes in a request: 8 128M
another one is changed: 14 200M
and put back in the request: 14 128M
after that: 14 200M
the same value: 14 200M
all are as in php.ini: 14 128M
between them: 14 128M
of two at once, 5: 5 128M
of two at once, 6: 6 128M
at the end: 9 128M
