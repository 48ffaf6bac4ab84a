<?php

declare(strict_types=1);

namespace Stampede\Application;

/** Where symbolic links below a document root may lead. */
enum LinkPolicy: string
{
    case Anywhere = 'anywhere';
    case Inside = 'inside';
}
