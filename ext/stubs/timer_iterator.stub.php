<?php

/** @generate-class-entries */

namespace Swoole\Timer;

/** Numbers of timers. */
class Iterator extends \ArrayIterator
{
}
