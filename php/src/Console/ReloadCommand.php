<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Supervisor\GenerationStatus;
use Stampede\Supervisor\ServerStateFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('reload', 'loads the code as it is now and replaces the workers one after another; the code before goes on when that fails')]
final class ReloadCommand extends Command
{
    private const RELOAD = 10; // SIGUSR1
    private const PATIENCE = 60.0; // seconds, for the replacement of the workers
    private const PERIOD = 50_000; // microseconds

    protected function configure(): void
    {
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = Arguments::options($input);
        $server = Arguments::server($input, $output);
        if ($server === null) {
            return self::FAILURE;
        }
        $before = $server->generation();
        $server->signal(self::RELOAD);
        if ($before === null) { // a server without a control socket, or one that is busy
            $output->writeln("Process {$server->pid} replaces its workers.");
            return self::SUCCESS;
        }
        $after = $this->wait($server, $before->asked + 1, (float) $options->get('boot-timeout') + self::PATIENCE);
        if ($after === null || $after->settled <= $before->asked) {
            $output->writeln("Process {$server->pid} has not replaced its workers in time: see its log.");
            return self::FAILURE;
        }
        if ($after->failure !== '') {
            $output->writeln("The new code is not served, generation {$after->present} goes on: {$after->failure}", OutputInterface::OUTPUT_RAW);
            return self::FAILURE;
        }
        $output->writeln("Process {$server->pid} serves generation {$after->present}.");
        return self::SUCCESS;
    }

    /** Until it is known whether this generation serves. */
    private function wait(ServerStateFile $server, int $generation, float $patience): ?GenerationStatus
    {
        for ($until = microtime(true) + $patience; ($state = $server->generation()) !== null && $state->settled < $generation && microtime(true) < $until;) {
            usleep(self::PERIOD);
        }
        return $state;
    }
}
