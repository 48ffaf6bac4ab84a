<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Error;
use Stampede\Exception\LaunchException;
use Stampede\Log\FailureLog;
use Stampede\Log\LogText;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\ErrorHandler\ErrorHandler as SymfonyErrorHandler;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;
use Throwable;

/** Symfony applications: the kernel that public/index.php gives to Symfony's Runtime component is booted once. */
final class SymfonyRunner implements Runner
{
    private HttpKernelInterface $kernel;
    private HttpFoundationResponder $responses;
    /** @var ApplicationPool<HttpKernelInterface> */
    private ApplicationPool $idle;
    private ErrorHandler $errors;
    private ?SymfonyWarmUp $rehearsal = null;
    private readonly SymfonyExceptionCollector $caught;

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly string $environment,
        private readonly ServerVariables $variables,
    ) {
        $this->caught = new SymfonyExceptionCollector();
    }

    public function boot(): void
    {
        foreach (['APP_ENV' => $this->environment, 'APP_DEBUG' => $this->environment === 'prod' ? '0' : '1', 'APP_RUNTIME_MODE' => 'web=1&worker=1', 'VAR_DUMPER_FORMAT' => 'html'] as $name => $value) {
            if (!isset($_SERVER[$name]) && getenv($name) === false) {
                $_SERVER[$name] = $_ENV[$name] = $value;
            }
        }
        $given = EntryLoader::load($this->directory, $this->entry);
        $runtimeClass = $_SERVER['APP_RUNTIME'] ?? $_ENV['APP_RUNTIME'] ?? 'Symfony\Component\Runtime\SymfonyRuntime';
        if (is_callable($given)) {
            if (!class_exists($runtimeClass)) {
                throw new LaunchException("The application needs {$runtimeClass}: composer require symfony/runtime.");
            }
            $runtime = new $runtimeClass(($_SERVER['APP_RUNTIME_OPTIONS'] ?? []) + [
                'project_dir' => $this->directory,
                'error_handler' => false,
                'disable_dotenv' => !is_file("{$this->directory}/.env"),
            ]);
            // @phpstan-ignore method.notFound (Symfony\Component\Runtime\RuntimeInterface, a package of the application)
            [$function, $arguments] = $runtime->getResolver($given)->resolve();
            $given = $function(...$arguments);
        }
        if (!$given instanceof HttpKernelInterface) {
            throw new LaunchException("{$this->entry} must give a Symfony kernel, not " . get_debug_type($given) . '.');
        }
        $this->kernel = $given;
        if ($given instanceof KernelInterface) {
            self::setErrorHandler($given->isDebug());
            $given->boot();
        }
        if (interface_exists('Psr\Container\ContainerInterface')) {
            WebRequest::keepSettingsOf(['Psr\Container\ContainerInterface']); // a service that a request has made is there in the next one
        }
        $this->idle = new ApplicationPool(self::shutDown(...), [$given]);
        $this->responses = new HttpFoundationResponder();
        $this->errors = ErrorHandler::present();
    }

    /**
     * The one that Runtime registers behind other web servers, which the kernel looks for and configures: warnings become exceptions in
     * development and go to the application's log in production. Without Runtime's handlers of exceptions and fatal errors, which print a page.
     */
    private static function setErrorHandler(bool $debug): void
    {
        $present = set_error_handler(null);
        restore_error_handler();
        if ($present === null && class_exists(SymfonyErrorHandler::class)) {
            set_error_handler([new SymfonyErrorHandler(null, $debug), 'handleError']);
        }
    }

    /** From now on Symfony handles requests without controllers or listeners of the application. @return bool false when it cannot */
    public function beginRehearsal(): bool
    {
        $this->rehearsal = SymfonyWarmUp::of($this->kernel);
        return $this->rehearsal !== null;
    }

    public function endRehearsal(): void
    {
        $this->rehearsal?->end();
        $this->rehearsal = null;
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
            $asked = new SymfonyRequest($request->get ?? [], $request->post ?? [], $this->rehearsal?->attributes() ?? [], $request->cookie ?? [], $request->files ?? [], $server, $body);
            $kernel = $idle !== null && self::resets($idle) ? $idle : $this->another();
            if ($kernel instanceof KernelInterface) {
                $kernel->boot();
                $container = $kernel->getContainer();
                $this->caught->watch($container);
            }
            $given = $printed->respond(static fn (): ?SymfonyResponse => self::responseOf($kernel, $asked), $response);
            $failure = $given === null || $given->isServerError() ? $this->caught->of($asked) : null;
            if ($failure !== null) {
                FailureLog::write($request, $failure);
            }
            if ($given === null) {
                $hasExited = true;
                return RequestScope::status();
            }
            $given->prepare($asked);
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
                $hasExited ? self::shutDown($kernel) : $this->idle->give($kernel);
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

    public function reset(): void {}

    /** Resets the services now, which would be the first thing that the next request does. */
    public function settle(): void
    {
        foreach ($this->idle->all() as $kernel) {
            if ($kernel instanceof KernelInterface) {
                $kernel->boot();
            }
        }
    }

    private static function shutDown(HttpKernelInterface $kernel): void
    {
        try {
            if ($kernel instanceof KernelInterface) {
                $kernel->shutdown();
            }
        } catch (Throwable $failure) {
            LogText::log("A kernel could not be shut down: {$failure}");
        }
    }

    /** One with a container of its own, for a request beside others: nothing of theirs is in its services. */
    private function another(): HttpKernelInterface
    {
        return $this->kernel instanceof KernelInterface ? clone $this->kernel : $this->kernel;
    }
}
