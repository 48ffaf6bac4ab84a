<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Launcher\LaunchException;
use Symfony\Component\Console\Application as ConsoleApplication;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Throwable;

/** The command stampede. */
final class Application extends ConsoleApplication
{
    public function __construct()
    {
        parent::__construct('Stampede', (string) phpversion('stampede'));
        $this->addCommands([
            new ServeCommand(),
            new StatusCommand(),
            new ReloadCommand(),
            new ScaleCommand(),
            new StopCommand(),
            new ConfigCommand(),
            new InitCommand(),
            new NginxCommand(),
            new CheckCommand(),
        ]);
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

    /** What the user can mend is one sentence. */
    public function renderThrowable(Throwable $e, OutputInterface $output): void
    {
        if ($e instanceof LaunchException && !$output->isVerbose()) {
            $output->writeln($e->getMessage(), OutputInterface::OUTPUT_RAW);
            return;
        }
        parent::renderThrowable($e, $output);
    }
}
