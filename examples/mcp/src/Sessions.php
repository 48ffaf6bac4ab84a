<?php

declare(strict_types=1);

namespace Mcp;

use Swoole\Coroutine;

final class Sessions
{
    private const MOST = 50_000;
    private const IDLE = 1800; // seconds without a request or a stream

    /** @var array<string, Session> */
    private array $sessions = [];

    /** Null when there are too many. */
    public function open(): ?Session
    {
        if (count($this->sessions) >= self::MOST) {
            return null;
        }
        $session = new Session(bin2hex(random_bytes(16)));
        return $this->sessions[$session->id] = $session;
    }

    public function find(string $id): ?Session
    {
        $session = $this->sessions[$id] ?? null;
        if ($session !== null) {
            $session->lastSeen = time();
        }
        return $session;
    }

    public function close(Session $session): void
    {
        unset($this->sessions[$session->id]);
        $session->end();
    }

    /** The server ends, or its worker is replaced. */
    public function closeAll(): void
    {
        array_map($this->close(...), $this->sessions);
    }

    public function expire(): void
    {
        foreach ($this->sessions as $session) {
            if ($session->stream === null && $session->count() === 0 && $session->lastSeen < time() - self::IDLE) {
                $this->close($session);
            }
        }
    }

    /** To all clients that listen. One that reads slowly holds up no other: each is told in a coroutine of its own. */
    public function notify(string $method): void
    {
        $message = json_encode(['jsonrpc' => '2.0', 'method' => $method], JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        foreach ($this->sessions as $session) {
            if ($session->stream !== null) {
                Coroutine::create($session->stream->event(...), $message);
            }
        }
    }
}
