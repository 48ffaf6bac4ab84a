<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What a document root is made for. */
enum RootScope: string
{
    /** A folder for what everybody may read: all is sent but what is private by its name. */
    case PublicFolder = 'public';
    /** The application's folder, which holds its sources, settings and data, too: what browsers need for pages is sent, and nothing else. */
    case ApplicationFolder = 'application';
}
