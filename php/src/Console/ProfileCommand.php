<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Exception\ConfigurationException;
use Stampede\Profile\Format;
use Stampede\Profile\Mode;
use Stampede\Profile\Profile;
use Stampede\Profile\Sampling;
use Stampede\Supervisor\ServerStateFile;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('profile', 'says where the time of the workers goes: functions and lines that compute, and what is waited for')]
final class ProfileCommand extends Command
{
    private const LONGEST = 3600;

    protected function configure(): void
    {
        $this->addArgument('seconds', InputArgument::REQUIRED, 'how long the workers are looked at');
        Arguments::add($this);
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text, collapsed (flame graphs), speedscope or pprof', 'text', array_column(Format::cases(), 'value'));
        $this->addOption('output', null, InputOption::VALUE_REQUIRED, 'the file that is written', '');
        $this->addOption('mode', null, InputOption::VALUE_REQUIRED, 'wall: what waits as well; cpu: what computes', 'wall', array_column(Mode::cases(), 'value'));
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $seconds = Arguments::number((string) $input->getArgument('seconds'), 'The number of seconds', self::LONGEST);
        $format = Format::from(Arguments::choice($input, 'format', array_column(Format::cases(), 'value')));
        $mode = Mode::from(Arguments::choice($input, 'mode', array_column(Mode::cases(), 'value')));
        $file = (string) $input->getOption('output');
        if ($format === Format::Pprof && $file === '' && stream_isatty(STDOUT)) {
            throw new ConfigurationException('The format pprof is no text: name a file with --output.');
        }
        $stream = $file === '' ? null : @fopen($file, 'c'); // before the time is spent
        if ($stream === false) {
            throw new ConfigurationException("The file {$file} cannot be written.");
        }
        $server = Arguments::server($input, $output);
        if ($server === null) {
            return self::FAILURE;
        }
        $profile = new Profile($mode, microtime(true));
        $this->sample($server, $profile, Arguments::places($input, $server, null), $seconds, $output);
        $written = $format->write($profile);
        if ($stream === null) {
            $output->write($written, false, OutputInterface::OUTPUT_RAW);
            return self::SUCCESS;
        }
        if (!ftruncate($stream, 0) || fwrite($stream, $written) !== strlen($written) || !fclose($stream)) {
            $output->writeln("The file {$file} cannot be written whole: is its disk full?", OutputInterface::OUTPUT_RAW);
            return self::FAILURE;
        }
        return self::SUCCESS;
    }

    /** @param list<int>|null $places */
    private function sample(ServerStateFile $server, Profile $profile, ?array $places, float $seconds, OutputInterface $output): void
    {
        $isStopped = false;
        pcntl_async_signals(true);
        pcntl_signal(SIGINT, static function () use (&$isStopped): void {
            pcntl_signal(SIGINT, SIG_DFL); // once more ends the command itself
            $isStopped = true;
        });
        $sampling = new Sampling($server, $profile, $places);
        $sampling->run($seconds, static function () use (&$isStopped): bool {
            return $isStopped;
        });
        $notes = $sampling->missing();
        if ($server->isolation === 'process') {
            $notes[] = 'The requests of this application run in processes of their own, which are not looked at: this is of the workers that pass them on.';
        }
        foreach ($notes as $note) {
            ($output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output)->writeln($note, OutputInterface::OUTPUT_RAW);
        }
    }
}
