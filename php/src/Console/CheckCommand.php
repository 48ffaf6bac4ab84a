<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Application\Project;
use Stampede\Exception\ConfigurationException;
use Stampede\Php\PhpProgram;
use Stampede\Php\PhpSettings;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('check', 'boots the application, gives it requests, and says which isolation fits')]
final class CheckCommand extends Command
{
    private const ROUNDS = 20;
    private const TIME = 60.0;
    private const LARGEST = 1 << 20; // bytes of a report
    private const OF_ISOLATION = ['declaration', 'fatal', 'later failure', 'state', 'ini']; // kinds of findings

    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('path', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'what to request with GET', ['/']);
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $wantsJson = Arguments::wantsJson($input);
        $options = Arguments::options($input);
        $project = Project::find(Arguments::directory($input), $options);
        $paths = array_values((array) $input->getOption('path'));
        foreach ($paths as $path) {
            if (!str_starts_with((string) $path, '/')) {
                throw new ConfigurationException("The path \"{$path}\" must start with \"/\".");
            }
        }
        $report = $project->entry === '' ? ['handled' => 0, 'findings' => []] : self::perform(PhpSettings::of($options)->arguments, [
            'directory' => $project->directory,
            'application' => $project->application->facts(),
            'environment' => $options->text('env'),
            'paths' => $paths,
            'rounds' => self::ROUNDS,
        ]);
        $safe = $project->entry === '' ? [IsolationMode::Process->value] : self::safe($project->kind, array_column($report['findings'], 'kind'));
        $isSafe = in_array($project->isolation->value, $safe, true);
        if ($wantsJson) {
            $output->writeln(json_encode(['directory' => $project->directory, 'bridge' => $project->kind->value, 'isolation' => $project->isolation->value, 'safe' => $safe] + $report, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);
        } else {
            $output->writeln("{$project->directory} is {$project->application->type->title()}; {$report['handled']} requests.", OutputInterface::OUTPUT_RAW);
            foreach ($report['findings'] as $finding) {
                $output->writeln("- {$finding['text']}", OutputInterface::OUTPUT_RAW);
            }
            $output->writeln($safe === [] ? 'No isolation is safe as it is.' : 'Safe: ' . implode(', ', $safe) . '.', OutputInterface::OUTPUT_RAW);
            $output->writeln("stampede serve uses {$project->isolation->value}" . ($isSafe ? '.' : ', which is not safe here.'), OutputInterface::OUTPUT_RAW);
        }
        return $report['findings'] === [] || (self::aboutIsolation($report['findings']) && $isSafe) ? self::SUCCESS : self::FAILURE;
    }

    /**
     * Whether what was found concerns requests that run in one process one after another, and nothing else.
     *
     * @param list<array{kind: string, text: string}> $findings
     */
    private static function aboutIsolation(array $findings): bool
    {
        return array_diff(array_column($findings, 'kind'), self::OF_ISOLATION) === [];
    }

    /**
     * @param list<string> $kinds of findings
     * @return list<string>
     */
    private static function safe(ApplicationKind $kind, array $kinds): array
    {
        if (in_array('boot', $kinds, true)) {
            return [];
        }
        $ends = array_intersect($kinds, ['declaration', 'fatal', 'later failure']) !== [];
        $stays = array_intersect($kinds, ['state', 'ini']) !== [];
        return array_values(array_filter([
            $kind === ApplicationKind::Psr15 && !$ends && !$stays ? IsolationMode::Coroutine->value : '',
            !$ends && !$stays ? IsolationMode::Sequential->value : '',
            !in_array('descriptor', $kinds, true) ? IsolationMode::Process->value : '',
        ]));
    }

    /**
     * @param list<string> $settings of the command php
     * @param array<string, mixed> $facts
     * @return array{handled: int, findings: list<array{kind: string, text: string}>}
     */
    private static function perform(array $settings, array $facts): array
    {
        $php = new PhpProgram(dirname(__DIR__) . '/Diagnostics/check.php', [...$settings, '-d', 'swoole.blocking_detection=1']);
        $program = proc_open($php->command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], 3 => ['pipe', 'w']], $pipes, null, PhpProgram::environment($facts));
        if ($program === false) {
            throw new ConfigurationException('The program that checks the application cannot be started.');
        }
        stream_set_blocking($pipes[3], false);
        $text = '';
        for ($until = microtime(true) + self::TIME; !feof($pipes[3]) && strlen($text) < self::LARGEST;) {
            $readable = [$pipes[3]];
            $none = null;
            if (microtime(true) > $until) {
                proc_terminate($program, 9);
                throw new ConfigurationException('The application did not boot and handle its requests in ' . self::TIME . ' seconds.');
            }
            if (@stream_select($readable, $none, $none, 1)) {
                $text .= (string) fread($pipes[3], 65536);
            }
        }
        proc_close($program);
        /** @var array{handled: int, findings: list<array{kind: string, text: string}>}|null $report */
        $report = json_decode($text, true);
        if (!is_array($report)) {
            $report = ['handled' => 0, 'findings' => [['kind' => 'fatal', 'text' => 'The process of the application ended without a word.']]];
        }
        return $report;
    }
}
