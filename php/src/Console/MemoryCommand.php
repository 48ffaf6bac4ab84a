<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Exception\ConfigurationException;
use Stampede\Heap\Text;
use Stampede\Heap\Workers;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('memory', 'says what the memory of a worker holds, by class and by path, or what of it grew between two moments')]
final class MemoryCommand extends Command
{
    private const SUMMARY = 0;
    private const MARK = 1;
    private const GROWTH = 2;
    private const PATIENCE = 60; // seconds until so many requests must have come
    private const LONGEST = 86_400;
    private const MOST_PAUSE = 1500; // milliseconds; a worker has two seconds to answer

    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('for', null, InputOption::VALUE_REQUIRED, 'seconds between two moments that are compared');
        $this->addOption('requests', null, InputOption::VALUE_REQUIRED, 'the second moment is when each worker that is looked at has had so many more requests, or a minute later');
        $this->addOption('pause', null, InputOption::VALUE_REQUIRED, 'milliseconds that a worker may be held up by a look', '50');
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        [$for, $requests] = [$input->getOption('for'), $input->getOption('requests')];
        if ($for !== null && $requests !== null) {
            throw new ConfigurationException('Give --for or --requests, not both.');
        }
        $pause = (int) Arguments::number((string) $input->getOption('pause'), 'The pause', self::MOST_PAUSE);
        $seconds = $for === null ? null : Arguments::number((string) $for, 'The number of seconds', self::LONGEST);
        $count = $requests === null ? null : (int) Arguments::number((string) $requests, 'The number of requests', PHP_INT_MAX);
        $wantsJson = Arguments::wantsJson($input);
        $server = Arguments::server($input, $output);
        if ($server === null) {
            return self::FAILURE;
        }
        $workers = new Workers($server, Arguments::places($input, $server, 1), $pause);
        $found = $seconds === null && $count === null ? $workers->ask('heap', self::SUMMARY) : self::growth($workers, $seconds, $count);
        if ($wantsJson) {
            $output->writeln(json_encode(['workers' => $found], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        foreach ($found as $name => $heap) {
            $output->writeln(isset($heap['usage_before']) ? Text::ofGrowth((string) $name, $heap, $heap['requests']) : Text::ofMemory((string) $name, $heap), OutputInterface::OUTPUT_RAW);
        }
        return self::SUCCESS;
    }

    /** @return array<string, array<string, mixed>> */
    private static function growth(Workers $workers, ?float $seconds, ?int $count): array
    {
        $before = $workers->requests();
        $marked = $workers->ask('heap', self::MARK);
        if ($seconds !== null) {
            usleep((int) (1e6 * $seconds));
        }
        for ($until = microtime(true) + self::PATIENCE; $count !== null && microtime(true) < $until && self::fewest($workers, $marked, $before) < $count;) {
            usleep(200_000);
        }
        $grown = $workers->ask('heap', self::GROWTH);
        $after = $workers->requests();
        foreach ($grown as $name => $heap) {
            $grown[$name] += isset($heap['error']) ? [] : ['requests' => max(0, ($after[$name] ?? 0) - ($before[$name] ?? 0))];
            if (!isset($marked[$name])) {
                $grown[$name] = ['error' => 'has come meanwhile, in the place of another process'];
            }
        }
        return $grown;
    }

    /**
     * A worker that has ended meanwhile gets no more requests, and must not be waited for.
     *
     * @param array<string, array<string, mixed>> $marked
     * @param array<string, int> $before
     */
    private static function fewest(Workers $workers, array $marked, array $before): int
    {
        $now = array_intersect_key($workers->requests(), $marked);
        return $now === [] ? PHP_INT_MAX : min(array_map(static fn (string $name, int $requests): int => $requests - ($before[$name] ?? 0), array_keys($now), $now));
    }
}
