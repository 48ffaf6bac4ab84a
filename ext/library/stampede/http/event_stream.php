<?php

declare(strict_types=1);

namespace Stampede\Http;

use Swoole\Http\Response;
use Swoole\Timer;
use ValueError;
use WeakReference;

/**
 * Server-Sent Events: the response that an EventSource in a browser reads. Begins the response at once; every method that sends
 * returns false as soon as the client is gone. A client that reads slowly makes the sender wait.
 */
final class EventStream
{
    private bool $sending = false;
    private bool $quiet = true;
    private int $timer = 0;

    public function __construct(private readonly Response $response)
    {
        $response->header('Content-Type', 'text/event-stream');
        $response->header('Cache-Control', 'no-cache');
        $response->header('X-Accel-Buffering', 'no');  // proxies are not to collect it
        $response->write('');
    }

    public function __destruct()
    {
        $this->stopHeartbeat();
    }

    /**
     * One event. Lines of $data may end in any way. $retry: milliseconds after which a client that lost its connection comes back,
     * with $id in the field Last-Event-ID.
     */
    public function event(string $data, ?string $event = null, ?string $id = null, ?int $retry = null): bool
    {
        $text = self::field('event', $event) . self::field('id', $id) . ($retry === null ? '' : "retry: $retry\n");
        return $this->send($text . 'data: ' . self::lines($data, 'data: ') . "\n\n");
    }

    /** What clients ignore; shows that the connection is alive. */
    public function comment(string $text = ''): bool
    {
        return $this->send(': ' . self::lines($text, ': ') . "\n\n");
    }

    /** Sends a comment whenever nothing else was sent for so long, as proxies close connections that are silent. */
    public function heartbeat(float $seconds): void
    {
        if ($seconds < 0.001) {
            throw new ValueError('a heartbeat needs at least a millisecond');
        }
        $this->stopHeartbeat();
        $self = WeakReference::create($this);
        $this->timer = (int) Timer::tick((int) ($seconds * 1000), static function () use ($self): void {
            $self->get()?->beat();
        });
    }

    /** The client is there. */
    public function isOpen(): bool
    {
        return $this->response->isWritable();
    }

    /** Ends the response. The client comes back after its retry time, unless the response to that is 204. */
    public function close(): void
    {
        $this->stopHeartbeat();
        if ($this->response->isWritable()) {
            $this->response->end();
        }
    }

    private function beat(): void
    {
        if (!$this->isOpen()) {
            $this->stopHeartbeat();
        } elseif ($this->quiet && !$this->sending) {
            $this->comment();
        }
        $this->quiet = true;
    }

    private function stopHeartbeat(): void
    {
        if ($this->timer !== 0) {
            Timer::clear($this->timer);
            $this->timer = 0;
        }
    }

    private function send(string $text): bool
    {
        $this->quiet = false;
        if (!$this->isOpen()) {
            return false;
        }
        $this->sending = true;
        $sent = $this->response->write($text);
        $this->sending = false;
        return $sent;
    }

    private static function lines(string $text, string $prefix): string
    {
        return str_replace("\n", "\n$prefix", str_replace(["\r\n", "\r"], "\n", $text));
    }

    private static function field(string $name, ?string $value): string
    {
        if ($value === null) {
            return '';
        }
        if (strpbrk($value, "\r\n\0") !== false) {
            throw new ValueError("the $name of an event must not hold a line break or NUL");
        }
        return "$name: $value\n";
    }
}
