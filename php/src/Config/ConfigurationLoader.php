<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;
use Throwable;

/** Finds the value of each option: on the command line, in the environment (STAMPEDE_*), in stampede.php, or its default, in this order. */
final class ConfigurationLoader
{
    private const OBJECTS = ['server', 'background', 'routes', 'ini']; // arrays in stampede.php, JSON elsewhere

    /**
     * @param array<string, mixed> $commandLine values given there
     * @param array<string, string> $environment
     * @throws ConfigurationException for a wrong name or value
     */
    public static function load(array $commandLine, array $environment, string $directory): Configuration
    {
        self::refuseMisspelt($environment);
        $configFile = (string) ($commandLine['config'] ?? $environment['STAMPEDE_CONFIG'] ?? "{$directory}/stampede.php");
        $named = isset($commandLine['config']) || isset($environment['STAMPEDE_CONFIG']);
        $file = self::readFile($configFile, $named);
        $values = $sources = [];
        foreach (Configuration::table() as $option) {
            [$value, $source] = match (true) {
                array_key_exists($option->name, $commandLine) => [$commandLine[$option->name], 'command line'],
                array_key_exists($option->variable(), $environment) => [$environment[$option->variable()], $option->variable()],
                array_key_exists($option->name, $file) => [$file[$option->name], basename($configFile)],
                default => [$option->default, 'default'],
            };
            $values[$option->name] = $option->read(in_array($option->name, self::OBJECTS, true) && is_array($value) ? self::encoded($option->name, $value) : $value);
            $sources[$option->name] = $source;
        }
        return new Configuration($values, $sources);
    }

    /** @param array<mixed> $value */
    private static function encoded(string $name, array $value): string
    {
        $text = json_encode($value);
        return $text !== false ? $text : throw new ConfigurationException("The option \"{$name}\" cannot be written as JSON: " . json_last_error_msg() . '.');
    }

    /**
     * A variable that looks like one of ours, and is none, was meant as one. Others may have the same beginning: a container has STAMPEDE_PORT
     * when there is a service called stampede.
     *
     * @param array<string, string> $environment
     */
    private static function refuseMisspelt(array $environment): void
    {
        $known = ['STAMPEDE_CONFIG', 'STAMPEDE_EXTENSION', ...array_map(static fn (OptionDefinition $option): string => $option->variable(), Configuration::table())];
        $names = array_map(static fn (string $variable): string => strtolower(substr($variable, 9)), $known);
        foreach (array_keys($environment) as $variable) {
            if (!str_starts_with((string) $variable, 'STAMPEDE_') || in_array($variable, $known, true)) {
                continue;
            }
            $wrong = strtolower(substr((string) $variable, 9));
            $near = strlen($wrong) < 3 ? null : Suggestion::closest($wrong, $names, strlen($wrong) < 6 ? 1 : 2);
            if ($near !== null) {
                throw new ConfigurationException("There is no option for the variable {$variable} (did you mean \"STAMPEDE_" . strtoupper($near) . '"?).');
            }
        }
    }

    /**
     * @return array<string, mixed>
     * @throws ConfigurationException
     */
    private static function readFile(string $path, bool $named): array
    {
        if (!is_file($path)) {
            if ($named) {
                throw new ConfigurationException("The configuration file {$path} does not exist.");
            }
            return [];
        }
        $given = self::contents($path);
        if (!is_array($given)) {
            throw new ConfigurationException("The configuration file {$path} must return an array, such as return ['workers' => 4];");
        }
        $names = array_map(fn (OptionDefinition $option): string => $option->name, Configuration::table());
        $read = [];
        foreach ($given as $key => $value) {
            $name = strtr((string) $key, '_', '-');
            if (!in_array($name, $names, true)) {
                throw new ConfigurationException("The configuration file {$path} has the unknown key \"{$key}\"" . Suggestion::for($name, $names) . '.');
            }
            $read[$name] = $value;
        }
        return $read;
    }

    /** What the file returns. What it prints has no place in what commands print for programs, such as JSON. */
    private static function contents(string $path): mixed
    {
        $hasReturned = false;
        register_shutdown_function(static function () use (&$hasReturned, $path): void {
            if (!$hasReturned) { // @phpstan-ignore booleanNot.alwaysTrue (this function has a reference to it)
                fwrite(STDERR, "The configuration file {$path} ends the command: it must return an array, such as return ['workers' => 4];\n");
                exit(1);
            }
        });
        ob_start();
        try {
            return (static fn (): mixed => require $path)();
        } catch (Throwable $failure) {
            throw new ConfigurationException(sprintf('The configuration file %s cannot be used: %s: %s (%s:%d).', $path, $failure::class, $failure->getMessage(), $failure->getFile(), $failure->getLine()), 0, $failure);
        } finally {
            $hasReturned = true;
            $printed = trim((string) ob_get_clean());
            if ($printed !== '') {
                fwrite(STDERR, "{$path} prints: {$printed}\n");
            }
        }
    }
}
