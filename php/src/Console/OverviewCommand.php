<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\Project;
use Stampede\Config\Configuration;
use Stampede\Config\ConfigurationLoader;
use Stampede\Config\DirectoryPath;
use Stampede\Config\Machine;
use Stampede\Exception\LaunchException;
use Stampede\Supervisor\ServerStateFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** What the command says without arguments: what is here, what it would do with it, and what to try. */
#[AsCommand('overview', 'says what is in this folder and what to do with it', hidden: true)]
final class OverviewCommand extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $directory = DirectoryPath::absolute('.');
        $output->writeln('Stampede ' . phpversion('stampede') . ', PHP ' . PHP_VERSION . "\n");
        try {
            $options = ConfigurationLoader::load([], getenv(), $directory);
            $this->describe($output, Project::find($directory, $options), $options);
        } catch (LaunchException $failure) {
            $output->writeln($failure->getMessage() . "\n", OutputInterface::OUTPUT_RAW);
            $this->try($output, ['serve FOLDER' => 'serve the application of another folder', 'doctor' => 'is this machine fit for a server', 'list' => 'all commands']);
        }
        return self::SUCCESS;
    }

    private function describe(OutputInterface $output, Project $project, Configuration $options): void
    {
        $output->writeln("{$project->directory} is {$project->application->type->title()}: {$project->because}.", OutputInterface::OUTPUT_RAW);
        $running = ServerStateFile::find($project->directory, $options);
        if ($running !== null) {
            $output->writeln('It is served on ' . implode(', ', $running->urls) . ".\n", OutputInterface::OUTPUT_RAW);
            $this->try($output, ['status' => 'its processes and their state', 'top' => 'what it does now, and what each request waits for', 'reload' => 'load new code without losing a request', 'stop' => 'end it after the requests under way']);
            return;
        }
        $workers = $options->workers();
        $output->writeln(sprintf("It would be served on %s by %d worker%s (%s), isolation %s: %s.\n", implode(', ', $options->list('listen')), $workers, $workers === 1 ? '' : 's', Machine::here(), $project->isolation->value, $project->isolationBecause), OutputInterface::OUTPUT_RAW);
        $this->try($output, ['serve --watch' => 'develop: reload when a file changes', 'serve --env=prod' => 'as in production', 'doctor' => 'is this machine fit for a server']);
    }

    /** @param array<string, string> $commands */
    private function try(OutputInterface $output, array $commands): void
    {
        foreach ($commands as $command => $meaning) {
            $output->writeln('  <info>' . str_pad("stampede {$command}", 28) . "</info> {$meaning}");
        }
    }
}
