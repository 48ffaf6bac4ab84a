--TEST--
A coroutine is not left where the engine collects cycles, whatever their destructors wait for
--FILE--
<?php
use Swoole\Coroutine;

$log = [];

class Goodbye
{
    public self $self;

    public function __construct(private ?Throwable $thrown = null, private float $delay = 0.01)
    {
        $this->self = $this;
    }

    public function __destruct()
    {
        global $log;
        $log[] = 'begins';
        if ($this->delay > 0) {
            Coroutine::sleep($this->delay);
        }
        $log[] = 'ends';
        if ($this->thrown !== null) {
            throw $this->thrown;
        }
    }
}

/** Enough garbage that the engine collects it. @return int how often others ran meanwhile */
function fill(int &$others): int
{
    $before = $others;
    for ($i = 0; $i < 30000; $i++) {
        $garbage = new stdClass();
        $garbage->self = $garbage;
    }
    return $others - $before;
}

Coroutine\run(static function (): void {
    global $log;
    $others = 0;
    $end = false;
    go(static function () use (&$others, &$end): void {
        while (!$end) {
            $others++;
            Coroutine::sleep(0.001);
        }
    });
    gc_collect_cycles();

    new Goodbye();
    echo fill($others), ' iterations of others, ', implode(', ', $log), "\n";
    while (count($log) < 2) {
        Coroutine::sleep(0.001);
    }
    echo implode(', ', $log), "\n";

    // One that does not wait throws where the collection began.
    $log = [];
    new Goodbye(new DomainException('at once'), 0);
    try {
        fill($others);
        echo "nothing is thrown\n";
    } catch (DomainException $thrown) {
        echo $thrown->getMessage(), ', ', implode(', ', $log), "\n";
    }

    // One that throws after it has waited.
    $log = [];
    new Goodbye(new DomainException('too late'));
    echo fill($others), " iterations of others\n";
    while (count($log) < 2) {
        Coroutine::sleep(0.001);
    }
    Coroutine::sleep(0.002);

    // The script's own call waits.
    $log = [];
    $before = $others;
    new Goodbye();
    gc_collect_cycles();
    echo implode(', ', $log), $others > $before ? ', others ran' : ', nobody ran', "\n";
    $end = true;
});
echo "the end\n";
?>
--EXPECTF--
0 iterations of others, begins
begins, ends
at once, begins, ends
0 iterations of others

Warning: Uncaught DomainException: too late in %s
Stack trace:
%A
begins, ends, others ran
the end
