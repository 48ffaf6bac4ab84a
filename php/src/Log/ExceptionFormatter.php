<?php

declare(strict_types=1);

namespace Stampede\Log;

use Stampede\Exception\LaunchException;
use Stampede\Exception\TimeLimitExceeded;
use Throwable;

/** A failure as the log tells it: like PHP itself, but without the calls that have led from the server to the application. */
final class ExceptionFormatter
{
    private const MOST_FRAMES = 60;
    private const LONGEST_FACT = 1024; // bytes; the message of the log has more of it

    public static function of(Throwable $failure): string
    {
        $parts = [];
        for ($each = $failure; $each !== null; $each = $each->getPrevious()) {
            $frames = array_slice(self::frames($each), 0, self::MOST_FRAMES);
            $lines = array_map(self::line(...), array_keys($frames), $frames);
            $parts[] = $each::class . ": {$each->getMessage()} in {$each->getFile()}:{$each->getLine()}" . ($lines === [] ? '' : "\nStack trace:\n" . implode("\n", $lines));
        }
        return implode("\n\nbecause of ", $parts);
    }

    /** In one sentence, for the user: an error of the application with its place. */
    public static function sentence(Throwable $failure): string
    {
        return $failure instanceof LaunchException ? $failure->getMessage() : sprintf(
            '%s: %s (%s:%d)',
            $failure::class,
            $failure->getMessage(),
            $failure->getFile(),
            $failure->getLine(),
        );
    }

    /**
     * The same for programs.
     *
     * @return array<string, mixed>
     */
    public static function facts(Throwable $failure): array
    {
        $frames = array_slice(self::frames($failure), 0, self::MOST_FRAMES);
        $previous = $failure->getPrevious();
        return [
            'class' => $failure::class,
            'message' => LogText::cut($failure->getMessage(), self::LONGEST_FACT),
            'file' => $failure->getFile(),
            'line' => $failure->getLine(),
            'trace' => array_map(self::line(...), array_keys($frames), $frames),
        ] + ($previous === null ? [] : ['previous' => self::facts($previous)]);
    }

    /**
     * The calls of the application: those of the launcher, which are the outermost, are left out, and so are functions of ours that stand before
     * the first of the application.
     *
     * @return list<array<string, mixed>>
     */
    public static function frames(Throwable $failure): array
    {
        $frames = $failure instanceof TimeLimitExceeded ? $failure->frames : $failure->getTrace();
        while ($frames !== [] && self::isOurs(end($frames))) {
            array_pop($frames);
        }
        while ($frames !== [] && isset($frames[0]['file']) && self::isOurs($frames[0])) {
            array_shift($frames);
        }
        return array_values($frames);
    }

    /** @param array<string, mixed> $frame */
    private static function isOurs(array $frame): bool
    {
        // A call without a file was made by PHP itself: a callback of the server, if it is the outermost one.
        $file = (string) ($frame['file'] ?? '');
        return $file === '' ? str_starts_with((string) ($frame['class'] ?? ''), 'Stampede\\') : str_starts_with($file, dirname(__DIR__) . '/');
    }

    /** @param array<string, mixed> $frame */
    private static function line(int $number, array $frame): string
    {
        $place = isset($frame['file']) ? "{$frame['file']}({$frame['line']})" : '[internal function]';
        return "#{$number} {$place}: " . ($frame['class'] ?? '') . ($frame['type'] ?? '') . "{$frame['function']}()";
    }
}
