<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Doctor\Examination;
use Stampede\Doctor\Finding;
use Stampede\Doctor\Verdict;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('doctor', 'looks at PHP, limits, the kernel, rights and ports, and says what to change')]
final class DoctorCommand extends Command
{
    private const MARKS = ['good' => '<info>ok</info>     ', 'advice' => '<comment>advice</comment> ', 'problem' => '<error>problem</error>'];

    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text', ['text', 'json']);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $wantsJson = Arguments::wantsJson($input);
        $findings = Examination::of(Arguments::directory($input), Arguments::options($input))->findings();
        $all = array_merge(...array_values($findings));
        $count = static fn (Verdict $verdict): int => count(array_filter($all, static fn (Finding $finding): bool => $finding->verdict === $verdict));
        if ($wantsJson) {
            $output->writeln(json_encode(['problems' => $count(Verdict::Problem), 'findings' => $findings], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);
        } else {
            foreach ($findings as $subject => $list) {
                foreach ($list as $finding) {
                    $output->write(self::MARKS[$finding->verdict->value] . ' ');
                    $output->writeln(str_pad("{$subject}:", 12) . $finding->text . ($finding->advice === '' ? '' : "\n" . str_repeat(' ', 20) . wordwrap($finding->advice, 60, "\n" . str_repeat(' ', 20))), OutputInterface::OUTPUT_RAW);
                }
            }
            $output->writeln($count(Verdict::Problem) === 0 ? "\nA server can be started here." . ($count(Verdict::Advice) === 0 ? '' : ' What is marked with "advice" would make it better.') : "\n{$count(Verdict::Problem)} of these would keep a server from working.", OutputInterface::OUTPUT_RAW);
        }
        return $count(Verdict::Problem) === 0 ? self::SUCCESS : self::FAILURE;
    }
}
