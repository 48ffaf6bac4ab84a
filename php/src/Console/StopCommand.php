<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Supervisor\ServerStateFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('stop', 'stops the server after the requests that are under way')]
final class StopCommand extends Command
{
    protected function configure(): void
    {
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $directory = Arguments::directory($input);
        $options = Arguments::options($input);
        $server = ServerStateFile::find($directory, $options);
        if ($server === null) {
            $theirs = ServerStateFile::ofAnotherUser($directory, $options);
            $output->writeln($theirs ?? "{$directory} is not served.");
            return $theirs === null ? self::SUCCESS : self::FAILURE;
        }
        $patience = $server->patience();
        $output->isDecorated() && $output->writeln(sprintf('Process %d is told to end. It serves on while balancers notice (--drain) and finishes its requests, for %d seconds at most.', $server->pid, $patience));
        if (!$server->stop($patience)) {
            $output->writeln(sprintf('Process %d has not ended within %d seconds.', $server->pid, $patience));
            return self::FAILURE;
        }
        $output->writeln("Process {$server->pid} has ended.");
        return self::SUCCESS;
    }
}
