<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Swoole\Coroutine\Socket;

/** A forked process, as the worker has it: one request at a time belongs to it, or it is idle. */
final class ForkedPeer
{
    public readonly Frames $frames;
    public float $since = 0.0; // when its request was given to it
    /** Its request was given to it before it had gone back from the one before: it can still say that it will not take it. */
    public bool $isAhead = false;
    private ?string $obstacle = null;

    public function __construct(public readonly int $pid, public readonly Socket $socket)
    {
        $this->frames = new Frames($socket);
    }

    /**
     * Waits until it is ready for another request.
     *
     * @return bool|null whether the request before was short; null when it has ended instead
     */
    public function readiness(): ?bool
    {
        $wasShort = $this->frames->number(ForkedChild::SHORT) !== null;
        if ($wasShort || $this->frames->number(ForkedChild::READY) !== null) {
            return $wasShort;
        }
        $frame = $this->frames->next();
        if ($frame !== null && $frame[0] === ForkedChild::LAST) {
            $this->obstacle = $frame[1];
        }
        while ($this->frames->next() !== null) {
        }
        return null;
    }

    /** Why it was not ready, when it has said so. */
    public function obstacle(): ?string
    {
        return $this->obstacle;
    }

    /** Has ended, and has certainly not read the request that was sent to it last. */
    public function hasIgnoredRequest(): bool
    {
        return $this->obstacle !== null || $this->frames->wasReset();
    }
}
