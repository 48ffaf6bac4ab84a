<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Application\PathResolver;
use Stampede\Application\RequestPath;
use Stampede\Application\ResourceKind;
use Stampede\Bridge\ForkProgram;
use Stampede\Bridge\ResourceResponse;
use Stampede\Launcher\LaunchException;
use Stampede\RequestLoop;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Requests of plain applications, each in PHP's own request life in a process that runs one script after another. */
final class ScriptRunner implements ProcessRunner
{
    private ?ChildPool $pool = null;
    private int $active = 0;
    private bool $isLeaving = false;

    /** @param Closure(): ChildPool $pools makes one that is not open */
    public function __construct(private readonly Closure $pools, private readonly PathResolver $paths, private readonly ScriptVariables $variables, private readonly bool $showsErrors) {}

    /** Its program is started. */
    public function boot(): void {}

    public function open(): bool
    {
        $this->pool = ($this->pools)();
        return $this->pool->open();
    }

    public function handle(Request $request, Response $response): int
    {
        $resource = $this->paths->resolve(RequestPath::of($request->server['path_info'] ?? '/'), $request->server['request_method']);
        if ($resource->kind !== ResourceKind::Script && $resource->kind !== ResourceKind::FrontController) {
            return ResourceResponse::send($resource, $request, $response);
        }
        $body = (string) $request->rawContent();
        $message = RequestLoop::head($this->variables->of($request, $resource, strlen($body)), strlen($body)) . $body;
        $this->active++;
        try {
            // A connection that is still open may bring one more request to a worker on its way out.
            if ($this->pool?->isOpen() !== true && !$this->open()) {
                throw new LaunchException(ForkProgram::GONE);
            }
            $pool = $this->pool;
            do {
                $status = $this->pass($pool, $message, new ScriptResponse($request, $response, $this->showsErrors));
            } while ($status === null);
            return $status;
        } finally {
            $this->active--;
            if ($this->isLeaving && $this->active === 0) {
                $this->pool?->close();
            }
        }
    }

    public function reset(): void {}

    public function leave(): void
    {
        $this->isLeaving = true;
        if ($this->active === 0) {
            $this->pool?->close();
        }
    }

    public function close(): void
    {
        $this->pool?->close();
    }

    /** @return int|null the status; null when the process had ended before, and has seen nothing of the request */
    private function pass(ChildPool $pool, string $message, ScriptResponse $response): ?int
    {
        $child = $pool->take();
        $isOver = false;
        try {
            if ($child->send($message) === 0) {
                $isOver = true;
                $pool->drop($child);
                return null;
            }
            while (!$isOver) {
                [$type, $content] = $child->frames->next() ?? throw self::missing($child, $response);
                $isRead = $response->take($type, $content);
                $isOver = !$isRead || $type === Child::END_OF_REQUEST || $type === Child::END_OF_PROCESS;
                match (true) {
                    !$isRead => $pool->abandon($child),
                    $type === Child::END_OF_REQUEST => $pool->give($child),
                    $type === Child::END_OF_PROCESS => $pool->drop($child),
                    default => null,
                };
            }
            return $response->status();
        } finally {
            $isOver || $pool->kill($child); // the time of the request is over
        }
    }

    private static function missing(Child $child, ScriptResponse $response): LaunchException
    {
        $response->cut();
        return new LaunchException("The process {$child->pid} of this request ended " . ($response->status() === 0 ? 'without a response.' : 'before its response was complete.'));
    }
}
