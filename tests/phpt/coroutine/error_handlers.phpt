--TEST--
Error and exception handlers belong to the coroutine that sets them
--ENV--
USE_TRACKED_ALLOC=1
--FILE--
<?php

function say($who) { return function ($no, $text) use ($who) { echo "$who: $text\n"; return true; }; }
set_error_handler(say('main'));
Co\run(function () {
    trigger_error('inherited');
    $first = go(function () {
        trigger_error('inherited too');
        set_error_handler(say('first'));
        Co::yield();
        trigger_error('own');
        go(function () { trigger_error("creator's"); restore_error_handler(); trigger_error('restored'); });
        trigger_error('still own');
    });
    $second = go(function () {
        trigger_error('not the other one');
        set_error_handler(say('second'));
        Co::yield();
        trigger_error('mine');
        restore_error_handler();
        restore_error_handler();
        Co::yield();
        echo @file_get_contents('/does/not/exist') === false ? "no handler, silenced\n" : '';
    });
    Co::resume($first);
    Co::resume($second);
    Co::resume($second);
    trigger_error('back');
    set_exception_handler(fn ($e) => print("outer caught {$e->getMessage()}\n"));
    go(function () {
        set_exception_handler(fn ($e) => print("inner caught {$e->getMessage()}\n"));
        Co::yield();
    });
    go(function () { throw new Exception('one'); });
    echo "the script has ended\n";
});
--EXPECT--
main: inherited
main: inherited too
main: not the other one
first: own
first: creator's
main: restored
first: still own
second: mine
no handler, silenced
main: back
outer caught one
