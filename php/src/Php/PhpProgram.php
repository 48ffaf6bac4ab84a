<?php

declare(strict_types=1);

namespace Stampede\Php;

use Stampede\Exception\ServerException;

/**
 * A program of this package for a process of its own: PHP with the settings of this process, and an entry script, which finds its facts in the environment:
 * what stands on a command line is for every user of the machine to read.
 */
final readonly class PhpProgram
{
    private const FACTS = 'STAMPEDE_FACTS'; // ext/request_loop removes it, too

    /** @var list<string> */
    public array $command;

    /** @param list<string> $settings further options of the command php */
    public function __construct(string $script, array $settings = [])
    {
        $this->command = [PHP_BINARY, ...ExtensionLoader::settings(), ...$settings, $script];
    }

    /**
     * @param array<string, mixed> $facts
     * @return array<string, string>
     */
    public static function environment(array $facts): array
    {
        return [self::FACTS => json_encode($facts, JSON_THROW_ON_ERROR)] + getenv();
    }

    /**
     * Takes the place of the running program.
     *
     * @param array<string, mixed> $facts
     * @throws ServerException when it cannot be started
     */
    public function become(array $facts): never
    {
        if (!function_exists('pcntl_exec')) {
            throw new ServerException("The command needs PHP's extension pcntl.");
        }
        pcntl_exec($this->command[0], array_slice($this->command, 1), self::environment($facts));
        throw new ServerException('The server process cannot be started: ' . pcntl_strerror(pcntl_get_last_error()) . '.');
    }

    /**
     * In the program itself, once: nothing that it starts has them.
     *
     * @return array<string, mixed>
     */
    public static function facts(): array
    {
        $facts = json_decode((string) getenv(self::FACTS), true);
        putenv(self::FACTS);
        unset($_SERVER[self::FACTS], $_ENV[self::FACTS]);
        if (is_array($facts)) {
            return $facts;
        }
        fwrite(STDERR, "Start the command stampede instead.\n");
        exit(1);
    }
}
