--TEST--
A coroutine that computes for too long is called in between two steps of its code
--FILE--
<?php
use function Stampede\limit_computing;

Co\run(function () {
    $began = microtime(true);
    $line = 0;
    limit_computing(0.2, function () use (&$line) {
        $line = debug_backtrace()[0]['line'];
        throw new RuntimeException('stopped');
    });
    try {
        while (true) {
        }
    } catch (RuntimeException $stop) {
        echo $stop->getMessage(), ' ', $line >= 12 && $line <= 13 ? 'there' : $line, ' ', microtime(true) - $began >= 0.2 ? 'in time' : 'early', "\n";
    }

    // Once; what waits is left alone, also when its time comes meanwhile.
    $calls = 0;
    limit_computing(0.01, function () use (&$calls) { $calls++; });
    go(function () use (&$calls) {
        limit_computing(10, fn () => print("another's\n"));
        for ($until = microtime(true) + 0.2; microtime(true) < $until;) {
        }
        var_dump($calls);
    });
    Co::sleep(0.001);
    for ($until = microtime(true) + 5; $calls === 0 && microtime(true) < $until;) {
    }
    var_dump($calls);
    for ($until = microtime(true) + 0.2; microtime(true) < $until;) {
    }
    var_dump($calls);

    // What it has started, at whatever depth, computes in its time, too.
    limit_computing(0.01, function () { throw new RuntimeException('stopped'); });
    go(fn () => go(function () {
        try {
            for ($until = microtime(true) + 5; microtime(true) < $until;) {
            }
            echo "not stopped\n";
        } catch (RuntimeException $stop) {
            echo 'the child is ', $stop->getMessage(), "\n";
        }
    }));

    // Taken back, and not that of another coroutine.
    limit_computing(0.05, fn () => print("taken back\n"));
    limit_computing(0);
    $computes = true;
    go(function () use (&$computes) {
        limit_computing(0.05, function () use (&$computes) { echo $computes ? "another's\n" : ''; });
        Co::sleep(0.4);
    });
    go(fn () => limit_computing(0.01, fn () => print("of one that is gone\n")));
    for ($until = microtime(true) + 0.3; microtime(true) < $until;) {
    }
    $computes = false;
    echo "quiet\n";
});
try {
    limit_computing(1, fn () => 0);
} catch (Swoole\Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
stopped there in time
int(0)
int(1)
int(1)
the child is stopped
quiet
API must be called in the coroutine
