--TEST--
Exceptions cross waits inside a coroutine and never leave it
--FILE--
<?php

Co\run(function () {
    go(function () {
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
    });
    go(function () {
        try { throw new Exception('other'); } catch (Exception $e) { Co::sleep(0.002); echo $e->getMessage(), "\n"; }
    });
});
--EXPECT--
other
finally after a wait
one alone
two
#0 exceptions.php(17): thrower()
#1 [internal function]: {closure}()
#2 {main}
