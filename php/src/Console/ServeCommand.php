<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\Project;
use Stampede\Application\RouteTable;
use Stampede\Config\CacheRules;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Config\LogFormat;
use Stampede\Config\ProcessIdentity;
use Stampede\Dashboard\Access;
use Stampede\Endpoint\AllowedOrigins;
use Stampede\Php\PhpSettings;
use Stampede\Server\ServerProcess;
use Stampede\Supervisor\CommandDefinition;
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
        $routes = self::refuseMistakes($options, $project);
        $php = PhpSettings::of($options, $project->runsScripts($options));
        (new StartReport($project, $options, $errors))->write($routes, $php);
        // The packages of this command must not meet those of the application in one process.
        $settings = $php->arguments;
        if ($collected >= 0) {
            array_push($settings, '-d', "stampede.log_output={$collected}");
        }
        if (!$project->asksForSwoole()) {
            array_push($settings, '-d', 'swoole.use_shortname=0');
        }
        $process = new ServerProcess(Arguments::directory($input), Arguments::given($input), $settings);
        return $options->is('daemon') ? ($process->detach() ? self::SUCCESS : self::FAILURE) : $process->become();
    }

    /** A mistake ends the command before anything is said or started, not the server. */
    private static function refuseMistakes(Configuration $options, Project $project): RouteTable
    {
        $options->addresses();
        $options->addressesOfWorkers();
        $options->text('health-listen') === '' || ListenAddress::parse($options->text('health-listen'));
        Access::of($options);
        $options->serverSettings();
        CommandDefinition::all($options->background());
        AllowedOrigins::parse($options->text('origins'));
        CacheRules::read($options->list('cache'));
        ProcessIdentity::of($options, $project->directory);
        return $project->routes($options);
    }

    /** Whether what is printed by whomsoever becomes lines of JSON. A file of the log is opened later, by the server. */
    private static function collects(Configuration $options): bool
    {
        return LogFormat::of($options) === LogFormat::Json && $options->text('log-file') === '' && !$options->is('daemon');
    }
}
