<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Heap\Text;
use Stampede\Heap\Workers;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('leaks', 'measures what each request leaves behind in a worker: by route, with the path that holds it')]
final class LeaksCommand extends Command
{
    private const MEASURE = 1;
    private const REPORT = 2;
    private const LONGEST = 86_400;
    private const MOST_PAUSE = 1500; // milliseconds
    private const STEP = 5.0; // seconds; a worker that is asked no more for six of them ends by itself

    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('for', null, InputOption::VALUE_REQUIRED, 'seconds that requests are measured', '30');
        $this->addOption('pause', null, InputOption::VALUE_REQUIRED, 'milliseconds that each of the two looks at a request may take', '250');
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $seconds = Arguments::number((string) $input->getOption('for'), 'The number of seconds', self::LONGEST);
        $pause = (int) Arguments::number((string) $input->getOption('pause'), 'The pause', self::MOST_PAUSE);
        $wantsJson = Arguments::wantsJson($input);
        $server = Arguments::server($input, $output);
        if ($server === null) {
            return self::FAILURE;
        }
        if ($server->isolation === 'process') {
            $output->writeln('The requests of this application run in processes of their own, which keep nothing from one to the next: there is nothing to measure.');
            return self::FAILURE;
        }
        $workers = new Workers($server, Arguments::places($input, $server, 1), $pause);
        $workers->ask('growth', self::MEASURE);
        for ($until = microtime(true) + $seconds; ($left = $until - microtime(true)) > 0;) {
            usleep((int) (1e6 * min(self::STEP, $left)));
            $workers->ask('growth', self::MEASURE);
        }
        $found = $workers->ask('growth', self::REPORT);
        $workers->ask('growth', Workers::STOP);
        if ($wantsJson) {
            $output->writeln(json_encode(['seconds' => $seconds, 'workers' => $found], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        foreach ($found as $name => $growth) {
            $output->writeln(Text::ofLeaks((string) $name, $growth, $seconds), OutputInterface::OUTPUT_RAW);
        }
        return self::SUCCESS;
    }
}
