<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\Project;
use Stampede\Config\ConfigurationLoader;
use Stampede\Exception\LaunchException;
use Stampede\Exception\ServerException;
use Stampede\Log\ProcessLogger;
use Stampede\Log\StartLogger;
use Stampede\Php\PhpProgram;

/** The process that serves: of this package's code it loads what it needs, of Composer's packages the application's alone. */
final readonly class ServerProcess
{
    private const PIPE = 3; // the descriptor by which one in the background tells how its start went

    private PhpProgram $program;

    /**
     * @param array<string, mixed> $given options on the command line
     * @param list<string> $settings further options of PHP
     */
    public function __construct(private string $directory, private array $given, array $settings)
    {
        $this->program = new PhpProgram(__DIR__ . '/serve.php', $settings);
    }

    /** Takes the place of the running program. */
    public function become(): never
    {
        $this->program->become($this->facts(isInBackground: false));
    }

    /** Starts it in the background. @return bool whether it serves now; why not has been said */
    public function detach(): bool
    {
        // The other descriptors as they are.
        $process = proc_open($this->program->command, [self::PIPE => ['pipe', 'w']], $pipes, null, PhpProgram::environment($this->facts(isInBackground: true)));
        if ($process === false) {
            throw new ServerException('The server process cannot be started.');
        }
        while (($line = fgets($pipes[self::PIPE])) !== false) {
            if ($line === StartLogger::SERVES) {
                return true;
            }
            fwrite(STDERR, $line);
        }
        return false;
    }

    /** @return array<string, mixed> */
    private function facts(bool $isInBackground): array
    {
        return ['directory' => $this->directory, 'options' => $this->given, 'isInBackground' => $isInBackground];
    }

    /**
     * In the new program.
     *
     * @param array<string, mixed> $facts
     * @return int its exit status
     */
    public static function run(array $facts): int
    {
        $process = new ProcessLogger();
        $pipe = $facts['isInBackground'] ? fopen('php://fd/' . self::PIPE, 'w') : false;
        $start = $pipe === false ? null : new StartLogger($process, $pipe);
        try {
            $options = ConfigurationLoader::load($facts['options'], getenv(), $facts['directory']);
            $application = new ServedApplication(Project::find($facts['directory'], $options), $options);
            return (new ApplicationServer($application, new Logs($process, $start)))->run() ? 0 : 1;
        } catch (LaunchException $exception) {
            ($start ?? $process)->notice($exception->getMessage());
            return 1;
        }
    }
}
