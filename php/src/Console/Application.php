<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Config\Suggestion;
use Stampede\Exception\ConfigurationException;
use Stampede\Exception\LaunchException;
use Symfony\Component\Console\Application as ConsoleApplication;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Exception\ExceptionInterface as ConsoleException;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/** The command stampede. */
final class Application extends ConsoleApplication
{
    private ?string $command = null;

    public function __construct()
    {
        parent::__construct('Stampede', (string) phpversion('stampede'));
        $this->addCommands([
            new ServeCommand(),
            new StatusCommand(),
            new TopCommand(),
            new ProfileCommand(),
            new MemoryCommand(),
            new LeaksCommand(),
            new ReloadCommand(),
            new ScaleCommand(),
            new StopCommand(),
            new ConfigCommand(),
            new InitCommand(),
            new NginxCommand(),
            new CheckCommand(),
            new DoctorCommand(),
            new OverviewCommand(),
        ]);
        $this->setDefaultCommand('overview');
    }

    /** Without a terminal there is no size to ask for: the console would start stty twice to learn that, and then assume this one. */
    public function run(?InputInterface $input = null, ?OutputInterface $output = null): int
    {
        foreach (stream_isatty(STDIN) ? [] : ['LINES' => 50, 'COLUMNS' => 80] as $name => $size) {
            if (getenv($name) === false) {
                putenv("$name=$size");
            }
        }
        return parent::run($input, $output);
    }

    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        $this->command = $input->getFirstArgument();
        try {
            $this->command === null || $this->find($this->command);
        } catch (CommandNotFoundException) {
            $names = array_values(array_diff(array_keys($this->all()), ['_complete', 'completion']));
            throw new ConfigurationException("There is no command \"{$this->command}\"" . (Suggestion::for($this->command, $names) ?: ': there are ' . implode(', ', $names)) . '.');
        }
        $help = $this->helpFor($input);
        if ($help !== '') {
            $output->writeln($help, OutputInterface::OUTPUT_RAW);
            return 0;
        }
        return parent::doRun($input, $output);
    }

    /** One screen in place of all options, unless somebody wants them all; empty: the console has its own. */
    private function helpFor(InputInterface $input): string
    {
        $isVerbose = $input->hasParameterOption(['--verbose', '-v', '-vv', '-vvv'], true);
        $asksForIt = $input->hasParameterOption(['--help', '-h'], true);
        return $this->command !== null && $asksForIt && !$isVerbose ? CommandHelp::of($this->find($this->command)) : '';
    }

    /** What the user can mend is one sentence. */
    public function renderThrowable(Throwable $e, OutputInterface $output): void
    {
        $sentence = $output->isVerbose() ? null : $this->sentence($e);
        if ($sentence !== null) {
            $output->writeln($sentence, OutputInterface::OUTPUT_RAW);
            return;
        }
        parent::renderThrowable($e, $output);
    }

    private function sentence(Throwable $e): ?string
    {
        if ($e instanceof LaunchException) {
            return $e->getMessage();
        }
        if (!$e instanceof ConsoleException) {
            return null;
        }
        if (preg_match('/^The "-{1,2}([^"]*)" option does not exist/', $e->getMessage(), $found) === 1) {
            return "There is no option \"--{$found[1]}\"" . Suggestion::for("--{$found[1]}", $this->optionNames()) . '.';
        }
        return rtrim(explode("\n", trim($e->getMessage()))[0], '.') . '.';
    }

    /** @return list<string> of the command that runs */
    private function optionNames(): array
    {
        $command = $this->command === null ? null : $this->find($this->command);
        return array_map(static fn (int|string $name): string => "--{$name}", array_keys(($command?->getDefinition() ?? $this->getDefinition())->getOptions()));
    }
}
