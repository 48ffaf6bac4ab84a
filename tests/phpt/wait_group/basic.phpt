--TEST--
WaitGroup waits for all, with a time limit, and refuses misuse
--FILE--
<?php

use Swoole\Coroutine\WaitGroup;
Co\run(function () {
    $wg = new WaitGroup(1);
    $wg->add(2);
    var_dump($wg->count());
    foreach ([3, 1, 2] as $n) go(function () use ($wg, $n) { Co::sleep($n / 100); echo "$n\n"; $wg->done(); });
    var_dump($wg->wait(), $wg->count());
    var_dump($wg->wait());
    $wg->add();
    var_dump($wg->wait(0.01), $wg->count());
    foreach ([fn () => $wg->add(-2), function () use ($wg) { $wg->done(); $wg->done(); }, fn () => (new WaitGroup(PHP_INT_MAX))->add()] as $bad) {
        try { $bad(); } catch (Exception $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
    }
    $wg->add();
    go(function () use ($wg) {
        Co::sleep(0.001);
        foreach ([fn () => $wg->add(), fn () => $wg->wait()] as $bad) {
            try { $bad(); } catch (Exception $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
        }
        Co::sleep(0.001);
        echo "done\n";
        $wg->done();
        echo "after done\n";
    });
    go(function () use ($wg) { echo "waiting\n"; });
    $wg->wait();
    echo "waited\n";
});
--EXPECT--
int(3)
1
2
3
bool(true)
int(0)
bool(true)
bool(false)
int(1)
InvalidArgumentException: WaitGroup misuse: negative counter
BadMethodCallException: WaitGroup misuse: negative counter
InvalidArgumentException: WaitGroup misuse: the counter holds no number as large
waiting
BadMethodCallException: WaitGroup misuse: add called concurrently with wait
BadMethodCallException: WaitGroup misuse: reused before previous wait has returned
done
waited
after done
