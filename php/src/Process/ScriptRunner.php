<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\IsolationMode;
use Stampede\Application\PathResolver;
use Stampede\Application\RequestPath;
use Stampede\Application\ResourceKind;
use Stampede\Exception\LaunchException;
use Stampede\Exception\ServerException;
use Stampede\Loop\BackgroundTimer;
use Stampede\RequestLoop;
use Stampede\Runner\ResourceResponse;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;

use function Stampede\describe_request;

/** Requests of plain applications, each in PHP's own request life in a process that runs one script after another. */
final class ScriptRunner extends ProcessRunner
{
    private const ORPHAN_TIME = 60.0; // seconds that a script may take whose client has left, where requests have no shorter limit
    private const DRAIN_TIME = 250; // milliseconds that a script may go on whose client has left, until PHP ends it when it prints

    /** @param float $longest seconds that any request may take; 0: any time */
    public function __construct(
        ChildPool $pool,
        private readonly PathResolver $paths,
        private readonly ScriptVariables $variables,
        private readonly bool $showsErrors,
        private readonly float $longest,
    ) {
        parent::__construct($pool);
    }

    public function handle(Request $request, Response $response): int
    {
        $resource = $this->paths->resolve(RequestPath::of($request->server['path_info'] ?? '/'), $request->server['request_method']);
        if ($resource->kind !== ResourceKind::Script && $resource->kind !== ResourceKind::FrontController) {
            return ResourceResponse::send($resource, $request, $response);
        }
        $body = (string) $request->rawContent();
        $head = RequestLoop::head($this->variables->of($request, $resource, strlen($body)), strlen($body));
        do {
            $status = $this->pass($head, $body, new ScriptResponse($request, $response, $this->showsErrors));
        } while ($status === null);
        return $status;
    }

    /** @return int|null the status; null when the process had ended before, and has seen nothing of the request */
    private function pass(string $head, string $body, ScriptResponse $response): ?int
    {
        $child = $this->take($response->response);
        if ($child === null) {
            return 503;
        }
        describe_request($response->response, '', IsolationMode::Process->value); // it has waited for the process
        $began = hrtime(true);
        $isOver = false;
        try {
            if ($child->send($head, $body) === 0) {
                $isOver = true;
                $this->pool->drop($child);
                return null;
            }
            while (!$isOver) {
                [$type, $content] = $child->frames->next() ?? throw self::missing($child, $response);
                $isRead = $response->take($type, $content);
                if (!$isRead && Coroutine::isCanceled()) {
                    break; // its time is over, while it waited for its client
                }
                $isOver = $isRead ? $this->isOver($child, $type) : $this->drain($child, $response, $began);
            }
            return $response->status();
        } finally {
            if (!$isOver) { // the time of the request is over, or the process has ended
                $this->pool->kill($child);
                Coroutine::create($response->removeFiles(...)); // waits in this one end at once
            }
        }
    }

    private function timeLeft(int $began): float
    {
        return max(0.1, ($this->longest > 0.0 ? $this->longest : self::ORPHAN_TIME) - (hrtime(true) - $began) / 1e9);
    }

    /** @param string $type of FrameTypeConnection */
    private function isOver(ChildConnection $child, string $type): bool
    {
        match ($type) {
            FrameType::END_OF_REQUEST => $this->pool->give($child),
            FrameType::END_OF_PROCESS => $this->pool->drop($child),
            default => null,
        };
        return $type === FrameType::END_OF_REQUEST || $type === FrameType::END_OF_PROCESS;
    }

    /**
     * The client has left. Most scripts are nearly done when they send: such a one is let end, and its process takes the next request. From then on
     * the process finds its connection closed.
     *
     * @return true
     */
    private function drain(ChildConnection $child, ScriptResponse $response, int $began): bool
    {
        $isInTime = true;
        BackgroundTimer::after(self::DRAIN_TIME, static function () use (&$isInTime, $child): void {
            if ($isInTime) {
                $isInTime = false;
                $child->noteEnd();
            }
        });
        while (($frame = $child->frames->next()) !== null && $isInTime) {
            if ($this->isOver($child, $frame[0])) {
                $isInTime = false;
                return true;
            }
        }
        $this->pool->abandon($child, $this->timeLeft($began), $response->removeFiles(...));
        return true;
    }

    private static function missing(ChildConnection $child, ScriptResponse $response): LaunchException
    {
        $response->cut();
        return new ServerException("The process {$child->pid} of this request ended " . ($response->status() === 0 ? 'without a response.' : 'before its response was complete.'));
    }
}
