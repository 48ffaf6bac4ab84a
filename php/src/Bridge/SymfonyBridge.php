<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\LaunchException;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;

/** Symfony applications: the kernel that public/index.php gives to Symfony's Runtime component is booted once. */
final class SymfonyBridge implements Bridge
{
    private HttpKernelInterface $kernel;
    private readonly ServerVariables $variables;
    private SymfonyResponses $responses;
    private bool $used = false;

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
        $this->responses = new SymfonyResponses();
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $asked = new SymfonyRequest($request->get ?? [], $request->post ?? [], [], $request->cookie ?? [], $request->files ?? [], $server, (string) $request->rawContent());
        if ($this->used && $this->kernel instanceof KernelInterface) {
            $this->kernel->boot(); // which resets the services of the request before
        }
        $this->used = true;
        $given = $this->kernel->handle($asked);
        $given->prepare($asked);
        $this->responses->send($given, $response);
        if ($this->kernel instanceof TerminableInterface) {
            $this->kernel->terminate($asked, $given);
        }
        return $given->getStatusCode();
    }

    public function reset(): void {}
}
