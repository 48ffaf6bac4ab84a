<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Log\FailureLog;
use Stampede\Log\Logger;

/** The runner of each kind of application, for requests in the process that has booted it. */
final readonly class RunnerFactory
{
    public function __construct(private ApplicationDescriptor $application, private string $environment, private FailureLog $failures, private Logger $logger) {}

    /** @param IsolationMode $isolation of the requests; Coroutine when only some have that one */
    public function runner(IsolationMode $isolation): Runner
    {
        [$directory, $entry] = [$this->application->directory, $this->application->entry];
        $variables = $this->variables();
        return match ($this->application->type->kind()) {
            ApplicationKind::Plain => new FrontControllerRunner($this->application, $variables, $this->failures, $this->environment !== 'prod'),
            ApplicationKind::Psr15 => new Psr15Runner($directory, $entry, $variables),
            ApplicationKind::Symfony => new SymfonyRunner(new SymfonyKernelLoader($directory, $entry, $this->environment), $variables, $this->failures, $this->logger),
            ApplicationKind::Laravel => $isolation === IsolationMode::Coroutine
                ? new PooledLaravelRunner($directory, $entry, $this->environment, $variables, $this->failures)
                : new LaravelRunner($directory, $entry, $this->environment, $variables, $this->failures),
        };
    }

    private function variables(): ServerVariables
    {
        $root = $this->application->documentRoot;
        $kind = $this->application->type->kind();
        // Of a Laravel application the server variables name the front controller that web servers run.
        return new ServerVariables(
            $root,
            $kind === ApplicationKind::Laravel ? "{$root}/index.php" : $this->application->entry,
            $this->application->serverName,
            $kind === ApplicationKind::Plain ? Environment::AsPhpFpm : Environment::Whole,
        );
    }
}
