<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\ApplicationEnvironment;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Application\Project;
use Stampede\Application\RouteTable;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Config\Machine;
use Stampede\Config\ProcessIdentity;
use Stampede\Doctor\Finding;
use Stampede\Doctor\RightsCheck;
use Stampede\Doctor\Verdict;
use Stampede\Https\HttpsSettings;
use Stampede\Php\PhpSettings;
use Symfony\Component\Console\Output\OutputInterface;

/** What the user is told before the server starts: what was found, what it means, and what deserves a warning. */
final readonly class StartReport
{
    public function __construct(private Project $project, private Configuration $options, private OutputInterface $output) {}

    public function write(RouteTable $routes, PhpSettings $php): void
    {
        $this->writeApplication($routes);
        $this->writeIneffective($routes);
        $workers = $this->options->workers();
        $this->output->writeln(sprintf('<info>%d</info> worker%s (%s), environment %s.', $workers, $workers === 1 ? '' : 's', Machine::here(), $this->options->text('env')));
        $this->writeEnvironment();
        foreach (HttpsSettings::of($this->options)?->remarks() ?? [] as $remark) {
            $this->writePlain($remark);
        }
        $this->writePlain($php->sentence());
        $warning = ProcessIdentity::warning($this->options, $this->project->directory);
        if ($warning !== null) {
            $this->output->writeln($warning);
        }
        $this->writeMissingRights();
    }

    /** Of another user than this one: the start itself would not meet them. */
    private function writeMissingRights(): void
    {
        $user = $this->options->text('user');
        $findings = $user === '' ? [] : (new RightsCheck($this->project, $user))->findings();
        foreach (array_filter($findings, static fn (Finding $finding): bool => $finding->verdict === Verdict::Problem) as $finding) {
            $this->writePlain("{$finding->text}. {$finding->advice}");
        }
    }

    private function writePlain(string $sentence): void
    {
        $this->output->writeln($sentence, OutputInterface::OUTPUT_RAW);
    }

    private function writeApplication(RouteTable $routes): void
    {
        $this->output->writeln("<info>{$this->project->directory}</info> is {$this->project->application->type->title()}: {$this->project->because}.");
        if ($this->project->doubt !== '') {
            $this->writePlain($this->project->doubt);
        }
        $this->output->writeln("Isolation <info>{$this->project->isolation->value}</info>: {$this->project->isolationBecause}.");
        foreach (array_filter(IsolationMode::cases(), $routes->uses(...)) as $isolation) {
            $shared = $isolation->shares();
            if ($shared !== null) {
                $this->output->writeln("With the isolation {$isolation->value} the requests of a worker share {$shared}.");
            }
        }
        if ($routes->uses(IsolationMode::Process) && $this->project->kind !== ApplicationKind::Plain && $this->options->get('warm-up') === []) {
            $this->output->writeln('With the isolation process each request loads the classes that it needs again; --warm-up=/path loads those of a path once.');
        }
    }

    private function writeIneffective(RouteTable $routes): void
    {
        if ($this->options->source('processes') !== 'default' && !$routes->uses(IsolationMode::Process)) {
            $this->output->writeln('--processes has no effect here: requests are handled in the workers.');
        }
        if ($this->options->is('daemon') && $this->options->text('log-file') === '') {
            $this->output->writeln('Nothing is logged: a daemon has no standard error. --log-file=FILE names a file.');
        }
        if ($this->options->text('preload') !== '' && !$this->project->runsScripts($this->options)) {
            $this->output->writeln('--preload has no effect here: it is for the processes of plain applications.');
        }
    }

    private function writeEnvironment(): void
    {
        $environment = $this->options->text('env');
        $wish = $this->options->source('env') === 'default' ? ApplicationEnvironment::production($this->project->directory) : null;
        if ($wish !== null) {
            $this->output->writeln("<comment>{$wish} says that the application is in production, and this server is in development, where errors show source code: give --env=prod, or --env=dev to say that it is meant so.</comment>");
        }
        foreach ($environment === 'prod' ? [] : $this->options->list('listen') as $address) {
            if (!ListenAddress::parse($address)->isLocal()) {
                $this->output->writeln("<comment>{$address} can be reached by others, and in the environment {$environment} errors show source code: give --env=prod, or listen on 127.0.0.1.</comment>");
            }
        }
    }
}
