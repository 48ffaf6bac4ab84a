<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Exception\ConfigurationException;
use Stampede\Supervisor\ServerStateFile;
use Stampede\Top\Activity;
use Stampede\Top\Monitor;
use Stampede\Top\Page;
use Stampede\Top\Snapshot;
use Stampede\Top\Terminal;
use Stampede\Top\View;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('top', 'shows what the server does: rates, latencies, workers, and each request in work with what it waits for')]
final class TopCommand extends Command
{
    private const WIDTH = 160; // of text that is no terminal's
    private const HEIGHT = 16; // of what is not a process or a request

    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('once', null, InputOption::VALUE_NONE, 'look at one interval, print it and end');
        $this->addOption('interval', null, InputOption::VALUE_REQUIRED, 'seconds between two looks', '1');
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json, with --once', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $wantsJson = Arguments::wantsJson($input);
        $interval = $input->getOption('interval');
        if (!is_numeric($interval) || $interval < 0.1 || $interval > 3600) {
            throw new ConfigurationException("The option \"interval\" must be seconds from 0.1 to 3600, not \"{$interval}\".");
        }
        $directory = Arguments::directory($input);
        $options = Arguments::options($input);
        $server = ServerStateFile::find($directory, $options);
        $first = $server === null ? null : Snapshot::take($server);
        if ($server === null || $first === null) {
            $output->writeln($server !== null ? "{$directory} is served, but its control socket does not respond." : (ServerStateFile::ofAnotherUser($directory, $options) ?? "{$directory} is not served."));
            return self::FAILURE;
        }
        if ($input->getOption('once') || $wantsJson) {
            return self::once($server, $first, (float) $interval, $wantsJson, $output);
        }
        $terminal = new Terminal();
        if (!Terminal::isThere() || !$terminal->open()) {
            $output->writeln('This needs a terminal: use --once, or --once --format=json.');
            return self::FAILURE;
        }
        try {
            $why = (new Monitor($server, $terminal, (float) $interval, $first))->run();
        } finally {
            $terminal->close();
        }
        if ($why !== '') {
            $output->writeln($why);
        }
        return $why === '' ? self::SUCCESS : self::FAILURE;
    }

    private static function once(ServerStateFile $server, Snapshot $first, float $interval, bool $wantsJson, OutputInterface $output): int
    {
        usleep((int) ($interval * 1e6));
        $second = Snapshot::take($server);
        if ($second === null) {
            $output->writeln('The server does not respond any more.');
            return self::FAILURE;
        }
        $activity = Activity::between($first, $second);
        if ($wantsJson) {
            $output->writeln(json_encode($activity->facts(), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        $view = new View();
        $requests = $view->order->apply($second->requests, '');
        $lines = (new Page(self::WIDTH, self::HEIGHT + count($second->processes) + count($requests)))->lines($activity, $requests, $view, "{$server->directory}  {$server->isolation}");
        foreach (array_slice($lines, 0, -1) as $line) {
            $output->writeln(rtrim((string) preg_replace('/\e\[\d*m/', '', $line)), OutputInterface::OUTPUT_RAW);
        }
        return self::SUCCESS;
    }
}
