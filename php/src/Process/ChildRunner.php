<?php

declare(strict_types=1);

namespace Stampede\Process;

use ErrorException;
use Stampede\Checkpoint;
use Stampede\DevTools\HtmlErrorRenderer;
use Stampede\Log\ExceptionFormatter;
use Stampede\Log\FailureLog;
use Stampede\Log\Logger;
use Stampede\Request\RequestEnd;
use Stampede\Request\RequestLifecycle;
use Stampede\Runner\FatalError;
use Stampede\Runner\Runner;
use Stampede\Telemetry\Instrumentation;
use Stampede\WebRequest;
use Swoole\Coroutine;
use Swoole\ExitException;
use Swoole\Http\Request;
use Throwable;

use function Stampede\record_request;

/** A forked process: waits for one request of the worker, handles it, and goes back to what it was before, or ends where it cannot. */
final class ChildRunner
{
    private ?ChildRequest $request = null;
    private ?ChildResponse $response = null;
    private bool $isRehearsal = false;
    private ?Throwable $failure = null;

    /** In the process that it is forked from; its shutdown function runs in each. */
    public function __construct(private readonly Runner $runner, private readonly FailureLog $failures, private readonly Logger $logger, private readonly bool $showsErrors, private readonly bool $goesBack)
    {
        register_shutdown_function($this->lookForFatalError(...));
        // In a coroutine exit() is an exception, which leaves the runner the time to send what was printed.
        Coroutine::set(['hook_flags' => 0]);
    }

    /** Without a worker, before the fork. @return string why it failed */
    public function rehearse(Request $request): string
    {
        $this->isRehearsal = true;
        $this->failure = null;
        Checkpoint::rehearse((new RequestMessage($request, ''))->head());
        $this->handleOne();
        $code = $this->response?->code() ?? 0;
        [$this->request, $this->response, $this->isRehearsal] = [null, null, false];
        return match (true) {
            $this->failure !== null => ExceptionFormatter::sentence($this->failure),
            $code >= 500 => "it has status {$code}.",
            default => '',
        };
    }

    /** In a forked process. Comes back when the worker needs it no more, or when it cannot go back. */
    public function live(): void
    {
        WebRequest::endProcessToo();
        $response = $this->handleOne();
        if ($response !== null && $this->goesBack && $response->hasEnded()) {
            $this->goBack();
        }
    }

    /** @phpstan-impure */
    private function handleOne(): ?ChildResponse
    {
        Checkpoint::send(pack('aN', FrameType::HELLO, getmypid())); // ready for a request
        [$facts, $body] = self::receive() ?? [null, null];
        if (!is_array($facts) || !is_string($body)) {
            return null;
        }
        $response = $this->response = new ChildResponse();
        Coroutine\run($this->handle(...), $facts, $body);
        return $response;
    }

    /** @return array{mixed, string|null}|null facts and body; null when the worker needs this process no more, which no limit is set for: its end is noticed */
    private static function receive(): ?array
    {
        $start = Checkpoint::receive(RequestMessage::START);
        if ($start === null) {
            return null;
        }
        [$factsLength, $bodyLength] = array_values(unpack('J2', $start) ?: [1 => 0, 2 => 0]);
        $facts = (string) Checkpoint::receive($factsLength);
        return [unserialize($facts, ['allowed_classes' => false]), Checkpoint::receive($bodyLength)];
    }

    private function goBack(): void
    {
        if (function_exists('session_status') && session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        $obstacle = Checkpoint::goBack();
        Checkpoint::send(pack('aN', FrameType::END_OF_PROCESS, strlen($obstacle)) . $obstacle);
    }

    /** @param array<string, mixed> $facts */
    private function handle(array $facts, string $body): void
    {
        $response = $this->response ?? throw new \LogicException('no response');
        try {
            $this->request = ChildRequest::unpack($facts, $body);
            unset($facts, $body);
            if ($this->request->tmpfiles !== null) {
                $response->tellFiles(array_values($this->request->tmpfiles));
            }
            $this->observed($this->request, $response);
            $response->end();
        } catch (ExitException) { // The application has ended its request.
            $response->end();
        } catch (Throwable $failure) {
            $this->fail($failure);
        } finally {
            $this->isRehearsal || Instrumentation::finish(); // this process forgets what it has not exported
        }
    }

    private function observed(ChildRequest $request, ChildResponse $response): void
    {
        if ($this->isRehearsal || !RequestLifecycle::isObserved()) {
            $this->runner->handle($request, $response);
            return;
        }
        record_request($response);
        $ends = RequestLifecycle::begin($request, $response);
        $this->failures->watch($request);
        $failure = null;
        try {
            $this->runner->handle($request, $response);
        } catch (Throwable $thrown) {
            $failure = $thrown instanceof ExitException ? null : $thrown;
            throw $thrown;
        } finally {
            RequestLifecycle::end($ends, RequestEnd::ofPresent($failure === null ? $response->code() : 500, $failure ?? $this->failures->takeException($request)));
        }
    }

    private function fail(Throwable $failure): void
    {
        if ($this->isRehearsal) {
            $this->failure = $failure;
            return;
        }
        $name = $this->request === null ? '' : "{$this->request->server['request_method']} {$this->request->server['request_uri']}: ";
        $this->logger->error($name . ExceptionFormatter::of($failure));
        if ($this->response === null || $this->response->hasBegun()) {
            return; // Without the last frame the worker cuts the response off.
        }
        $this->response->status(500);
        $this->response->header('Content-Type', 'text/html; charset=utf-8');
        $this->response->end($this->showsErrors && $this->request !== null ? HtmlErrorRenderer::of($failure, $this->request) : HtmlErrorRenderer::plain(500, $this->request));
    }

    /** A shutdown function. What the application's own print after a fatal error has no place in the error page. */
    private function lookForFatalError(): void
    {
        $error = FatalError::last();
        if ($error === null || $this->response?->isWritable() !== true) {
            return;
        }
        ini_set('memory_limit', '-1');
        ob_start(static fn (): string => '');
        $this->fail(new ErrorException($error['message'], 0, $error['type'], $error['file'], $error['line']));
        $this->response = null;
    }
}
