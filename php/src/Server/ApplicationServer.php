<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Config\ProcessIdentity;
use Stampede\Exception\ServerException;
use Stampede\Php\ExtensionLoader;
use Stampede\Process\ProcessRunnerFactory;
use Stampede\Runner\RunnerFactory;
use Stampede\Supervisor\BackgroundCommand;
use Stampede\Supervisor\CommandDefinition;
use Stampede\Supervisor\ServerStateFile;
use Swoole\Exception;

/** Puts the server of one application together, and runs it. */
final readonly class ApplicationServer
{
    public function __construct(private ServedApplication $application, private Logs $logs) {}

    /** Returns when the server has been stopped. @return bool whether it has served @throws ServerException when it cannot start */
    public function run(): bool
    {
        [$project, $options] = [$this->application->project, $this->application->options];
        $file = ServerStateFile::fileOf($project->directory, $options);
        $this->refuseSecond($file);
        ExtensionLoader::settings(); // read before the processes of the server have other titles
        $shared = new SharedState($this->application);
        $background = $this->background();
        $server = (new ServerFactory($this->application))->create();
        foreach ($background as $command) {
            $command->addTo($server, WorkerSubscriber::waitTime($server));
        }
        $runners = new RunnerFactory($project->application, $options->text('env'), $this->logs->failures, $this->logs->process);
        $processes = new ProcessRunnerFactory($project, $options, $this->application->routes->longest(), $this->logs->process);
        $generation = new Generation($this->application, $shared, $runners, $processes);
        $description = new ServerDescription($this->application);
        $boot = new BootSubscriber($this->application, $shared, $generation, $this->logs->user());
        $boot->subscribe($server);
        (new SupervisorSubscriber($this->application, $shared, $description, $this->logs->user(), $file, $background))->subscribe($server);
        (new WorkerSubscriber($this->application, $shared, $generation, $processes, $boot, $description, $this->logs))->subscribe($server);
        ProcessIdentity::of($options, $project->directory)?->setEnvironment();
        try {
            $server->start();
        } catch (Exception $exception) {
            throw new ServerException("The server cannot start: {$exception->getMessage()}.", 0, $exception);
        }
        return $shared->phase->get() !== Phase::Failed;
    }

    private function refuseSecond(string $file): void
    {
        ServerStateFile::demandPlace($file);
        $running = ServerStateFile::find($this->application->project->directory, $this->application->options);
        if ($running !== null) {
            throw new ServerException("This application is served already, by process {$running->pid} on " . implode(', ', $running->urls) . ': stop it with "stampede stop", or give another --pid-file.');
        }
    }

    /** @return list<BackgroundCommand> */
    private function background(): array
    {
        return array_map(
            fn (CommandDefinition $command): BackgroundCommand => new BackgroundCommand($command, $this->application->project->directory, $this->logs->process),
            CommandDefinition::all($this->application->options->background()),
        );
    }
}
