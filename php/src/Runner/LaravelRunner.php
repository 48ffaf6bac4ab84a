<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Log\FailureLog;
use Stampede\WebRequest;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** Laravel applications, one request at a time: booted once; the container is after each request as it was before. */
final class LaravelRunner extends AbstractRunner
{
    private LaravelApplication $application;
    private LaravelStaticState $statics;
    private bool $isUsed = false;

    public function __construct(
        private readonly string $directory,
        private readonly string $entry,
        private readonly string $environment,
        private readonly ServerVariables $variables,
        private readonly FailureLog $failures,
    ) {}

    public function boot(): void
    {
        self::setEnvironment($this->environment);
        $this->application = LaravelApplication::boot($this->directory, $this->entry, $this->failures);
        $this->statics = new LaravelStaticState();
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $body = (string) $request->rawContent();
        $printed = new OutputBuffer();
        if ($this->isUsed) { // a fatal error has ended the request before, and no finally has reset it
            $this->reset();
        }
        $this->isUsed = true;
        RequestScope::begin($request, $server, $body, $printed->take(...));
        try {
            return $this->application->handle($request, $response, $server, $body, $printed);
        } finally {
            WebRequest::end();
        }
    }

    public function reset(): void
    {
        $replaced = [$this->application->reset(), $this->statics->putBack()];
        $this->isUsed = false;
        unset($replaced); // whose destructors may throw, exit and wait: the application is whole before
    }

    public static function setEnvironment(string $environment): void
    {
        // For dd(): the SAPI is that of the command line.
        $_SERVER['VAR_DUMPER_FORMAT'] ??= 'html';
        if (getenv('APP_ENV') === false && !isset($_ENV['APP_ENV']) && $environment === 'prod') {
            $_SERVER['APP_ENV'] = $_ENV['APP_ENV'] = 'production';
        }
    }
}
