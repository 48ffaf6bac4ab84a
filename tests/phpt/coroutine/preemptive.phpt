--TEST--
With the preemptive scheduler endless computing leaves room for others
--FILE--
<?php

Co::set(['enable_preemptive_scheduler' => true]);
Co\run(function () {
    $on = true;
    $loops = 0;
    go(function () use (&$on, &$loops) { while ($on) { $loops++; } echo "stopped\n"; });
    go(function () use (&$on) { Co::sleep(0.02); echo "slept\n"; $on = false; });
    go(function () { var_dump(Co::disableScheduler(), Co::disableScheduler(), Co::enableScheduler(), Co::enableScheduler()); });
});
echo "end\n";
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
slept
stopped
end
