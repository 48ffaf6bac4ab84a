<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Log\Logger;
use Stampede\Runner\PooledLaravelRunner;
use Swoole\Http\Server;

/** The boot of each generation, in its boot process, and what the first process says when it fails. */
final readonly class BootSubscriber implements ServerSubscriber
{
    public function __construct(private ServedApplication $application, private SharedState $shared, private Generation $generation, private Logger $logger) {}

    public function subscribe(Server $server): void
    {
        $server->on('boot', $this->generation->boot(...));
        $path = $this->application->options->text('health-check');
        $warmUp = $this->application->isPlain() ? $this->application->options->list('warm-up') : []; // the zygotes of other kinds have it before they fork
        if ($path !== '' || $warmUp !== []) {
            $server->on('bootCheck', function () use ($path, $warmUp): void {
                $path === '' || $this->generation->check($path);
                array_map($this->generation->warmUp(...), $warmUp);
            });
        }
        $server->on('bootError', $this->fail(...));
    }

    /** The first time there is nothing to serve; later the code before goes on. @param string $why when the boot process has not said it itself */
    public function fail(Server $server, string $why): void
    {
        if ($this->shared->failure->text() === '') {
            $this->shared->failure->set($why . ($this->isSecondBoot($why) ? '. ' . PooledLaravelRunner::ONCE : ''));
        }
        $phase = $this->shared->phase;
        $isFirst = $phase->get() !== Phase::Serving;
        if (!$isFirst || $phase->become(Phase::Failed)) {
            $this->logger->error("The application does not boot: {$this->shared->failure->text()}");
        }
        if ($isFirst) {
            $server->shutdown();
        }
    }

    /** Code that declares a function again ends the process at once, without an exception. */
    private function isSecondBoot(string $why): bool
    {
        return $this->application->project->kind === ApplicationKind::Laravel && $this->application->routes->uses(IsolationMode::Coroutine)
            && preg_match('/^Cannot (re)?declare /', $why) === 1;
    }
}
