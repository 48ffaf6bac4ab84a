<?php

declare(strict_types=1);

namespace Stampede\Process;

use Closure;
use Stampede\Application\ApplicationKind;
use Stampede\Application\PathResolver;
use Stampede\Application\Project;
use Stampede\Config\Configuration;
use Stampede\Config\Machine;
use Stampede\Exception\ConfigurationException;
use Stampede\Log\Logger;
use Stampede\Php\ExtensionLoader;
use Stampede\Php\PhpProgram;
use Stampede\Php\WebSettings;

/** What handles requests in processes of their own, for each kind of application: the runner of a worker, and the zygote of a generation that forks for it. */
final readonly class ProcessRunnerFactory
{
    private const SPARE = 3; // processes that are made before requests need them: of a booted application, whose fork takes a while, and of requests that end theirs

    private bool $isForScripts;

    /** @param float $longest seconds that a request may take at most; 0: any time */
    public function __construct(private Project $project, private Configuration $options, private float $longest, private Logger $logger)
    {
        $this->isForScripts = $project->kind === ApplicationKind::Plain;
    }

    /** @param Closure(): void $lost called when the process that forks for this worker has ended */
    public function runner(ZygoteClient $zygote, Closure $lost): ProcessRunner
    {
        $machine = Machine::here();
        $workers = $this->options->workers();
        $spare = $this->isForScripts && !$this->options->is('fresh-processes') ? 0 : self::SPARE;
        $atOnce = $this->isForScripts ? $machine->scriptsAtOnce($workers) : $machine->processesAtOnce($workers);
        $pool = new ChildPool($zygote, $this->options->number('processes'), $spare, $atOnce, $lost);
        return !$this->isForScripts ? new CheckpointRunner($pool, $this->logger) : new ScriptRunner(
            $pool,
            new PathResolver($this->project->application),
            new ScriptVariables($this->project->documentRoot, $this->project->application->serverName),
            $this->options->text('env') !== 'prod',
            $this->longest,
        );
    }

    /** Of a new generation. @throws ConfigurationException */
    public function zygote(): ZygoteClient
    {
        [$program, $facts] = $this->isForScripts
            ? [new PhpProgram(__DIR__ . '/script_zygote.php', $this->settingsOfScripts()), $this->factsOfScripts()]
            : [new PhpProgram(__DIR__ . '/application_zygote.php', $this->settingsOfApplication()), $this->factsOfApplication()];
        return new ZygoteClient($program, $facts, (float) $this->options->get('boot-timeout'));
    }

    /** @return list<string> */
    private function settingsOfScripts(): array
    {
        $named = $this->options->text('php-ini');
        $isProduction = $this->options->text('env') === 'prod';
        return WebSettings::arguments($named === '' ? WebSettings::file() : $named, ExtensionLoader::settings(), $this->preload() + match (true) {
            $this->options->is('watch') => ['opcache.validate_timestamps' => '0', 'opcache.file_update_protection' => '0'], // the code before goes on until new code is checked and loaded
            $isProduction => [],
            default => ['opcache.revalidate_freq' => '0'],
        }, $isProduction);
    }

    /** @return list<string> */
    private function settingsOfApplication(): array
    {
        // A process of a request goes back, or ends, with all that the JIT has counted in it: nothing is gained but by what was compiled before.
        $isWarmedUp = $this->project->kind === ApplicationKind::Symfony || $this->options->list('warm-up') !== [];
        return $isWarmedUp ? [] : ['-d', 'opcache.jit=disable'];
    }

    /**
     * For the processes of scripts alone: the server has classes of its own, some of which the application may have, too.
     *
     * @return array<string, string>
     * @throws ConfigurationException
     */
    private function preload(): array
    {
        $file = $this->options->text('preload');
        if ($file === '') {
            return [];
        }
        $file = $file[0] === '/' ? $file : "{$this->project->directory}/{$file}";
        if (!is_readable($file)) {
            throw new ConfigurationException("The file {$file} (--preload) cannot be read.");
        }
        // PHP refuses to preload as root unless opcache.preload_user names root; the application's scripts run as root here, too.
        return ['opcache.preload' => $file] + (posix_geteuid() === 0 ? ['opcache.preload_user' => posix_getpwuid(0)['name'] ?? 'root'] : []);
    }

    /** @return array<string, mixed> */
    private function factsOfScripts(): array
    {
        return ['requests' => $this->options->is('fresh-processes') ? 1 : $this->options->number('max-requests'), 'memory' => $this->options->number('max-memory')];
    }

    /** @return array<string, mixed> */
    private function factsOfApplication(): array
    {
        return [
            'application' => $this->project->application->facts(),
            'environment' => $this->options->text('env'),
            'fresh' => $this->options->is('fresh-processes'),
            'warmUp' => $this->options->list('warm-up'),
            'traceValues' => $this->options->is('trace-values'),
        ];
    }
}
