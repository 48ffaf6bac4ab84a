--TEST--
Coroutines left waiting at the end are unwound: finally blocks and destructors run
--FILE--
<?php

Co::set(['enable_deadlock_check' => false]);
class D { function __construct(private $n) {} function __destruct() { echo "destroy $this->n\n"; } }
Co\run(function () {
    for ($i = 0; $i < 3; $i++) go(function () use ($i) {
        $d = new D($i);
        try {
            Co::yield();
            echo "never\n";
        } catch (Throwable $e) {
            echo "not caught\n";
        } finally {
            echo "finally $i\n";
            if ($i === 1) { try { Co::sleep(0.01); echo "no\n"; } finally { echo "waits no more\n"; } }
            if ($i === 2) go(function () { echo "a last one\n"; });
        }
    });
});
echo "end of script\n";
--EXPECT--
end of script
finally 0
destroy 0
finally 1
waits no more
destroy 1
finally 2
a last one
destroy 2
