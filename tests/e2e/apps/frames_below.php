<?php

declare(strict_types=1);

/*
 * Raises an error where next to no frame of PHP code is below: while a coroutine begins or ends, outside of coroutines, in callbacks of the loop.
 * usage: frames_below.php PLACE ACTION [handled]       without arguments: the names of both, as JSON
 */

use Swoole\Coroutine;
use Swoole\Event;
use Swoole\Process;
use Swoole\Timer;

/** A stream wrapper without stream_write(): what its filter holds back is written when the stream is freed, by no function of PHP's. */
final class Unwritable
{
    public mixed $context;

    public function stream_open(): bool
    {
        return true;
    }
}

/** Acts when it is freed. */
final class Probe
{
    public ?Probe $self = null;

    public function __construct(private string $action)
    {
    }

    public function __destruct()
    {
        act($this->action);
    }
}

function act(string $action): void
{
    fwrite(STDERR, "acts\n");  // what is echoed in a handler of output is dropped
    switch ($action) {
        case 'errors':
            trigger_error('a notice', E_USER_NOTICE);
            hex2bin('1');
            trigger_error('a deprecation', E_USER_DEPRECATED);
            echo $GLOBALS['missing'];
            ini_set('assert.exception', '0');
            assert(false);
            fwrite(STDERR, error_get_last() === null ? "no last error\n" : "the last error\n");
            break;
        case 'exception':
            throw new Exception('an exception');
        case 'frames':
            ask();
            break;
    }
}

function ask(mixed ...$arguments): void
{
    debug_print_backtrace();
    var_dump(count(debug_backtrace()) > 0, func_get_args(), func_num_args(), get_included_files() !== []);
    echo (new Exception('asked'))->getTraceAsString(), json_encode(Coroutine::getBackTrace());
    extract(['a' => 1]);
    echo count(compact('a')), count(get_defined_vars()), Closure::fromCallable('ask')::class;
    try {
        throw new Exception('inner');
    } catch (Exception $exception) {
        echo $exception->getTraceAsString();
    }
    fwrite(STDERR, "asked\n");
}

/** What acts when the last reference goes. */
function probe(): mixed
{
    global $action;
    if ($action !== 'stream') {
        return new Probe($action);
    }
    $stream = fopen('unwritable://x', 'w');
    stream_filter_append($stream, 'convert.base64-encode', STREAM_FILTER_WRITE);
    fwrite($stream, 'a');
    return $stream;
}

function cycle(): void
{
    $holder = new stdClass();
    $holder->probe = probe();
    $holder->self = $holder;
}

function go_on(): void
{
    Coroutine::sleep(0.001);
}

final class Buffered
{
    public function __invoke(string $text): string
    {
        $probe = probe();
        return $text;
    }
}

$places = [
    'plain function' => fn () => (function (): void { $probe = probe(); })(),
    'a function returns' => fn () => Coroutine\run(function (): void { $probe = probe(); }),
    'a nested coroutine returns' => fn () => Coroutine\run(fn () => go(function (): void { $probe = probe(); })),
    'returns behind a wait' => fn () => Coroutine\run(fn () => go(function (): void { $probe = probe(); go_on(); })),
    'an argument is freed' => fn () => Coroutine\run(fn () => go(function ($value): void { unset($value); }, probe())),
    'an argument at the end' => fn () => Coroutine\run(fn () => go(function ($value): void { go_on(); }, probe())),
    'the closure is freed' => function (): void {
        Coroutine\run(function (): void {
            $probe = probe();
            $closure = function () use ($probe): void { go_on(); unset($probe); };
            unset($probe);
            go($closure);
            unset($closure);
        });
    },
    'the result' => fn () => Coroutine\run(fn () => go(fn () => probe())),
    'a generator is the function' => fn () => Coroutine\run(fn () => go(function ($value) { yield 1; }, probe())),
    'a generator inside' => fn () => Coroutine\run(function (): void {
        $generator = (function () { $probe = probe(); yield 1; yield 2; })();
        $generator->current();
        go_on();
    }),
    'defer' => fn () => Coroutine\run(function (): void { Coroutine::defer(function (): void { $probe = probe(); }); }),
    'defer is freed' => fn () => Coroutine\run(function (): void { $probe = probe(); Coroutine::defer(fn () => $probe); }),
    'context' => fn () => Coroutine\run(function (): void { Coroutine::getContext()['x'] = probe(); }),
    'timer' => fn () => Coroutine\run(function (): void { Timer::after(1, function (): void { $probe = probe(); }); }),
    'timer without a coroutine' => fn () => Timer::after(1, function (): void { $probe = probe(); }),
    'timer outside of coroutines' => function (): void {
        swoole_async_set(['enable_coroutine' => false]);
        Timer::after(1, function (): void { $probe = probe(); });
    },
    'timer is freed' => fn () => Coroutine\run(function (): void { Timer::after(1, function ($probe): void {}, probe()); }),
    'tick' => fn () => Coroutine\run(function (): void { Timer::tick(1, function (int $id): void { Timer::clear($id); $probe = probe(); }); }),
    'event defer' => fn () => Event::defer(function (): void { $probe = probe(); }),
    'event cycle' => function (): void {
        Event::cycle(function (): void { Event::cycle(null); $probe = probe(); });
        Timer::after(1, fn () => null);
    },
    'watch' => function (): void {
        [$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        Event::add($one, function ($stream): void { Event::del($stream); $probe = probe(); });
        fwrite($two, 'x');
        Event::wait();
    },
    'signal' => function (): void {
        Process::signal(SIGUSR1, function (): void { Process::signal(SIGUSR1, null); $probe = probe(); });
        Timer::after(20, fn () => null);
        posix_kill(posix_getpid(), SIGUSR1);
    },
    'pcntl signal' => function (): void {
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, function (): void { $probe = probe(); });
        Coroutine\run(function (): void { Timer::after(1, fn () => posix_kill(posix_getpid(), SIGUSR1)); Coroutine::sleep(0.02); });
    },
    'shutdown function' => fn () => Coroutine\run(fn () => register_shutdown_function(function (): void { $probe = probe(); })),
    'collection' => fn () => Coroutine\run(function (): void { cycle(); gc_collect_cycles(); }),
    'collection between coroutines' => fn () => Coroutine\run(function (): void {
        cycle();
        for ($i = 0; $i < 20; $i++) {
            go(function (): void {
                for ($j = 0; $j < 1000; $j++) {
                    $object = new stdClass();
                    $object->self = $object;
                }
                go_on();
            });
        }
    }),
    'output callback' => fn () => Coroutine\run(function (): void { ob_start(new Buffered()); echo 'x'; ob_end_flush(); }),
    'output left open' => fn () => Coroutine\run(function (): void { ob_start(new Buffered()); echo 'x'; }),
    'autoloader' => fn () => Coroutine\run(function (): void {
        spl_autoload_register(function (): void { $probe = probe(); });
        class_exists('Missing');
    }),
    'error handler is freed' => fn () => Coroutine\run(function (): void {
        $probe = probe();
        set_error_handler(fn (): bool => $probe === 0, 0);
        unset($probe);
        go_on();
    }),
    'channel is freed' => fn () => Coroutine\run(function (): void {
        $channel = new Coroutine\Channel(1);
        $channel->push(probe());
    }),
    'destroyed while it waits' => fn () => go(function (): void { $probe = probe(); Coroutine::yield(); }),
    'cancelled' => fn () => Coroutine\run(function (): void {
        $cid = go(function (): void { $probe = probe(); Coroutine::sleep(10); });
        Coroutine::cancel($cid);
    }),
    'scheduler' => function (): void {
        $scheduler = new Coroutine\Scheduler();
        $scheduler->add(function ($value): void { $probe = probe(); }, 1);
        $scheduler->start();
    },
    'scheduler, parallel' => function (): void {
        $scheduler = new Coroutine\Scheduler();
        $scheduler->parallel(2, function (): void { $probe = probe(); });
        $scheduler->start();
    },
    'process' => function (): void {
        $process = new Process(function (): void { $probe = probe(); });
        $process->start();
        $status = Process::wait();
        echo ($status['signal'] ?? -1) === 0 ? "child ended\n" : "child died\n";
    },
    'process with coroutines' => function (): void {
        $process = new Process(function (): void { $probe = probe(); }, false, 0, true);
        $process->start();
        $status = Process::wait();
        echo ($status['signal'] ?? -1) === 0 ? "child ended\n" : "child died\n";
    },
    'ticks' => fn () => Coroutine\run(function (): void {
        register_tick_function(function (): void { static $first = true; if ($first) { $first = false; $probe = probe(); } });
        go(function (): void { eval('declare(ticks=1); $a = 1; $b = 2;'); });
    }),
    'user fiber' => fn () => Coroutine\run(function (): void {
        $fiber = new Fiber(function (): void { (function (): void { $probe = probe(); })(); });
        $fiber->start();
    }),
    'global at the end' => function (): void { $GLOBALS['kept'] = probe(); Coroutine\run(fn () => go_on()); },
    'static of a coroutine' => fn () => Coroutine\run(function (): void { static $probe; $probe = probe(); }),
];
$actions = ['errors', 'exception', 'frames', 'stream'];

if (!isset($argv[1])) {
    echo json_encode(['places' => array_keys($places), 'actions' => $actions]), "\n";
    exit;
}
stream_wrapper_register('unwritable', Unwritable::class);
$action = $argv[2];
if (($argv[3] ?? '') === 'handled') {
    set_error_handler(function (int $number, string $message): bool {
        debug_backtrace();
        fwrite(STDERR, "handled: $message\n");
        return true;
    });
    set_exception_handler(function (Throwable $thrown): void {
        debug_backtrace();
        fwrite(STDERR, 'handled: ' . $thrown->getMessage() . "\n");
    });
}
$places[$argv[1]]();
unset($places);
echo "end\n";
