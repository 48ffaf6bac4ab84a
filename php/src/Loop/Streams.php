<?php

declare(strict_types=1);

namespace Stampede\Loop;

use Stampede\LoopControl;
use Swoole\Event;

/**
 * Streams that a driver watches on Stampede's loop: for each at most one call when it can be read and one when it can be
 * written, each made in a coroutine of its own as long as the condition holds.
 *
 * @internal
 */
final class Streams
{
    /** @var array<int, StreamWatch> */
    private array $watches = [];

    private function __construct(private readonly bool $keepLoop)
    {
    }

    /** As long as one is watched the loop goes on. */
    public static function keepingLoop(): self
    {
        return new self(true);
    }

    /** The loop does not go on for them alone. */
    public static function besideLoop(): self
    {
        return new self(false);
    }

    /**
     * @param resource $stream
     * @param \Closure(resource): void $call
     */
    public function read($stream, \Closure $call): void
    {
        $watch = $this->watches[(int) $stream] ??= new StreamWatch($stream);
        $watch->read = $call;
        $this->apply($watch);
    }

    /**
     * @param resource $stream
     * @param \Closure(resource): void $call
     */
    public function write($stream, \Closure $call): void
    {
        $watch = $this->watches[(int) $stream] ??= new StreamWatch($stream);
        $watch->write = $call;
        $this->apply($watch);
    }

    public function stopReading(int $id): void
    {
        if (isset($this->watches[$id])) {
            $this->watches[$id]->read = null;
            $this->apply($this->watches[$id]);
        }
    }

    public function stopWriting(int $id): void
    {
        if (isset($this->watches[$id])) {
            $this->watches[$id]->write = null;
            $this->apply($this->watches[$id]);
        }
    }

    private function apply(StreamWatch $watch): void
    {
        $events = ($watch->read !== null ? \SWOOLE_EVENT_READ : 0) | ($watch->write !== null ? \SWOOLE_EVENT_WRITE : 0);
        if ($events === $watch->events) {
            return;
        }
        $watch->events = $events;
        if ($events === 0) {
            unset($this->watches[(int) $watch->stream]);
            $this->unwatch($watch);
        } elseif ($watch->watched) {
            Event::set($watch->stream, null, null, $events);
        } elseif (!$watch->alwaysReady) {
            $this->watch($watch);
        }
    }

    private function watch(StreamWatch $watch): void
    {
        $read = static function () use ($watch): void {
            if ($watch->read !== null) {
                ($watch->read)($watch->stream);
            }
        };
        $write = static function () use ($watch): void {
            if ($watch->write !== null) {
                ($watch->write)($watch->stream);
            }
        };
        if (@Event::add($watch->stream, $read, $write, $watch->events) === false) {
            // Files and devices never make anybody wait: the kernel refuses to watch them.
            $watch->alwaysReady = true;
            $this->callAlways($watch);
            return;
        }
        $watch->watched = true;
        if (!$this->keepLoop) {
            LoopControl::ignore(1, 0);
        }
    }

    private function unwatch(StreamWatch $watch): void
    {
        if ($watch->watched) {
            $watch->watched = false;
            if (!$this->keepLoop) {
                LoopControl::ignore(-1, 0);
            }
            @Event::del($watch->stream);
        }
    }

    private function callAlways(StreamWatch $watch): void
    {
        Event::defer(function () use ($watch): void {
            if ($watch->events === 0 || !\is_resource($watch->stream)) {
                $watch->alwaysReady = false;
                return;
            }
            $this->callAlways($watch);
            if ($watch->read !== null) {
                ($watch->read)($watch->stream);
            }
            if ($watch->write !== null) {
                ($watch->write)($watch->stream);
            }
        });
    }
}
