<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\ApplicationEnvironment;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Application\Project;
use Stampede\Config\CacheRules;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Config\LogFormat;
use Stampede\Config\Machine;
use Stampede\Config\ProcessIdentity;
use Stampede\Endpoint\AllowedOrigins;
use Stampede\Https\HttpsSettings;
use Stampede\Php\PhpSettings;
use Stampede\Server\Server;
use Stampede\Server\ServerProcess;
use Stampede\Supervisor\BackgroundCommand;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('serve', 'serves the application of a folder')]
final class ServeCommand extends Command
{
    protected function configure(): void
    {
        Arguments::add($this);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $options = Arguments::options($input);
        $collected = self::collects($options) ? \Stampede\collect_output() : -1;
        $project = Project::find(Arguments::directory($input), $options);
        array_map(ListenAddress::parse(...), $options->list('listen'));
        Server::ofWorkers($options);
        $options->text('health-listen') === '' || ListenAddress::parse($options->text('health-listen'));
        $options->serverSettings();
        BackgroundCommand::read($options->background(), $project->directory);
        $routes = $project->routes($options);
        $errors->writeln("<info>{$project->directory}</info> is {$project->application->type->title()}: {$project->because}.");
        if ($project->doubt !== '') {
            $errors->writeln($project->doubt, OutputInterface::OUTPUT_RAW);
        }
        $errors->writeln("Isolation <info>{$project->isolation->value}</info>: {$project->isolationBecause}.");
        foreach (array_filter(IsolationMode::cases(), $routes->uses(...)) as $isolation) {
            $shared = $isolation->shares();
            if ($shared !== null) {
                $errors->writeln("With the isolation {$isolation->value} the requests of a worker share {$shared}.");
            }
        }
        if ($routes->uses(IsolationMode::Process) && $project->kind !== ApplicationKind::Plain && $options->get('warm-up') === []) {
            $errors->writeln('With the isolation process each request loads the classes that it needs again; --warm-up=/path loads those of a path once.');
        }
        if ($options->source('processes') !== 'default' && !$routes->uses(IsolationMode::Process)) {
            $errors->writeln('--processes has no effect here: requests are handled in the workers.');
        }
        if ($options->text('preload') !== '' && !$project->runsScripts($options)) {
            $errors->writeln('--preload has no effect here: it is for the processes of plain applications.');
        }
        $workers = Server::workers($options);
        $errors->writeln(sprintf('<info>%d</info> worker%s (%s), environment %s.', $workers, $workers === 1 ? '' : 's', Machine::here(), $options->text('env')));
        $wish = $options->source('env') === 'default' ? ApplicationEnvironment::production($project->directory) : null;
        if ($wish !== null) {
            $errors->writeln("<comment>{$wish} says that the application is in production, and this server is in development, where errors show source code: give --env=prod, or --env=dev to say that it is meant so.</comment>");
        }
        foreach ($options->text('env') === 'prod' ? [] : $options->list('listen') as $address) {
            if (!ListenAddress::parse($address)->isLocal()) {
                $errors->writeln("<comment>{$address} can be reached by others, and in the environment {$options->text('env')} errors show source code: give --env=prod, or listen on 127.0.0.1.</comment>");
            }
        }
        foreach (HttpsSettings::of($options)?->remarks() ?? [] as $remark) {
            $errors->writeln($remark, OutputInterface::OUTPUT_RAW);
        }
        $php = PhpSettings::of($options, $project->runsScripts($options));
        $errors->writeln($php->sentence(), OutputInterface::OUTPUT_RAW);
        AllowedOrigins::parse($options->text('origins'));
        CacheRules::read($options->list('cache'));
        ProcessIdentity::of($options, $project->directory);
        $warning = ProcessIdentity::warning($options, $project->directory);
        if ($warning !== null) {
            $errors->writeln($warning);
        }
        // The packages of this command must not meet those of the application in one process.
        $settings = $php->arguments;
        if ($collected >= 0) {
            array_push($settings, '-d', "stampede.log_output={$collected}");
        }
        if (!$project->asksForSwoole()) {
            array_push($settings, '-d', 'swoole.use_shortname=0');
        }
        $arguments = [Arguments::directory($input), Arguments::given($input), $settings];
        return $options->is('daemon') ? (ServerProcess::detach(...$arguments) ? self::SUCCESS : self::FAILURE) : ServerProcess::become(...$arguments);
    }

    /** Whether what is printed by whomsoever becomes lines of JSON. A file of the log is opened later, by the server. */
    private static function collects(Configuration $options): bool
    {
        return LogFormat::of($options) === LogFormat::Json && $options->text('log-file') === '' && !$options->is('daemon');
    }
}
