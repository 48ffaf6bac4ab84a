<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Exception\BootException;
use Symfony\Component\ErrorHandler\ErrorHandler as SymfonyErrorHandler;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\KernelInterface;

/** Makes and boots the kernel that public/index.php gives to Symfony's Runtime component. */
final readonly class SymfonyKernelLoader
{
    public function __construct(private string $directory, private string $entry, private string $environment) {}

    public function load(): HttpKernelInterface
    {
        $this->setEnvironment();
        $given = EntryLoader::load($this->directory, $this->entry);
        $kernel = is_callable($given) ? $this->resolve($given) : $given;
        if (!$kernel instanceof HttpKernelInterface) {
            throw new BootException("{$this->entry} must give a Symfony kernel, not " . get_debug_type($kernel) . '.');
        }
        if ($kernel instanceof KernelInterface) {
            self::setErrorHandler($kernel->isDebug());
            $kernel->boot();
        }
        return $kernel;
    }

    private function setEnvironment(): void
    {
        $usual = ['APP_ENV' => $this->environment, 'APP_DEBUG' => $this->environment === 'prod' ? '0' : '1', 'APP_RUNTIME_MODE' => 'web=1&worker=1', 'VAR_DUMPER_FORMAT' => 'html'];
        foreach ($usual as $name => $value) {
            if (!isset($_SERVER[$name]) && getenv($name) === false) {
                $_SERVER[$name] = $_ENV[$name] = $value;
            }
        }
    }

    private function resolve(callable $given): mixed
    {
        $runtimeClass = $_SERVER['APP_RUNTIME'] ?? $_ENV['APP_RUNTIME'] ?? 'Symfony\Component\Runtime\SymfonyRuntime';
        if (!class_exists($runtimeClass)) {
            throw new BootException("The application needs {$runtimeClass}: composer require symfony/runtime.");
        }
        $runtime = new $runtimeClass(($_SERVER['APP_RUNTIME_OPTIONS'] ?? []) + [
            'project_dir' => $this->directory,
            'error_handler' => false,
            'disable_dotenv' => !is_file("{$this->directory}/.env"),
        ]);
        // @phpstan-ignore method.notFound (Symfony\Component\Runtime\RuntimeInterface, a package of the application)
        [$function, $arguments] = $runtime->getResolver($given)->resolve();
        return $function(...$arguments);
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
}
