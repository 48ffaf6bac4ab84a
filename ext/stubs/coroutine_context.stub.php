<?php

/** @generate-class-entries */

namespace Swoole\Coroutine;

/** A coroutine's own store: $context['key'] and $context->key are the same. */
class Context extends \ArrayObject
{
}

/** Numbers of coroutines. */
class Iterator extends \ArrayIterator
{
}

/** Thrown where a coroutine waits when it is cancelled with an exception. */
final class CanceledException extends \Exception
{
}

/** Thrown where a coroutine waits when its time limit is over. */
final class TimeoutException extends \Exception
{
}
