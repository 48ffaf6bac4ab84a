<?php

declare(strict_types=1);

namespace Stampede\Console;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('scale', 'changes the number of workers, from 1 to what --workers was at the start')]
final class ScaleCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('number', InputArgument::REQUIRED, 'how many workers there are from now on');
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $number = (string) $input->getArgument('number');
        if (!ctype_digit($number)) {
            $output->writeln("The number of workers is a whole number, not \"{$number}\".");
            return self::FAILURE;
        }
        $server = Arguments::server($input, $output);
        if ($server === null) {
            return self::FAILURE;
        }
        $response = $server->call(['command' => 'scale', 'number' => (int) $number]);
        if (!isset($response['workers'])) {
            $output->writeln('The number of workers stays: ' . ($response['error'] ?? 'the control socket of the server does not respond') . '.');
            return self::FAILURE;
        }
        $output->writeln("Process {$server->pid} has {$response['workers']} of {$response['places']} workers from now on.");
        return self::SUCCESS;
    }
}
