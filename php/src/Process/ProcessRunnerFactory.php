<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Application\ApplicationKind;
use Stampede\Application\PathResolver;
use Stampede\Application\Project;
use Stampede\Config\Configuration;
use Stampede\Config\Machine;
use Stampede\Exception\LaunchException;
use Stampede\Php\WebSettings;

/** The runner, and the program that forks for it, of each kind of application. */
final class ProcessRunnerFactory
{
    private const SPARE = 3; // processes that are made before requests need them: of a booted application, whose fork takes a while, and of requests that end theirs

    public function __construct(private readonly Project $project, private readonly Configuration $options, private readonly int $workers, private readonly float $longest) {}

    /**
     * @param ZygoteClient $program of a generation
     * @param Closure(): void $lost what forks has ended
     */
    public function runner(ZygoteClient $program, Closure $lost): ProcessRunner
    {
        $isScripts = $this->project->kind === ApplicationKind::Plain;
        $machine = Machine::here();
        $atOnce = $isScripts ? $machine->scriptsAtOnce($this->workers) : $machine->processesAtOnce($this->workers);
        $spare = $isScripts && !$this->options->is('fresh-processes') ? 0 : self::SPARE;
        $pool = new ChildPool($program, $this->options->number('processes'), $spare, $atOnce, $lost);
        if (!$isScripts) {
            return new CheckpointRunner($pool);
        }
        return new ScriptRunner(
            $pool,
            new PathResolver($this->project->application),
            new ScriptVariables($this->project->documentRoot, $this->project->application->serverName),
            $this->options->text('env') !== 'prod',
            $this->longest,
        );
    }

    /**
     * @param list<string> $command that runs a file with PHP, up to its settings
     * @param string $file that runs
     * @param string $variable of the environment that has the facts
     */
    public function program(array $command, string $file, string $variable): ZygoteClient
    {
        $boot = (float) $this->options->get('boot-timeout');
        $isScripts = $this->project->kind === ApplicationKind::Plain;
        return new ZygoteClient([...$command, ...$this->settings($command), $file], $isScripts ? $this->factsOfScripts() : $this->factsOfCopies(), $variable, $boot);
    }

    /**
     * @param list<string> $command
     * @return list<string>
     */
    private function settings(array $command): array
    {
        if ($this->project->kind === ApplicationKind::Plain) {
            $named = $this->options->text('php-ini');
            return WebSettings::arguments($named === '' ? WebSettings::file() : $named, $command, $this->preload() + match (true) {
                $this->options->is('watch') => ['opcache.validate_timestamps' => '0', 'opcache.file_update_protection' => '0'], // the code before goes on until new code is checked and loaded
                $this->options->text('env') === 'prod' => [],
                default => ['opcache.revalidate_freq' => '0'],
            }, $this->options->text('env') === 'prod');
        }
        // A process of a request goes back, or ends, with all that the JIT has counted in it: nothing is gained but by what was compiled before.
        $isRehearsed = $this->project->kind === ApplicationKind::Symfony || $this->options->list('warm-up') !== [];
        return $isRehearsed ? [] : ['-d', 'opcache.jit=disable'];
    }

    /**
     * For the processes of scripts alone: the server has classes of its own, some of which the application may have, too.
     *
     * @return array<string, string>
     * @throws LaunchException
     */
    private function preload(): array
    {
        $file = $this->options->text('preload');
        if ($file === '') {
            return [];
        }
        $file = $file[0] === '/' ? $file : "{$this->project->directory}/{$file}";
        if (!is_readable($file)) {
            throw new LaunchException("The file {$file} (--preload) cannot be read.");
        }
        // PHP refuses to preload as root unless opcache.preload_user names root; the application's scripts run as root here, too.
        return ['opcache.preload' => $file] + (posix_geteuid() === 0 ? ['opcache.preload_user' => posix_getpwuid(0)['name'] ?? 'root'] : []);
    }

    /** @return array<string, string> */
    private function factsOfScripts(): array
    {
        return ['requests' => $this->options->is('fresh-processes') ? '1' : $this->options->text('max-requests'), 'memory' => $this->options->text('max-memory')];
    }

    /** @return array<string, string> */
    private function factsOfCopies(): array
    {
        return [
            ...$this->project->application->facts(),
            'kind' => $this->project->kind->value,
            'environment' => $this->options->text('env'),
            'fresh' => $this->options->is('fresh-processes') ? '1' : '',
            'warmUp' => json_encode($this->options->get('warm-up'), JSON_THROW_ON_ERROR),
        ];
    }
}
