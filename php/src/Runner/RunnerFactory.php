<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;

/** The bridge of each kind of application. */
final class RunnerFactory
{
    /** @param IsolationMode $isolation of the requests; Coroutine when only some have that one */
    public static function of(ApplicationDescriptor $application, string $environment, IsolationMode $isolation): Runner
    {
        [$directory, $entry] = [$application->directory, $application->entry];
        $kind = $application->type->kind();
        // Of a Laravel application the server variables name the front controller that web servers run.
        $variables = new ServerVariables($application->documentRoot, $kind === ApplicationKind::Laravel ? "{$application->documentRoot}/index.php" : $entry, $application->serverName, $kind === ApplicationKind::Plain ? Environment::AsPhpFpm : Environment::Whole);
        return match ($kind) {
            ApplicationKind::Plain => new FrontControllerRunner($application, $variables, $environment !== 'prod'),
            ApplicationKind::Psr15 => new Psr15Runner($directory, $entry, $variables),
            ApplicationKind::Symfony => new SymfonyRunner($directory, $entry, $environment, $variables),
            ApplicationKind::Laravel => $isolation === IsolationMode::Coroutine
                ? new PooledLaravelRunner($directory, $entry, $environment, $variables)
                : new LaravelRunner($directory, $entry, $environment, $variables),
        };
    }
}
