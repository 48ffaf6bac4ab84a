<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Launcher\RunningServer;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('reload', 'replaces the workers one after another, with the code as it is now')]
final class ReloadCommand extends Command
{
    private const RELOAD = 10; // SIGUSR1

    protected function configure(): void
    {
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $directory = Arguments::directory($input);
        $server = RunningServer::read(RunningServer::fileOf($directory, Arguments::options($input)));
        if ($server === null) {
            $output->writeln("{$directory} is not served.");
            return self::FAILURE;
        }
        posix_kill($server->pid, self::RELOAD);
        $output->writeln("Process {$server->pid} replaces its workers.");
        return self::SUCCESS;
    }
}
