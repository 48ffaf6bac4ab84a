<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Claim;
use Swoole\Coroutine\Socket;

/** A forked process, as the worker has it: idle, or it has a request, and perhaps others that come after that. */
final class ForkedPeer
{
    private const MOST_AHEAD = 3; // requests that wait in its connection

    public readonly Frames $frames;
    public float $since = 0.0; // when its first request became that
    /** @var list<ForkedPlace> of requests that were, or in a moment will be, sent to it after its first one */
    public array $ahead = [];
    public bool $isReady = true; // it has said so, and was sent nothing since
    public bool $isSending = false; // a request was given to it that was not sent to its end
    public bool $isStreaming = false; // the response of its first request, which may take as long as its client likes
    public bool $hasEnded = false; // the process that forks has said so
    public bool $isLost = false; // its connection was closed
    public bool $isDoomed = false; // it ends with its first request at the latest
    private ?string $obstacle = null;

    /** @param Claim|null $claim null: requests must not be sent to it before it is ready */
    public function __construct(public readonly int $pid, public readonly Socket $socket, public readonly ?Claim $claim)
    {
        $this->frames = new Frames($socket);
    }

    /** Whether one more request can be sent to it before it is ready: it begins with that after what it was sent before. */
    public function canBeSentMore(): bool
    {
        return $this->claim !== null && count($this->ahead) < self::MOST_AHEAD && !$this->isSending && !$this->isStreaming && !$this->isDoomed && !$this->isLost;
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
            $this->isReady = true;
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
}
