<?php

declare(strict_types=1);

namespace Stampede\Application;

/** Kinds of applications, as the option "bridge" names them. */
enum ApplicationKind: string
{
    case Symfony = 'symfony';
    case Laravel = 'laravel';
    case Psr15 = 'psr15';
    case Plain = 'plain';

    public function title(): string
    {
        return match ($this) {
            self::Symfony => 'a Symfony application',
            self::Laravel => 'a Laravel application',
            self::Psr15 => 'a PSR-15 request handler',
            self::Plain => 'a plain front controller',
        };
    }
}
