<?php

declare(strict_types=1);

/*
 * Ends a script in one of the ways that PHP has, from one of the places that run PHP code. usage: endings.php PLACE ENDING, or nothing: both, as JSON
 */

use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Process;
use Swoole\Timer;

final class Unprintable extends Exception
{
    public function __toString(): string
    {
        throw new Exception('in toString');
    }
}

$endings = [
    'handler returns' => ['return', fn () => throw new Exception('first')],
    'handler exits' => ['exit', fn () => throw new Exception('first')],
    'handler exits with text' => ['text', fn () => throw new Exception('first')],
    'handler throws' => ['throw', fn () => throw new Exception('first')],
    'handler gives back' => ['give back', fn () => throw new Exception('first')],
    'handler fails' => ['fail', fn () => throw new Exception('first')],
    'handler throws what cannot be printed' => ['unprintable', fn () => throw new Exception('first')],
    'exception' => ['', fn () => throw new Exception('first')],
    'exception that cannot be printed' => ['', fn () => throw new Unprintable('first')],
    'user error' => ['', fn () => trigger_error('stop', E_USER_ERROR)],
    'compile error' => ['', fn () => eval('function strlen() {}')],
    'parse error' => ['', fn () => eval('this is no code')],
    'assertion that bails' => ['', function (): void {
        ini_set('assert.exception', '0');
        ini_set('assert.bail', '1');
        assert(false);
    }],
];

function handle(string $way, Throwable $exception): void
{
    echo 'handler: ', $exception->getMessage(), "\n";
    match ($way) {
        'exit' => exit(3),
        'text' => exit("bye\n"),
        'throw' => throw new Exception('second'),
        'give back' => throw $exception,
        'fail' => trigger_error('stop', E_USER_ERROR),
        'unprintable' => throw new Unprintable('second'),
        'return' => null,
    };
}

function finish(): void
{
    global $endings, $argv;
    [$way, $end] = $endings[$argv[2]];
    if ($way !== '') {
        set_exception_handler(fn (Throwable $exception) => handle($way, $exception));
    }
    ob_start();
    echo "outer\n";
    ob_start(static fn (string $text): string => "<$text>");
    echo 'inner';
    $end();
    echo "not reached\n";
}

/** What waits beside it must not keep the script. */
function wait_beside(): void
{
    go(function (): void {
        Coroutine::sleep(60);
        echo "never\n";
    });
}

$places = [
    'no coroutine' => fn () => finish(),
    'run' => fn () => Coroutine\run(function (): void { wait_beside(); finish(); }),
    'go' => fn () => go(function (): void { finish(); }),
    'nested' => fn () => Coroutine\run(function (): void { wait_beside(); go(fn () => finish()); echo "not reached\n"; }),
    'behind a wait' => fn () => Coroutine\run(function (): void { wait_beside(); Coroutine::sleep(0.001); finish(); }),
    'defer' => fn () => Coroutine\run(function (): void { wait_beside(); Coroutine::defer(fn () => finish()); }),
    'timer' => fn () => Coroutine\run(function (): void { wait_beside(); Timer::after(1, fn () => finish()); }),
    'timer outside of coroutines' => function (): void {
        swoole_async_set(['enable_coroutine' => false]);
        Timer::after(1, fn () => finish());
        Event::wait();
    },
    'tick' => fn () => Coroutine\run(function (): void { wait_beside(); Timer::tick(1, fn () => finish()); }),
    'scheduler' => function (): void {
        $scheduler = new Coroutine\Scheduler();
        $scheduler->add(function (): void { wait_beside(); finish(); });
        $scheduler->start();
    },
    'event' => function (): void { Event::defer(fn () => finish()); Event::wait(); },
    'signal' => function (): void {
        Process::signal(SIGUSR1, fn () => finish());
        Timer::after(60000, fn () => null);
        posix_kill(posix_getpid(), SIGUSR1);
        Event::wait();
    },
    'batch' => fn () => Coroutine\run(function (): void { wait_beside(); Coroutine\batch([fn () => finish()]); }),
    'process' => function (): void { echo child(false); exit(status()); },
    'process with a coroutine' => function (): void { echo child(true); exit(status()); },
];

/** Its output comes with the process's own, before it. */
function child(bool $coroutine): string
{
    ob_start();
    $process = new Process(function (): void { finish(); echo "not reached\n"; }, false, 0, $coroutine);
    $process->start();
    return (string) ob_get_clean();
}

function status(): int
{
    $status = Process::wait();
    return ($status['signal'] ?? 0) !== 0 ? 128 + $status['signal'] : $status['code'];
}

if (!isset($argv[1])) {
    echo json_encode(['places' => array_keys($places), 'endings' => array_keys($endings)]), "\n";
    exit;
}
if (!str_starts_with($argv[1], 'process')) {  // the child has those of its parent
    register_shutdown_function(fn () => fwrite(STDERR, "shutdown\n"));
}
$places[$argv[1]]();
echo "goes on\n";
