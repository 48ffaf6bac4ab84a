<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Swoole\Http\Request;
use Swoole\Http\Response;

/** Laravel applications, one request at a time: booted once; the container is after each request as it was before. */
final class LaravelBridge implements Bridge
{
    private LaravelApplication $application;
    private readonly ServerVariables $variables;
    private SymfonyResponses $responses;

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly string $environment,
        string $documentRoot,
    ) {
        $this->variables = new ServerVariables($documentRoot, "{$documentRoot}/index.php");
    }

    public function boot(): void
    {
        self::setEnvironment($this->environment);
        $this->application = LaravelApplication::boot($this->directory, $this->entry);
        $this->responses = new SymfonyResponses();
    }

    public function handle(Request $request, Response $response): int
    {
        return $this->application->handle($request, $this->variables->of($request), (string) $request->rawContent(), $this->responses, $response);
    }

    public function reset(): void
    {
        $this->application->reset();
    }

    public static function setEnvironment(string $environment): void
    {
        if (getenv('APP_ENV') === false && !isset($_ENV['APP_ENV']) && $environment === 'prod') {
            $_SERVER['APP_ENV'] = $_ENV['APP_ENV'] = 'production';
        }
    }
}
