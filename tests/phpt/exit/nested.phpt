--TEST--
exit() inside functions, finally and output buffers unwinds that coroutine only
--FILE--
<?php

function deep($n) { try { if ($n === 0) exit(1); deep($n - 1); } finally { echo "f$n "; } }
Co\run(function () {
    $cid = go(function () { ob_start(); echo "buffered "; deep(3); });
    echo "\nhere ", var_export(Co::exists($cid), true), "\n";
});
--EXPECT--
buffered f0 f1 f2 f3 
here false
