<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Config\Configuration;
use Stampede\Config\ConfigurationLoader;
use Stampede\Config\DirectoryPath;
use Stampede\Config\OptionDefinition;
use Stampede\Config\OptionType;
use Stampede\Config\Suggestion;
use Stampede\Exception\ConfigurationException;
use Stampede\Supervisor\ServerStateFile;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** The options of an application on the command line. */
final class Arguments
{
    public static function add(Command $command): void
    {
        $command->addArgument('dir', InputArgument::OPTIONAL, 'the folder of the application', '.');
        $command->addOption('config', null, InputOption::VALUE_REQUIRED, 'a file with options (default: stampede.php in the folder)');
        foreach (Configuration::table() as $option) {
            $command->addOption($option->name, null, self::mode($option), $option->description, null, $option->choices);
        }
    }

    public static function directory(InputInterface $input): string
    {
        return DirectoryPath::absolute((string) $input->getArgument('dir'));
    }

    public static function options(InputInterface $input): Configuration
    {
        return ConfigurationLoader::load(self::given($input), getenv(), self::directory($input));
    }

    /** The server of the application; null when there is none for this user, which is said. */
    public static function server(InputInterface $input, OutputInterface $output): ?ServerStateFile
    {
        [$directory, $options] = [self::directory($input), self::options($input)];
        $server = ServerStateFile::find($directory, $options);
        if ($server === null) {
            $output->writeln(ServerStateFile::ofAnotherUser($directory, $options) ?? "{$directory} is not served.");
        }
        return $server;
    }

    /** What the option "format" of a command asks for. */
    public static function wantsJson(InputInterface $input): bool
    {
        return self::choice($input, 'format', ['text', 'json']) === 'json';
    }

    /** @param non-empty-list<string> $choices */
    public static function choice(InputInterface $input, string $option, array $choices): string
    {
        $given = (string) $input->getOption($option);
        return in_array($given, $choices, true) ? $given : throw new ConfigurationException("The option \"{$option}\" must be one of " . implode(', ', $choices) . ", not \"{$given}\"" . Suggestion::for($given, $choices) . '.');
    }

    /** A number above 0. @param string $what begins the sentence that is said of others */
    public static function number(string $given, string $what, int $most): float
    {
        return is_numeric($given) && $given > 0 && $given <= $most ? (float) $given : throw new ConfigurationException("{$what} must be above 0 and at most {$most}, not \"{$given}\".");
    }

    /**
     * Workers of a running server that a command looks at; --workers says how many.
     *
     * @param int|null $count how many without that option; null: all
     * @return list<int>|null null: all
     */
    public static function places(InputInterface $input, ServerStateFile $server, ?int $count): ?array
    {
        $given = $input->getOption('workers');
        $count = $given === null ? $count : (int) self::number((string) $given, 'The number of workers', 10_000);
        if ($count === null) {
            return null;
        }
        $serving = array_filter($server->ask('workers')['workers'] ?? [], static fn (array $each): bool => $each['kind'] === 'worker' && $each['state'] === 'serving');
        return array_slice(array_values(array_column($serving, 'id')), 0, max(1, $count));
    }

    /** @return array<string, mixed> what stands on the command line */
    public static function given(InputInterface $input): array
    {
        $given = [];
        foreach ($input->getOptions() as $name => $value) {
            if ($value !== null && $value !== false && $value !== [] && self::isOurs($name)) {
                $given[$name] = $value;
            }
        }
        return $given;
    }

    private static function isOurs(string $name): bool
    {
        return $name === 'config' || in_array($name, array_map(fn (OptionDefinition $option): string => $option->name, Configuration::table()), true);
    }

    private static function mode(OptionDefinition $option): int
    {
        return match ($option->type) {
            OptionType::Flag => InputOption::VALUE_NONE,
            OptionType::Addresses, OptionType::UrlPaths, OptionType::Texts, OptionType::Lines => InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY,
            default => InputOption::VALUE_REQUIRED,
        };
    }
}
