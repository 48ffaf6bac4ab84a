<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\IsolationMode;
use Stampede\Exception\ServerException;
use Stampede\Log\Logger;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;

use function Stampede\describe_request;

/** Each request in a fresh copy of the booted application: another runner handles it, in a forked process. */
final class CheckpointRunner extends ProcessRunner
{
    private const MOST_TOLD = 16; // reasons

    /** @var array<string, true> */
    private array $told = [];

    public function __construct(ChildPool $pool, private readonly Logger $logger)
    {
        parent::__construct($pool);
    }

    public function handle(Request $request, Response $response): int
    {
        $message = new RequestMessage($request, (string) $request->rawContent());
        do {
            $status = $this->pass($request, $message, $response);
        } while ($status === null);
        return $status;
    }

    /** @return int|null the status; null when the process had ended before, and has seen nothing of the request */
    private function pass(Request $request, RequestMessage $message, Response $response): ?int
    {
        $child = $this->take($response);
        if ($child === null) {
            return 503;
        }
        describe_request($response, '', IsolationMode::Process->value); // it has waited for the process
        $isOver = false;
        $files = [];
        try {
            if ($child->send($message->head(), $message->rest()) === 0) {
                $isOver = true;
                $this->pool->drop($child);
                return null;
            }
            [$status, $isWhole] = $this->relay($response, $child, $files);
            // What the application does after its response counts as part of the request.
            $isOver = $isWhole && $this->giveBack($child);
        } finally {
            $isOver || $this->pool->kill($child);
            // After a fatal error or a signal the process has not removed them itself.
            // Waits in this coroutine end at once when the time of the request is over.
            $files === [] || Coroutine::create(static fn (): array => array_map(static fn (string $path): bool => @unlink($path), $files));
        }
        if (!$isWhole && $status === 0) {
            throw new ServerException("The process {$child->pid} of this request ended without a response.");
        }
        if (!$isWhole) {
            $this->logger->error("{$request->server['request_method']} {$request->server['request_uri']}: process {$child->pid} ended before its response was complete.");
            $response->close();
        }
        return $status;
    }

    /**
     * @param list<string> $files
     * @return array{int, bool} the status, 0 for none, and whether the response is complete
     */
    private function relay(Response $response, ChildConnection $child, array &$files): array
    {
        $status = 0;
        while (($frame = $child->frames->next()) !== null) {
            [$type, $content] = $frame;
            switch ($type) {
                case FrameType::HEAD:
                    $status = self::head($response, $content);
                    break;
                case FrameType::DATA:
                    // A client that is gone does not stop the application, as ignore_user_abort would have it.
                    $response->isWritable() && $response->write($content);
                    break;
                case FrameType::END_OF_RESPONSE:
                    $response->isWritable() && $response->end($content);
                    return [$status, true];
                case FrameType::FILES:
                    $files = unserialize($content, ['allowed_classes' => false]);
                    break;
                default:
                    throw new \LogicException("a frame of the unknown type {$type}");
            }
        }
        return [$status, false];
    }

    /** Waits until the process is what it was before the request, or has ended. @return true */
    private function giveBack(ChildConnection $child): bool
    {
        if ($child->frames->nextNumber(FrameType::HELLO) !== null) {
            $this->pool->give($child);
            return true;
        }
        $frame = $child->frames->next();
        if ($frame !== null && $frame[0] === FrameType::END_OF_PROCESS) {
            $this->tell($frame[1]);
        }
        while ($child->frames->next() !== null) {
        }
        $this->pool->drop($child);
        return true;
    }

    /** Each reason once: requests of one kind have the same. */
    private function tell(string $obstacle): void
    {
        if ($obstacle !== '' && !isset($this->told[$obstacle]) && count($this->told) < self::MOST_TOLD) {
            $this->told[$obstacle] = true;
            $this->logger->warning("A request needs a process of its own, which costs more than one that is put back after its request: {$obstacle}.");
        }
    }

    private static function head(Response $response, string $content): int
    {
        [$status, $reason, $fields, $route] = unserialize($content, ['allowed_classes' => false]);
        describe_request($response, $route);
        foreach ($fields as [$name, $value, $format]) {
            $response->header($name, $value, $format);
        }
        $response->status($status, $reason);
        return $status;
    }
}
