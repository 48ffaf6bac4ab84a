<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\Project;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('nginx', 'prints a configuration of nginx in front of the server')]
final class NginxCommand extends Command
{
    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('port', null, InputOption::VALUE_REQUIRED, 'where nginx listens', '80');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = Arguments::options($input);
        $project = Project::find(Arguments::directory($input), $options);
        $alone = $options->addressesOfWorkers();
        $addresses = $alone !== [] ? $alone : $options->addresses();
        $configuration = new NginxConfiguration($project->application, $addresses, $alone !== []);
        $output->write($configuration->text((string) $input->getOption('port'), $options->number('max-body')), false, OutputInterface::OUTPUT_RAW);
        return self::SUCCESS;
    }
}
