<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use ParseError;

/** Whether PHP files can be compiled. Runs none of their code. */
final class Linter
{
    private const MOST_PARSED = 200;
    private const MOST_COMPILED = 4; // in a process each, at once

    /**
     * What is wrong with the first bad one. Of very many files only the first are looked at: loading the application tells the rest.
     *
     * @param list<string> $paths
     */
    public static function fault(array $paths): ?SyntaxError
    {
        $files = array_values(array_filter($paths, static fn (string $path): bool => str_ends_with($path, '.php') && is_file($path)));
        foreach (array_slice($files, 0, self::MOST_PARSED) as $path) {
            try {
                token_get_all((string) @file_get_contents($path), TOKEN_PARSE);
            } catch (ParseError $error) {
                return new SyntaxError($path, "{$error->getMessage()} in {$path}:{$error->getLine()}");
            }
        }
        return self::compile(array_slice($files, 0, self::MOST_COMPILED));
    }

    /**
     * What the parser alone does not see, such as a function that is declared twice.
     *
     * @param list<string> $files
     */
    private static function compile(array $files): ?SyntaxError
    {
        $running = [];
        foreach ($files as $path) {
            $command = [PHP_BINARY, '-n', '-d', 'display_errors=1', '-d', 'log_errors=0', '-d', 'html_errors=0', '-l', $path];
            $process = @proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', '/dev/null', 'w']], $pipes);
            if ($process !== false) {
                $running[] = [$process, $pipes[1]];
            }
        }
        $fault = null;
        foreach ($running as [$process, $output]) {
            $text = trim((string) stream_get_contents($output));
            fclose($output);
            proc_close($process);
            // The status is nobody's: the supervisor waits for all its children.
            if ($fault === null && preg_match('/^(?:PHP )?\w+ error: +(.+) in (\S+) on line (\d+)$/m', $text, $part)) {
                $fault = new SyntaxError($part[2], "{$part[1]} in {$part[2]}:{$part[3]}");
            }
        }
        return $fault;
    }
}
