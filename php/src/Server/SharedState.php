<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\DevTools\ReloadNotifier;
use Stampede\Diagnostics\BootFailure;

/** What all processes of the server know, in shared memory that is made before there are any. */
final readonly class SharedState
{
    public SharedPhase $phase;
    public BootFailure $failure;
    public ?ReloadNotifier $pages;

    public function __construct(ServedApplication $application)
    {
        $this->phase = new SharedPhase();
        $this->failure = new BootFailure();
        $this->pages = $application->reloadsPages() ? new ReloadNotifier($this->failure) : null;
    }
}
