<?php

declare(strict_types=1);

namespace Stampede\Application;

enum ResourceKind
{
    /** Sent as it is. */
    case File;
    /** Another script than the entry, below the document root. */
    case Script;
    case FrontController;
    /** A folder with an index, whose path lacks the slash at its end that links in its pages are relative to: the client is sent there. */
    case Folder;
    /** The response has the status of the resource. */
    case Refused;
}
