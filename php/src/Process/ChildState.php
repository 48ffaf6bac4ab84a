<?php

declare(strict_types=1);

namespace Stampede\Process;

/**
 * Of a process that runs scripts:
 *
 *     (forked) --> Idle <--> Busy --> Gone
 *                   |                  ^
 *                   `------------------'
 */
enum ChildState
{
    case Idle;
    case Busy;
    case Gone; // its connection is closed; it ends, if it has not done so
}
