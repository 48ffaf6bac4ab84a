<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Application\PathResolver;
use Stampede\Application\RequestPath;
use Stampede\Application\ResourceKind;
use Stampede\Bridge\ResourceResponse;
use Stampede\Launcher\LaunchException;
use Stampede\RequestLoop;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Requests of plain applications, each in PHP's own request life in a process that runs one script after another. */
final class ScriptRunner implements ProcessRunner
{
    private int $active = 0;
    private bool $isLeaving = false;

    public function __construct(private readonly ChildPool $pool, private readonly PathResolver $paths, private readonly ScriptVariables $variables) {}

    /** Its program is started. */
    public function boot(): void {}

    public function open(): bool
    {
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
            do {
                $status = $this->pass($this->pool->take(), $message, $request, $response);
            } while ($status === null);
            return $status;
        } finally {
            $this->active--;
            if ($this->isLeaving && $this->active === 0) {
                $this->pool->close();
            }
        }
    }

    public function reset(): void {}

    public function leave(): void
    {
        $this->isLeaving = true;
        if ($this->active === 0) {
            $this->pool->close();
        }
    }

    public function close(): void
    {
        $this->pool->close();
    }

    /** @return int|null the status; null when the process had ended before, and has seen nothing of the request */
    private function pass(Child $child, string $message, Request $request, Response $response): ?int
    {
        $status = 0;
        $isOver = false;
        try {
            if ($child->send($message) === 0) {
                $isOver = true;
                $this->pool->drop($child);
                return null;
            }
            while (!$isOver) {
                [$type, $content] = $child->frames->next() ?? throw $this->missing($child, $status, $request, $response);
                if ($type === Child::HEAD) {
                    $status = self::head($response, $content);
                } elseif (!self::body($response, $type, $content)) {
                    $isOver = true;
                    $this->pool->abandon($child);
                    return $status;
                } elseif ($type === Child::END_OF_REQUEST) {
                    $isOver = true;
                    $this->pool->give($child);
                } elseif ($type === Child::END_OF_PROCESS) {
                    $isOver = true;
                    $this->pool->drop($child);
                }
            }
            return $status;
        } finally {
            $isOver || $this->pool->kill($child); // the time of the request is over
        }
    }

    /** @return bool false when the client has left */
    private static function body(Response $response, string $type, string $content): bool
    {
        if ($type === Child::DATA) {
            return $response->isWritable() && $response->write($content);
        }
        if ($response->isWritable()) { // not after END_OF_RESPONSE
            $response->end($content);
        }
        return true;
    }

    private function missing(Child $child, int $status, Request $request, Response $response): LaunchException
    {
        if ($status !== 0) {
            $response->close(); // a part of a response must not look like the whole
        }
        return new LaunchException("Process {$child->pid} ended before its response was complete.");
    }

    private static function head(Response $response, string $content): int
    {
        $lines = explode("\n", $content);
        [$status, $reason] = explode(' ', (string) array_shift($lines), 2) + [1 => ''];
        $fields = ['content-type' => ['Content-Type', '']]; // of a script that has removed it, and the server would add its own
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $key = strtolower($name);
            $value = ltrim($value);
            if ($key === 'content-type' || !isset($fields[$key])) {
                $fields[$key] = [$name, $value];
            } else {
                $fields[$key][1] = [...(array) $fields[$key][1], $value];
            }
        }
        foreach ($fields as [$name, $value]) {
            $response->header($name, $value, false);
        }
        $response->status((int) $status, $reason);
        return (int) $status;
    }
}
