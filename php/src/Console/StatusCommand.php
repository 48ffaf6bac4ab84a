<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Exception\LaunchException;
use Stampede\Supervisor\ServerStateFile;
use Stampede\Tls\Certificate;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('status', 'says whether the application is served, where and by which processes')]
final class StatusCommand extends Command
{
    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $wantsJson = Arguments::wantsJson($input);
        $directory = Arguments::directory($input);
        $options = Arguments::options($input);
        $server = ServerStateFile::find($directory, $options);
        if ($wantsJson) {
            $facts = $server === null ? ['running' => false] : ['running' => true] + get_object_vars($server) + ['state' => $server->state(), 'processes' => self::children($server->pid), 'places' => $server->ask('workers')['workers'] ?? null, 'generation' => $server->generation()];
            $output->writeln(json_encode($facts, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR));
            return $server === null ? self::FAILURE : self::SUCCESS;
        }
        if ($server === null) {
            $output->writeln(ServerStateFile::ofAnotherUser($directory, $options) ?? "{$directory} is not served.");
            return self::FAILURE;
        }
        $output->writeln(sprintf('<info>%s</info> (%s, %s) on %s', $server->directory, $server->kind, $server->isolation, implode(', ', $server->urls)));
        $since = date('Y-m-d H:i:s', $server->startedAt);
        $workers = $server->ask('workers')['workers'] ?? null;
        if (!is_array($workers)) { // a server without a control socket, or one that is busy
            $output->writeln(sprintf('process %d since %s, workers %s', $server->pid, $since, implode(', ', self::children($server->pid))));
            return self::SUCCESS;
        }
        $state = $server->state();
        $output->writeln("process {$server->pid} since {$since}" . (in_array($state, ['', 'serving'], true) ? '' : ", {$state}"));
        $generation = $server->generation();
        if ($generation !== null) {
            $output->writeln("generation {$generation->present}" . ($generation->bootProcess > 0 ? ", loaded by process {$generation->bootProcess}" : '') . ($generation->loading ? '; the next one is being loaded' : ''));
        }
        if ($generation !== null && $generation->failure !== '') {
            $output->writeln("The newest code is not served: {$generation->failure}", OutputInterface::OUTPUT_RAW);
        }
        foreach ([...$server->beside, ...array_map(self::certificate(...), $server->certificates)] as $line) {
            $output->writeln($line, OutputInterface::OUTPUT_RAW);
        }
        $table = new Table($output);
        $table->setStyle('compact')->setHeaders(['worker', 'pid', 'state', 'requests', 'in progress', 'connections', 'memory', 'age']);
        foreach ($workers as $worker) {
            $table->addRow([
                $worker['kind'] === 'worker' ? $worker['id'] : "{$worker['id']} ({$worker['kind']})",
                $worker['pid'],
                $worker['state'],
                $worker['requests'] ?? '',
                $worker['concurrency'] ?? '',
                $worker['connections'] ?? '',
                isset($worker['rss']) ? sprintf('%.1f MiB', $worker['rss'] / 1024 / 1024) : '',
                isset($worker['age']) ? self::age($worker['age']) : '',
            ]);
        }
        $table->render();
        return self::SUCCESS;
    }

    /** @param array{string, string} $files of the certificate and its key */
    private static function certificate(array $files): string
    {
        try {
            $certificate = Certificate::read(...$files);
        } catch (LaunchException $failure) {
            return $failure->getMessage();
        }
        return sprintf('certificate for %s: %d days left (%s)', implode(', ', $certificate->names), $certificate->daysLeft(), $certificate->file);
    }

    /** Hours, minutes and seconds. */
    private static function age(int $seconds): string
    {
        return sprintf('%d:%02d:%02d', intdiv($seconds, 3600), intdiv($seconds, 60) % 60, $seconds % 60);
    }

    /** @return list<int> */
    private static function children(int $pid): array
    {
        $text = trim((string) @file_get_contents("/proc/{$pid}/task/{$pid}/children"));
        return $text === '' ? [] : array_map('intval', explode(' ', $text));
    }
}
