<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\LaunchException;
use Swoole\Coroutine\Socket;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Each request in a fresh copy of the booted application: another bridge handles it, in a forked process. */
final class ProcessBridge implements Bridge
{
    private const SMALL = 16384; // a body that is worth copying to save a system call

    private int $active = 0;
    private bool $leaving = false;

    public function __construct(private readonly ForkStock $stock) {}

    /** Its stock is open. */
    public function boot(): void {}

    public function handle(Request $request, Response $response): int
    {
        $this->active++;
        try {
            [$pid, $socket] = $this->stock->take();
            $isReady = false;
            try {
                return $this->pass($request, $response, $pid, $socket, $isReady);
            } finally {
                $isReady ? $this->stock->give($pid, $socket) : $this->stock->lose($socket);
            }
        } finally {
            $this->active--;
            if ($this->leaving && $this->active === 0) {
                $this->stock->close();
            }
        }
    }

    public function reset(): void {}

    /** The worker is on its way out: waiting processes end at once, the others after their requests. */
    public function leave(): void
    {
        $this->leaving = true;
        if ($this->active === 0) {
            $this->stock->close();
        }
    }

    /** @param bool $isReady whether the process is ready for another request */
    private function pass(Request $request, Response $response, int $pid, Socket $socket, bool &$isReady): int
    {
        $hasEnded = false;
        $facts = serialize(ForkedRequest::pack($request));
        $body = (string) $request->rawContent();
        $status = 0;
        $isComplete = false;
        $files = [];
        try {
            // A process that dies in between is seen by the reading that follows.
            $socket->sendAll(pack('J2', strlen($facts), strlen($body)) . $facts . (strlen($body) <= self::SMALL ? $body : ''), -1);
            if (strlen($body) > self::SMALL) {
                $socket->sendAll($body, -1);
            }
            unset($facts, $body);
            $frames = new Frames($socket);
            while (!$isComplete && ($frame = $frames->next()) !== null) {
                [$type, $content] = $frame;
                match ($type) {
                    ForkedResponse::HEAD => $status = self::head($response, $content),
                    // A client that is gone does not stop the application, as ignore_user_abort would have it.
                    ForkedResponse::DATA => $response->isWritable() && $response->write($content),
                    ForkedResponse::END => [$response->isWritable() && $response->end($content), $isComplete = true],
                    ForkedResponse::FILES => $files = unserialize($content, ['allowed_classes' => false]),
                    default => throw new \LogicException("a frame of the unknown type {$type}"),
                };
            }
            if ($isComplete) {
                // What the application does after its response counts as part of the request.
                $isReady = $this->awaitEnd($frames);
            }
            $hasEnded = true;
        } finally {
            if (!$hasEnded) {
                $this->stock->kill($pid);
            }
            // After a fatal error or a signal the process has not removed them itself.
            array_map(static fn (string $path): bool => @unlink($path), (array) $files);
        }
        if ($isComplete) {
            return $status;
        }
        if ($status !== 0) {
            fwrite(STDERR, "{$request->server['request_method']} {$request->server['request_uri']}: process {$pid} ended before its response was complete.\n");
            $response->close();
            return $status;
        }
        throw new LaunchException("The process {$pid} of this request ended without a response.");
    }

    /** @return bool false when the process ends, else it is ready for another request */
    private function awaitEnd(Frames $frames): bool
    {
        $wasShort = $frames->number(ForkedChild::SHORT) !== null;
        if ($wasShort || $frames->number(ForkedChild::READY) !== null) {
            $this->stock->note($wasShort);
            return true;
        }
        $frame = $frames->next();
        if ($frame !== null && $frame[0] === ForkedChild::LAST) {
            $this->stock->tell($frame[1]);
        }
        while ($frames->next() !== null) {
        }
        return false;
    }

    private static function head(Response $response, string $content): int
    {
        [$status, $reason, $fields] = unserialize($content, ['allowed_classes' => false]);
        foreach ($fields as [$name, $value, $format]) {
            $response->header($name, $value, $format);
        }
        $response->status($status, $reason);
        return $status;
    }
}
