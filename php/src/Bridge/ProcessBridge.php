<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\LaunchException;
use Stampede\Launcher\LogText;
use Stampede\Process\ProcessRunner;
use Swoole\Coroutine;
use Swoole\Coroutine\Socket;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Each request in a fresh copy of the booted application: another bridge handles it, in a forked process. */
final class ProcessBridge implements ProcessRunner
{
    private int $active = 0;
    private bool $leaving = false;

    public function __construct(private readonly ForkStock $stock) {}

    /** Its program has booted the application. */
    public function boot(): void {}

    public function open(): bool
    {
        return $this->stock->open();
    }

    public function handle(Request $request, Response $response): int
    {
        $this->active++;
        try {
            $message = new ForkedMessage($request, (string) $request->rawContent());
            $status = $this->pass($request, $message, $response, $this->stock->take($message->isSmall()));
            while ($status === null) {
                $status = $this->pass($request, $message, $response, $this->stock->takeWithoutPatience());
            }
            return $status;
        } finally {
            $this->active--;
            if ($this->leaving && $this->active === 0) {
                $this->stock->close();
            }
        }
    }

    public function reset(): void {}

    public function leave(): void
    {
        $this->leaving = true;
        if ($this->active === 0) {
            $this->stock->close();
        }
    }

    public function close(): void
    {
        $this->stock->close();
    }

    /** @return int|null the status; null when the process has not begun with the request, and never will */
    private function pass(Request $request, ForkedMessage $message, Response $response, ForkedPlace $place): ?int
    {
        $peer = $place->peer;
        $hasEnded = $isKept = false;
        $files = [];
        try {
            $isSent = $place->send($message);
            if (!$this->stock->awaitTurn($place) || (!$isSent && !$place->isFirst)) {
                return null;
            }
            if (!$place->isFirst) { // what the process has sent is not for this request
                throw self::missing($peer);
            }
            if ($place->isAhead() && (!$isSent || !$this->hasBegun($place))) {
                $hasEnded = true;
                return null;
            }
            [$status, $last, $hasMoreToDo] = $this->relay($response, $peer, $files);
            // Before the response, so that the process need not wait for its next request.
            $isKept = !$hasMoreToDo && $this->stock->handOn($peer);
            if ($last !== null) {
                $response->isWritable() && $response->end($last);
                // What the application does after its response counts as part of the request.
                $isKept = $isKept || $this->isReady($peer);
            }
            $hasEnded = true;
        } finally {
            // One that is kept belongs to the next request, or to none, whatever has become of this one's client.
            if (!$place->isFirst) {
                $this->stock->leave($place);
            } elseif (!$isKept) {
                $hasEnded || $this->stock->kill($peer->pid);
                $this->stock->lose($peer);
            }
            // After a fatal error or a signal the process has not removed them itself.
            // Waits in this coroutine end at once when the time of the request is over.
            $files === [] || Coroutine::create(static fn (): array => array_map(static fn (string $path): bool => @unlink($path), $files));
        }
        if ($last !== null) {
            return $status;
        }
        if ($status !== 0) {
            fwrite(STDERR, LogText::message("{$request->server['request_method']} {$request->server['request_uri']}: process {$peer->pid} ended before its response was complete."));
            $response->close();
            return $status;
        }
        throw self::missing($peer);
    }

    private static function missing(ForkedPeer $peer): LaunchException
    {
        return new LaunchException("The process {$peer->pid} of this request ended without a response.");
    }

    /**
     * @param list<string> $files
     * @return array{int, string|null, bool} the status, 0 for none; the last content, null when the process has ended before it; whether the
     *   process goes on working for the request
     */
    private function relay(Response $response, ForkedPeer $peer, array &$files): array
    {
        $status = 0;
        while (($frame = $peer->frames->next()) !== null) {
            [$type, $content] = $frame;
            switch ($type) {
                case ForkedResponse::HEAD:
                    $status = self::head($response, $content);
                    break;
                case ForkedResponse::DATA:
                    $this->stock->beginStream($peer);
                    // A client that is gone does not stop the application, as ignore_user_abort would have it.
                    $response->isWritable() && $response->write($content);
                    break;
                case ForkedResponse::END:
                case ForkedResponse::END_OF_WORK:
                    return [$status, $content, $type === ForkedResponse::END];
                case ForkedResponse::FILES:
                    $files = unserialize($content, ['allowed_classes' => false]);
                    break;
                default:
                    throw new \LogicException("a frame of the unknown type {$type}");
            }
        }
        return [$status, null, true];
    }

    /** After the response: waits until the process can have another request, which the stock gives it. @return bool false when it ends */
    private function isReady(ForkedPeer $peer): bool
    {
        return !$peer->isDoomed && $this->note($peer->readiness(), $peer) && $this->stock->give($peer);
    }

    /** Of a process that was sent its request before it was ready for it. */
    private function hasBegun(ForkedPlace $place): bool
    {
        $peer = $place->peer;
        $isReady = $place->isReady() || $this->note($peer->readiness(), $peer);
        $peer->isReady = false;
        return $isReady || !$place->takeBack();
    }

    /** @param bool|null $wasShort of ForkedPeer::readiness() */
    private function note(?bool $wasShort, ForkedPeer $peer): bool
    {
        if ($wasShort !== null || $peer->obstacle() !== null) {
            $this->stock->note($wasShort === true);
        }
        $this->stock->tell($peer->obstacle() ?? '');
        return $wasShort !== null;
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
