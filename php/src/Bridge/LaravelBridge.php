<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request as LaravelRequest;
use Illuminate\Support\Facades\Facade;
use Stampede\Launcher\LaunchException;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;

/** Laravel applications: booted once; the container is after each request as it was before. */
final class LaravelBridge implements Bridge
{
    private Application $application;
    private Closure $restore;
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
        if (getenv('APP_ENV') === false && !isset($_ENV['APP_ENV']) && $this->environment === 'prod') {
            $_SERVER['APP_ENV'] = $_ENV['APP_ENV'] = 'production';
        }
        $application = Front::load($this->directory, $this->entry);
        if (!$application instanceof Application) {
            throw new LaunchException("{$this->entry} must return a Laravel application, not " . get_debug_type($application) . '.');
        }
        $application->instance('request', LaravelRequest::create('http://localhost'));
        $application->make(Kernel::class)->bootstrap();
        $this->application = $application;
        $this->noteState();
        $this->responses = new SymfonyResponses();
    }

    public function handle(Request $request, Response $response): int
    {
        $server = $this->variables->of($request);
        $asked = LaravelRequest::createFromBase(new SymfonyRequest(
            $request->get ?? [],
            $request->post ?? [],
            [],
            $request->cookie ?? [],
            $request->files ?? [],
            $server,
            (string) $request->rawContent(),
        ));
        $this->application->instance('request', $asked); // which tells what was made with the former one
        Facade::clearResolvedInstances();
        $kernel = $this->application->make(Kernel::class);
        $given = $kernel->handle($asked);
        $this->responses->send($given->prepare($asked), $response);
        $kernel->terminate($asked, $given);
        return $given->getStatusCode();
    }

    /** The container as it was after the boot: what a request has put into it, resolved or changed is the next one's no more. */
    public function reset(): void
    {
        ($this->restore)();
        Facade::clearResolvedInstances();
    }

    private function noteState(): void
    {
        $application = $this->application;
        $ofApplication = Closure::bind(fn (): array => get_object_vars($this), $application, $application::class)();
        $config = $application->make('config');
        $ofConfig = Closure::bind(fn (): array => get_object_vars($this), $config, $config::class)();
        $this->restore = static function () use ($application, $ofApplication, $config, $ofConfig): void {
            foreach ([[$application, $ofApplication], [$config, $ofConfig]] as [$object, $state]) {
                Closure::bind(function () use ($state): void {
                    foreach ($state as $name => $value) {
                        $this->{$name} = $value;
                    }
                }, $object, $object::class)();
            }
        };
    }
}
