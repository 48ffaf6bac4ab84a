<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Stampede\Bridge\Bridge;
use Throwable;

/** The application as the boot process of a generation has loaded it: the workers that are forked from that have it, too. */
final class Generation
{
    private ?Bridge $bridge = null;

    public function __construct(private readonly string $directory, private readonly Fault $fault) {}

    /** In the boot process. @throws Throwable when the application does not boot */
    public function boot(Bridge $bridge): void
    {
        clearstatcache(true);
        chdir($this->directory);
        try {
            $bridge->boot();
        } catch (Throwable $failure) {
            $this->fault->set(self::sentence($failure));
            throw $failure;
        }
        $this->bridge = $bridge;
    }

    /** In a process forked from the boot process. @throws LaunchException when a request for the path fails */
    public function check(string $path): void
    {
        if ($this->bridge !== null) {
            (new HealthCheck($this->bridge, $path, $this->fault))->run();
        }
    }

    /** Null in a process that has not been forked from a boot process. */
    public function bridge(): ?Bridge
    {
        return $this->bridge;
    }

    public static function sentence(Throwable $failure): string
    {
        return $failure instanceof LaunchException ? $failure->getMessage() : sprintf(
            '%s: %s (%s:%d)',
            get_class($failure),
            $failure->getMessage(),
            $failure->getFile(),
            $failure->getLine(),
        );
    }
}
