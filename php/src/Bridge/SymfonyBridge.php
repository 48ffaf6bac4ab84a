<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\LaunchException;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;

/** Symfony applications: the kernel that public/index.php gives to Symfony's Runtime component is booted once. */
final class SymfonyBridge implements Bridge
{
    private const MOST_IDLE = 64; // kernels that are kept after many requests at once

    private HttpKernelInterface $kernel;
    private readonly ServerVariables $variables;
    private SymfonyResponses $responses;
    /** @var list<HttpKernelInterface> booted, and without a request */
    private array $idle = [];

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly string $environment,
        private readonly string $documentRoot,
    ) {
        $this->variables = new ServerVariables($documentRoot, $entry);
    }

    public function boot(): void
    {
        foreach (['APP_ENV' => $this->environment, 'APP_DEBUG' => $this->environment === 'prod' ? '0' : '1', 'APP_RUNTIME_MODE' => 'web=1&worker=1'] as $name => $value) {
            if (!isset($_SERVER[$name]) && getenv($name) === false) {
                $_SERVER[$name] = $_ENV[$name] = $value;
            }
        }
        $given = Front::load($this->directory, $this->entry);
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
            $given->boot();
        }
        $this->idle = [$given];
        $this->responses = new SymfonyResponses();
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $body = (string) $request->rawContent();
        $kernel = array_pop($this->idle) ?? $this->another();
        RequestScope::begin($request, $server, $body);
        try {
            $asked = new SymfonyRequest($request->get ?? [], $request->post ?? [], [], $request->cookie ?? [], $request->files ?? [], $server, $body);
            if ($kernel instanceof KernelInterface) {
                $kernel->boot(); // which resets the services of the request before
            }
            $given = $kernel->handle($asked);
            $given->prepare($asked);
            RequestScope::writeSession();
            $this->responses->send($given, $response);
            if ($kernel instanceof TerminableInterface) {
                $kernel->terminate($asked, $given);
            }
        } finally {
            if (count($this->idle) < self::MOST_IDLE) {
                $this->idle[] = $kernel;
            }
            WebRequest::end();
        }
        return $given->getStatusCode();
    }

    public function reset(): void {}

    /** Resets the services now, which would be the first thing that the next request does. */
    public function settle(): void
    {
        foreach ($this->idle as $kernel) {
            if ($kernel instanceof KernelInterface) {
                $kernel->boot();
            }
        }
    }

    /** One with a container of its own, for a request beside others: nothing of theirs is in its services. */
    private function another(): HttpKernelInterface
    {
        return $this->kernel instanceof KernelInterface ? clone $this->kernel : $this->kernel;
    }
}
