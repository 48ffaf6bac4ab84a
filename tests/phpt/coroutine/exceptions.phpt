--TEST--
Exceptions cross waits inside a coroutine and never leave it
--FILE--
<?php

Co\run(function () {
    $done = new chan(1);
    go(function () use ($done) {
        try {
            try {
                Co::sleep(0.001);
                throw new RuntimeException('one');
            } finally {
                Co::sleep(0.001);
                echo "finally after a wait\n";
            }
        } catch (RuntimeException $e) {
            echo $e->getMessage(), ' ', $e->getPrevious() === null ? 'alone' : 'chained', "\n";
        }
        function thrower() { Co::sleep(0.001); throw new LogicException('two'); }
        try { thrower(); } catch (LogicException $e) { echo $e->getMessage(), "\n", preg_replace(['~^#0 .*/~', '~\{closure.*\}~'], ['#0 ', '{closure}'], $e->getTraceAsString()), "\n"; }
        $done->push(true);
    });
    go(function () use ($done) {
        try { throw new Exception('other'); } catch (Exception $e) { $done->pop(); echo $e->getMessage(), "\n"; }
    });
});
--EXPECT--
finally after a wait
one alone
two
#0 exceptions.php(18): thrower()
#1 [internal function]: {closure}()
#2 {main}
other
