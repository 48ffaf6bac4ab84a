<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Error;
use Stampede\Log\FailureLog;
use Stampede\Log\Logger;
use Stampede\Metrics;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;
use Throwable;

/** Symfony applications: the kernel is booted once, and cloned for requests that come beside others. */
final class SymfonyRunner extends AbstractRunner
{
    private HttpKernelInterface $kernel;
    private HttpFoundationResponder $responses;
    /** @var ApplicationPool<HttpKernelInterface> */
    private ApplicationPool $idle;
    private ErrorHandler $errors;
    private ?SymfonyWarmUp $warmUp = null;
    private readonly SymfonyExceptionCollector $caught;

    public function __construct(
        private readonly SymfonyKernelLoader $loader,
        private readonly ServerVariables $variables,
        private readonly FailureLog $failures,
        private readonly Logger $logger,
    ) {
        $this->caught = new SymfonyExceptionCollector();
    }

    public function boot(): void
    {
        $this->kernel = $this->loader->load();
        if (interface_exists('Psr\Container\ContainerInterface')) {
            WebRequest::keepSettingsOf(['Psr\Container\ContainerInterface']); // a service that a request has made is there in the next one
        }
        $this->idle = new ApplicationPool($this->shutDown(...), [$this->kernel]);
        $this->responses = new HttpFoundationResponder();
        $this->errors = ErrorHandler::present();
    }

    public function beginFrameworkOnly(): ?string
    {
        $this->warmUp = SymfonyWarmUp::of($this->kernel);
        return $this->warmUp === null ? null : SymfonyWarmUp::PATH;
    }

    public function endFrameworkOnly(): void
    {
        $this->warmUp?->end();
        $this->warmUp = null;
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $body = (string) $request->rawContent();
        $idle = $this->idle->take();
        $container = null;
        $hasExited = false;
        $printed = new OutputBuffer();
        RequestScope::begin($request, $server, $body, $printed->take(...));
        $this->errors->install();
        try {
            $asked = new SymfonyRequest($request->get ?? [], $request->post ?? [], $this->warmUp?->attributes() ?? [], $request->cookie ?? [], $request->files ?? [], $server, $body);
            $kernel = $idle !== null && self::resets($idle) ? $idle : $this->another();
            if ($kernel instanceof KernelInterface) {
                $kernel->boot();
                $container = $kernel->getContainer();
                $this->caught->watch($container);
            }
            $given = $printed->respond(static fn (): ?SymfonyResponse => self::responseOf($kernel, $asked), $response);
            $failure = $given === null || $given->isServerError() ? $this->caught->of($asked) : null;
            if ($failure !== null) {
                $this->failures->write($request, $failure);
            }
            if ($given === null) {
                $hasExited = true;
                return RequestScope::status();
            }
            $given->prepare($asked);
            Metrics::route((string) $asked->attributes->get('_route'));
            RequestScope::writeSession();
            $this->responses->send($given, $response, $printed);
            if ($kernel instanceof TerminableInterface) {
                $kernel->terminate($asked, $given);
            }
        } finally {
            if ($container !== null) {
                Transactions::endThoseOfDoctrine($container);
            }
            // One that has exited is in the middle of its request, for ever.
            if (isset($kernel)) {
                $hasExited ? $this->shutDown($kernel) : $this->idle->give($kernel);
            }
            WebRequest::end();
        }
        return $given->getStatusCode();
    }

    /** Resets the services, for another request: one that cannot be is a failure of the request before, and no kernel for the next. */
    private static function resets(HttpKernelInterface $kernel): bool
    {
        try {
            $kernel instanceof KernelInterface && $kernel->boot();
            if (!function_exists('session_status') || session_status() !== PHP_SESSION_ACTIVE) {
                unset($_SESSION); // its session listener leaves an empty array
            }
            return true;
        } catch (Throwable $failure) {
            error_log("A service could not be reset after its request, the kernel is made anew: {$failure->getMessage()} ({$failure->getFile()}:{$failure->getLine()})");
            return false;
        }
    }

    /**
     * An Error that the kernel lets through goes to its listeners all the same, as PHP's handler of exceptions has it behind other web servers: they
     * make the page of it, and the log. That is printed then, and the kernel is as after exit.
     */
    private static function responseOf(HttpKernelInterface $kernel, SymfonyRequest $asked): ?SymfonyResponse
    {
        try {
            return $kernel->handle($asked);
        } catch (Error $error) { // @phpstan-ignore catch.neverThrown (code of the application throws it)
            $inner = $kernel instanceof KernelInterface ? self::service($kernel, 'http_kernel') : null;
            if (!$inner instanceof HttpKernel) {
                throw $error;
            }
            $inner->terminateWithException($error, $asked);
            return null;
        }
    }

    /** A public service; null when there is none of that name. */
    public static function service(KernelInterface $kernel, string $name): ?object
    {
        $container = $kernel->getContainer();
        // @phpstan-ignore class.notFound, class.notFound (Symfony\Component\DependencyInjection\ContainerInterface, a package of the application)
        return $container->has($name) ? $container->get($name) : null;
    }

    /** Resets the services. */
    public function prepareNextRequest(): void
    {
        foreach ($this->idle->all() as $kernel) {
            if ($kernel instanceof KernelInterface) {
                $kernel->boot();
            }
        }
    }

    private function shutDown(HttpKernelInterface $kernel): void
    {
        try {
            if ($kernel instanceof KernelInterface) {
                $kernel->shutdown();
            }
        } catch (Throwable $failure) {
            $this->logger->error("A kernel could not be shut down: {$failure}");
        }
    }

    /** One with a container of its own, for a request beside others: nothing of theirs is in its services. */
    private function another(): HttpKernelInterface
    {
        return $this->kernel instanceof KernelInterface ? clone $this->kernel : $this->kernel;
    }
}
