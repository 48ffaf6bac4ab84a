<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Acme\Renewals;
use Stampede\Config\ListenAddress;
use Stampede\Dashboard\Access;
use Stampede\Dashboard\Dashboard;
use Stampede\DevTools\FileWatcher;
use Stampede\Exception\LaunchException;
use Stampede\Health\Listener;
use Stampede\Health\Supervisor;
use Stampede\Https\CertificateWatch;
use Stampede\Https\HttpsSettings;
use Stampede\Log\Logger;
use Stampede\Metrics\Page;
use Stampede\Supervisor\BackgroundCommand;
use Swoole\Http\Server;

/** What the first process of the server does besides supervising: it tells where the server is, and watches files, certificates and reloads. */
final class SupervisorSubscriber implements ServerSubscriber
{
    private ?FileWatcher $watcher = null;
    private ?CertificateWatch $certificates = null;
    private ?Renewals $renewals = null;
    private ?Listener $health = null;

    /**
     * @param string $stateFile where commands find the server
     * @param list<BackgroundCommand> $background
     */
    public function __construct(
        private readonly ServedApplication $application,
        private readonly SharedState $shared,
        private readonly ServerDescription $description,
        private readonly Logger $logger,
        private readonly string $stateFile,
        private readonly array $background,
    ) {}

    public function subscribe(Server $server): void
    {
        $server->on('start', $this->start(...));
        $server->on('beforeShutdown', fn () => $this->health?->announceStop());
        $server->on('shutdown', $this->stop(...));
        $server->on('beforeReload', $this->shared->failure->clear(...));
        $server->on('afterReload', $this->announceReload(...));
        $server->on('workerError', $this->noteWorkerError(...));
    }

    private function start(Server $server): void
    {
        try {
            $this->description->state($server)->write($this->stateFile);
            $this->startHealth($server);
        } catch (LaunchException $failure) { // a server that cannot be found or watched does not stay
            $this->shared->phase->fail();
            $this->logger->error($failure->getMessage());
            $server->shutdown();
            return;
        }
        $isOver = fn (): bool => $this->shared->phase->get() !== Phase::Starting;
        BootProgress::show($this->application->project->entry, $this->application->bootTimeout(), $isOver, $this->logger);
        if ($this->application->options->is('watch')) {
            $this->watchFiles($server);
        }
        if ($this->application->https !== null) {
            $this->watchCertificates($server, $this->application->https);
        }
    }

    private function startHealth(Server $server): void
    {
        $address = $this->application->options->text('health-listen');
        if ($address !== '') {
            $supervisor = new Supervisor((string) $server->setting['control_socket']);
            $facts = fn (): array => $this->facts($server);
            $access = Access::of($this->application->options);
            $dashboard = $access === null ? null : new Dashboard($access, $supervisor->ask(...), $facts);
            $this->health = new Listener(ListenAddress::parse($address), $supervisor, $facts, new Page(fn (): array => $this->certificates?->certificates()->facts() ?? []), $dashboard);
            $this->health->start();
        }
    }

    /** @return array<string, mixed> for those who watch over the server */
    private function facts(Server $server): array
    {
        $state = $this->description->state($server);
        return ['pid' => $state->pid, 'urls' => $state->urls, 'directory' => $state->directory, 'kind' => $state->kind, 'isolation' => $state->isolation,
            'workers' => $state->workers, 'started_at' => $state->startedAt, 'certificates' => $this->certificates?->certificates()->facts() ?? []];
    }

    private function watchFiles(Server $server): void
    {
        $this->watcher = new FileWatcher(
            $this->application->project->directory,
            $server->reload(...),
            $this->shared->failure->set(...),
            fn () => $this->shared->pages?->changed(),
            $this->logger,
        );
        $this->watcher->start();
    }

    private function watchCertificates(Server $server, HttpsSettings $https): void
    {
        $this->certificates = new CertificateWatch($https->certificates, $this->application->options, $server->reload(...), $this->logger);
        $this->certificates->start();
        if ($https->acme !== null && $https->proof !== null) {
            $this->renewals = new Renewals($https->acme, $https->proof, $this->certificates->compare(...), $this->logger);
            $this->renewals->start();
        }
    }

    private function stop(): void
    {
        $this->watcher?->stop();
        $this->certificates?->stop();
        $this->renewals?->stop();
        $this->health?->stop();
        @unlink($this->stateFile);
    }

    private function announceReload(): void
    {
        $this->shared->pages?->changed();
        foreach ($this->background as $command) {
            $command->reload();
        }
    }

    private function noteWorkerError(Server $server): void
    {
        if ($this->shared->phase->become(Phase::Failed)) {
            $this->logger->error('The application does not boot: its worker ended, see the message before.');
            $server->shutdown();
        }
    }
}
