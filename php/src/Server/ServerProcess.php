<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\Project;
use Stampede\Config\Configuration;
use Stampede\Diagnostics\SuitabilityChecker;
use Stampede\Exception\LaunchException;
use Stampede\Log\LogText;
use Stampede\Php\ExtensionLoader;
use Stampede\Process\ApplicationZygote;
use Stampede\Process\ScriptZygote;
use Swoole\Coroutine;

/** The process that serves: of this package's code it loads the launcher and the bridges alone, of Composer's packages the application's. */
final class ServerProcess
{
    /** What an ApplicationZygote is told. */
    public const FORKS = 'STAMPEDE_FORKS';

    /** What a process of a web server usually has: applications nest callbacks and free lists that need more than a coroutine has by itself. */
    public const C_STACK = 8 << 20;

    private const VARIABLE = 'STAMPEDE_LAUNCH';
    /** Where one that goes on in the background tells how its start went, and the line after which it serves. */
    private const TOLD = 3;
    private const SERVES = "serves\n";

    /**
     * Replaces the running program.
     *
     * @param array<string, mixed> $given on the command line
     * @param list<string> $settings further options of PHP
     */
    public static function become(string $directory, array $given, array $settings = []): never
    {
        if (!function_exists('pcntl_exec')) {
            throw new LaunchException("The command needs PHP's extension pcntl.");
        }
        putenv(self::VARIABLE . '=' . json_encode([$directory, $given, false], JSON_THROW_ON_ERROR));
        pcntl_exec(PHP_BINARY, [...ExtensionLoader::settings(), ...$settings, __DIR__ . '/main.php']);
        throw new LaunchException('The server process cannot be started: ' . pcntl_strerror(pcntl_get_last_error()) . '.');
    }

    /**
     * Starts it in the background.
     *
     * @param array<string, mixed> $given on the command line
     * @param list<string> $settings further options of PHP
     * @return bool whether it serves now; why not has been said
     */
    public static function detach(string $directory, array $given, array $settings = []): bool
    {
        putenv(self::VARIABLE . '=' . json_encode([$directory, $given, true], JSON_THROW_ON_ERROR));
        $command = [PHP_BINARY, ...ExtensionLoader::settings(), ...$settings, __DIR__ . '/main.php'];
        $process = proc_open($command, [self::TOLD => ['pipe', 'w']], $pipes); // the other descriptors as they are
        if ($process === false) {
            throw new LaunchException('The server process cannot be started.');
        }
        while (($line = fgets($pipes[self::TOLD])) !== false) {
            if ($line === self::SERVES) {
                return true;
            }
            fwrite(STDERR, $line);
        }
        return false;
    }

    /** In the new program. @return int its exit status */
    public static function run(): int
    {
        $forks = json_decode((string) getenv(self::FORKS), true);
        if (is_array($forks)) {
            putenv(self::FORKS);
            unset($_SERVER[self::FORKS], $_ENV[self::FORKS]);
            if (isset($forks['requests'])) {
                return ScriptZygote::serve($forks);
            }
            Coroutine::set(['stack_size' => self::C_STACK]);
            return ApplicationZygote::serve($forks);
        }
        $checkup = json_decode((string) getenv(SuitabilityChecker::VARIABLE), true);
        if (is_array($checkup)) {
            putenv(SuitabilityChecker::VARIABLE);
            unset($_SERVER[SuitabilityChecker::VARIABLE], $_ENV[SuitabilityChecker::VARIABLE]);
            return SuitabilityChecker::perform($checkup);
        }
        [$directory, $given, $isTold] = json_decode((string) getenv(self::VARIABLE), true) ?? throw new LaunchException('Start the command stampede instead.');
        putenv(self::VARIABLE);
        unset($_SERVER[self::VARIABLE], $_ENV[self::VARIABLE]);
        $told = $isTold ? fopen('php://fd/' . self::TOLD, 'w') : false;
        $session = posix_getsid(0);
        $say = static function (string $line, string $level = 'notice') use ($told, $session): void {
            if ($told !== false && posix_getsid(0) !== $session) { // in the background, out of sight
                @fwrite($told, "{$line}\n"); // nobody reads it once the start is over
            }
            LogText::log($line, $level);
        };
        $serves = static function () use ($told): void {
            $told === false || @fwrite($told, self::SERVES);
        };
        try {
            $options = Configuration::resolve($given, getenv(), $directory);
            return (new Server(Project::find($directory, $options), $options, $say, $serves))->run() ? 0 : 1;
        } catch (LaunchException $exception) {
            $say($exception->getMessage());
            return 1;
        }
    }
}
