<?php

declare(strict_types=1);

namespace Stampede\Bridge;

/** The place of a request at a forked process: the first, so that the process is its own, or one after other requests. */
final class ForkedPlace
{
    private bool $isReady = false; // the process has said so, when this was not the first one
    private int $number = 0; // of Claim::offer(), when the process was not ready for it
    private bool $isSent = false;
    private bool $isBack = false;
    private readonly ?Wakeup $wakeup; // null for one that was the first from the beginning

    public function __construct(public readonly ForkedPeer $peer, public bool $isFirst)
    {
        $peer->isSending = true;
        if (!$isFirst) {
            $peer->ahead[] = $this;
        }
        $this->wakeup = $isFirst ? null : new Wakeup();
    }

    /** The requests before it have ended. */
    public function becomeFirst(): void
    {
        $this->isFirst = true;
        $this->leaveQueue();
        [$this->isReady, $this->peer->isReady] = [$this->peer->isReady, false];
    }

    /** Whether it is known already that the process is ready for it, or has begun with it. */
    public function isReady(): bool
    {
        return $this->isReady;
    }

    /** Whether the request was sent before the process was ready for it. */
    public function isAhead(): bool
    {
        return $this->number !== 0;
    }

    /** @return bool false when the process has ended meanwhile, which the reading that follows sees, too */
    public function send(ForkedMessage $request): bool
    {
        $peer = $this->peer;
        $this->number = $peer->isReady || $peer->claim === null ? 0 : $peer->claim->offer();
        $peer->isReady = false;
        [$head, $rest] = [$request->head($this->number), $request->rest()];
        $this->isSent = $peer->socket->sendAll($head, -1) === strlen($head)
            && ($rest === '' || $peer->socket->sendAll($rest, -1) === strlen($rest));
        $peer->isSending = false;
        return $this->isSent;
    }

    /** Until it is the first one, or the process is lost: wake(). */
    public function wait(float $seconds): void
    {
        $this->wakeup?->wait($seconds);
    }

    public function wake(): void
    {
        $this->wakeup?->wake();
    }

    /** Once. @return bool false when the process has begun with the request */
    public function takeBack(): bool
    {
        $this->isBack = $this->isSent && $this->peer->claim?->withdraw($this->number) === true;
        if ($this->isBack) {
            $this->leaveQueue();
        }
        return $this->isBack;
    }

    public function isBack(): bool
    {
        return $this->isBack;
    }

    public function leaveQueue(): void
    {
        $number = array_search($this, $this->peer->ahead, true);
        if (is_int($number)) {
            array_splice($this->peer->ahead, $number, 1);
        }
    }
}
