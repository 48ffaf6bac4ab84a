<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Stampede\Launcher\Isolation;
use Stampede\Launcher\Kind;

/** The bridge of each kind of application. */
final class Bridges
{
    /**
     * @param Isolation $isolation of the requests; Coroutine when only some have that one
     * @param bool $sendsFiles whether files of the document root are sent without PHP
     */
    public static function of(Kind $kind, string $directory, string $entry, string $documentRoot, string $environment, Isolation $isolation, bool $sendsFiles): Bridge
    {
        return match ($kind) {
            Kind::Plain => new PlainBridge($documentRoot, $entry, $sendsFiles, $environment !== 'prod'),
            Kind::Psr15 => new Psr15Bridge($directory, $entry, $documentRoot),
            Kind::Symfony => new SymfonyBridge($directory, $entry, $environment, $documentRoot),
            Kind::Laravel => $isolation === Isolation::Coroutine
                ? new LaravelStock($directory, $entry, $environment, $documentRoot)
                : new LaravelBridge($directory, $entry, $environment, $documentRoot),
        };
    }
}
