<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Launcher\Isolation;
use Stampede\Launcher\Kind;

/** The bridge of each kind of application. */
final class Bridges
{
    /** @param Isolation $isolation of the requests; Coroutine when only some have that one */
    public static function of(ApplicationDescriptor $application, string $environment, Isolation $isolation): Bridge
    {
        [$directory, $entry] = [$application->directory, $application->entry];
        $kind = $application->type->kind();
        // Of a Laravel application the server variables name the front controller that web servers run.
        $variables = new ServerVariables($application->documentRoot, $kind === Kind::Laravel ? "{$application->documentRoot}/index.php" : $entry, $application->serverName, $kind === Kind::Plain ? Environment::AsPhpFpm : Environment::Whole);
        return match ($kind) {
            Kind::Plain => new PlainBridge($application, $variables, $environment !== 'prod'),
            Kind::Psr15 => new Psr15Bridge($directory, $entry, $variables),
            Kind::Symfony => new SymfonyBridge($directory, $entry, $environment, $variables),
            Kind::Laravel => $isolation === Isolation::Coroutine
                ? new LaravelStock($directory, $entry, $environment, $variables)
                : new LaravelBridge($directory, $entry, $environment, $variables),
        };
    }
}
