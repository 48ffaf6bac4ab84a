<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Acme\PageProof;
use Stampede\Broadcast;
use Stampede\Endpoint\AllowedOrigins;
use Stampede\Endpoint\Endpoints;
use Stampede\Exception\ServerException;
use Stampede\Log\ExceptionFormatter;
use Stampede\Process\ProcessRunner;
use Stampede\Process\ProcessRunnerFactory;
use Stampede\Process\ZygoteClient;
use Stampede\Telemetry\Instrumentation;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;
use Swoole\Timer;
use Throwable;

use function Stampede\answer_growth;
use function Stampede\run_in_batches;

/** The life of each worker, and its requests. */
final class WorkerSubscriber implements ServerSubscriber
{
    private const WAIT_TIME = 3.0; // seconds, max_wait_time of a server that was not told

    private readonly ?PageProof $proof; // that an authority asks for
    private ?WorkerKernel $kernel = null; // null: the worker is still starting
    private ?ProcessRunner $processes = null;
    private ?GrowthMeasurement $growth = null; // null: requests leave nothing behind in this process

    public function __construct(
        private readonly ServedApplication $application,
        private readonly SharedState $shared,
        private readonly Generation $generation,
        private readonly ProcessRunnerFactory $processRunners,
        private readonly BootSubscriber $boot,
        private readonly ServerDescription $description,
        private readonly Logs $logs,
    ) {
        $proof = $application->https?->proof;
        $this->proof = $proof instanceof PageProof ? $proof : null;
    }

    public static function waitTime(Server $server): float
    {
        return (float) ($server->setting['max_wait_time'] ?? self::WAIT_TIME);
    }

    public function subscribe(Server $server): void
    {
        $server->on('workerStart', $this->start(...));
        $server->on('pipeMessage', static fn (Server $server, int $from, mixed $message) => Broadcast::receive($message));
        $server->on('request', $this->handle(...));
        $server->on('workerExit', function (Server $server): void {
            $this->processes?->leave();
            $this->growth?->stop();
            $this->kernel?->leave(self::waitTime($server));
        });
        $server->on('workerStop', function (): void {
            $this->kernel?->reportLeaks();
            Instrumentation::finish();
        });
    }

    private function handle(Request $request, Response $response): void
    {
        if ($this->proof?->handle($request, $response) === true) {
            return;
        }
        if ($this->kernel !== null) {
            $this->kernel->handle($request, $response);
            return;
        }
        $response->status(503);
        $response->header('Retry-After', '1');
        $response->end("The application is still starting in this worker.\n");
    }

    private function start(Server $server): void
    {
        $this->logs->process->setWorker($server->worker_id);
        Broadcast::join($server, $this->logs->process);
        try {
            chdir($this->application->project->directory);
            $this->kernel = $this->kernel($server);
            $this->growth = $this->generation->runner() === null ? null : new GrowthMeasurement($this->kernel);
            answer_growth($this->growth === null ? null : $this->growth->answer(...));
        } catch (Throwable $failure) {
            $this->shared->failure->set(ExceptionFormatter::sentence($failure));
            $this->boot->fail($server, '');
            if ($this->shared->phase->get() === Phase::Serving) {
                throw new ServerException('this worker is not used', 0, $failure);
            }
            return;
        }
        // A timer runs once this worker accepts connections.
        Timer::after(1, function () use ($server): void {
            if ($this->shared->phase->become(Phase::Serving)) {
                $this->logs->user()->notice($this->description->sentence($server));
                $this->logs->announceService();
            }
        });
    }

    private function kernel(Server $server): WorkerKernel
    {
        $runner = $this->generation->runner();
        $zygote = $this->generation->zygote();
        $this->processes = $zygote === null ? null : $this->openProcesses($server, $zygote);
        if ($runner !== null) {
            Instrumentation::begin($this->logs->process, $this->application->options->is('trace-values'));
        } else {
            ini_set('memory_limit', '-1'); // the application has its own in its processes; here are the bodies of many requests
        }
        $endpoints = Endpoints::load($this->application->endpointsFile(), AllowedOrigins::parse($this->application->options->text('origins')));
        return WorkerKernel::create($this->application, $this->shared, $this->logs, new WorkerParts($server, $runner, $this->processes, $endpoints));
    }

    private function openProcesses(Server $server, ZygoteClient $zygote): ProcessRunner
    {
        $runner = $this->processRunners->runner($zygote, function () use ($server): void {
            $this->logs->process->error('The process that forks those of requests has ended: its worker is replaced.');
            $server->stop($server->worker_id);
        });
        if (!$runner->open()) {
            if ($zygote->miss()) {
                $this->logs->process->error(ZygoteClient::GONE . ' It is booted again.');
                $server->reload();
            }
            throw new ServerException(ZygoteClient::GONE);
        }
        if (!$this->application->isPlain()) { // processes that run scripts lose more by waiting for the worker than it gains
            run_in_batches();
        }
        return $runner;
    }
}
