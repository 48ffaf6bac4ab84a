<?php

declare(strict_types=1);

/*
 * Errors, exceptions and ends of scripts in every place that runs PHP code: what is printed, and with what status the process ends, is what PHP does without coroutines.
 */

namespace Stampede\Tests\E2e;

final class script_ends_test extends EndToEndTest
{
    private const AT_ONCE = 3;
    /** All places with these, these with all ends. */
    private const USUAL_ENDINGS = ['handler returns', 'handler exits', 'handler throws', 'exception', 'user error'];
    private const DISTINCT_PLACES = ['run', 'defer', 'timer outside of coroutines', 'process'];
    private const SECONDS = 60.0;

    /** Where next to no frame is below, the engine's messages, traces and the like find what they look for. */
    public function testErrorsAreReportedWhereNextToNoFrameIsBelow(): void
    {
        $app = __DIR__ . '/apps/frames_below.php';
        ['places' => $places, 'actions' => $actions] = $this->names($app);
        $runs = [];
        foreach ($places as $place) {
            foreach ($actions as $action) {
                $runs["$action, $place"] = [$app, $place, $action];
                if ($action === 'errors' || $action === 'exception') {
                    $runs["$action, $place, with handlers"] = [$app, $place, $action, 'handled'];
                }
            }
        }
        foreach ($this->runAll($runs, ['display_errors' => 0, 'log_errors' => 1]) as $name => [$status, $printed, $errors]) {
            $output = "$printed\n$errors";
            $wrong = match (true) {
                !in_array($status, [0, 255], true) => "status $status",
                str_contains($output, 'child died') => 'the child has died',
                str_starts_with($name, 'stream') => '',  // at the end of a script nobody may be told any more
                !str_contains($output, 'acts') => 'nothing was raised',
                str_starts_with($name, 'exception') => str_contains($output, 'an exception') ? '' : 'no exception was reported',
                str_starts_with($name, 'errors') => $this->missing($output, ['a notice', 'hex2bin', 'a deprecation', 'missing', 'assert(false)', 'last error']),
                default => str_contains($output, "asked\n") ? '' : 'it was not asked',
            };
            $this->check($name, $wrong === '', "$wrong: $output");
        }
    }

    public function testAScriptEndsInACoroutineAsItDoesWithoutOne(): void
    {
        $app = __DIR__ . '/apps/endings.php';
        ['places' => $places, 'endings' => $endings] = $this->names($app);
        $runs = [];
        foreach ($endings as $ending) {
            foreach (in_array($ending, self::USUAL_ENDINGS, true) ? $places : ['no coroutine', ...self::DISTINCT_PLACES] as $place) {
                $runs["$ending: $place"] = [$app, $place, $ending];
            }
        }
        $ends = $this->runAll($runs, ['display_errors' => 1, 'log_errors' => 0]);
        foreach ($endings as $ending) {
            [$status, $output, $errors] = $ends["$ending: no coroutine"];
            foreach ($places as $place) {
                if ($place !== 'no coroutine' && isset($ends["$ending: $place"])) {
                    $shutdown = str_starts_with($place, 'process') ? '' : $errors;
                    $this->same("$ending: $place", [$status, $output, $shutdown], $ends["$ending: $place"]);
                }
            }
        }
    }

    /** @return array<string, list<string>> */
    private function names(string $app): array
    {
        return json_decode($this->runAll(['names' => [$app]], [])['names'][1], true, flags: JSON_THROW_ON_ERROR);
    }

    /** @param list<string> $expected */
    private function missing(string $output, array $expected): string
    {
        $missing = array_filter($expected, static fn (string $text): bool => !str_contains($output, $text));
        return $missing === [] ? '' : 'missing: ' . implode(', ', $missing);
    }

    /**
     * Runs scripts, some at a time: status (128 and more: the signal), output without traces, error output.
     * @param array<string, list<string>> $runs
     * @param array<string, int> $settings
     * @return array<string, array{int, string, string}>
     */
    private function runAll(array $runs, array $settings): array
    {
        $php = phpWithModule(Application::module());
        foreach ($settings + ['html_errors' => 0, 'zend.assertions' => 1] as $name => $value) {
            array_push($php, '-d', "$name=$value");
        }
        $ends = [];
        foreach (array_chunk($runs, self::AT_ONCE, true) as $some) {
            $started = [];
            foreach ($some as $name => $arguments) {
                $files = [tmpfile(), tmpfile()];
                $started[$name] = [proc_open([...$php, ...$arguments], [['file', '/dev/null', 'r'], ...$files], $pipes), ...$files];
            }
            foreach ($started as $name => [$process, $output, $errors]) {
                $ends[$name] = [self::statusOf($process), ...array_map(self::contents(...), [$output, $errors])];
            }
        }
        return $ends;
    }

    /** @param resource $process */
    private static function statusOf($process): int
    {
        $until = microtime(true) + self::SECONDS;
        do {
            $status = proc_get_status($process);
            if (!$status['running']) {
                proc_close($process);
                return $status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'];
            }
            usleep(500);
        } while (microtime(true) < $until);
        proc_terminate($process, SIGKILL);
        return -1;
    }

    /** @param resource $file */
    private static function contents($file): string
    {
        rewind($file);
        return (string) preg_replace('/^(#\d+ .*|Stack trace:)\n/m', '', (string) stream_get_contents($file));
    }
}
