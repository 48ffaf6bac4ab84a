<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A program that a test needs beside the one under test: another server, a tool, a client. Ends with the test. */
final class Companion implements Stoppable
{
    private const START_TIME = 15.0;

    /** @var resource|null */
    private $process;
    private string $log;

    /**
     * @param list<string> $command
     * @param array<string, string> $environment on top of ours
     */
    public function __construct(array $command, array $environment = [])
    {
        $this->log = (string) tempnam(sys_get_temp_dir(), 'stampede-companion-');
        $output = ['file', $this->log, 'a'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $output, $output], $pipes, null, $environment + getenv());
        if ($process === false) {
            throw new \RuntimeException("$command[0] could not be started.");
        }
        $this->process = $process;
        Started::add($this);
    }

    public function __destruct()
    {
        $this->end();
    }

    public function end(): void
    {
        if ($this->process === null) {
            return;
        }
        if (proc_get_status($this->process)['running']) {
            proc_terminate($this->process, SIGKILL);
        }
        proc_close($this->process);
        $this->process = null;
        @unlink($this->log);
    }

    /**
     * PHP with the extension under test and nothing else of php.ini.
     *
     * @return list<string>
     */
    public static function php(string $script, string ...$arguments): array
    {
        $module = getenv('MODULE') ?: dirname(__DIR__, 3) . '/modules/stampede.so';
        $php = phpWithModule($module);
        return [...$php, '-n', '-d', 'memory_limit=512M', dirname(__DIR__) . "/apps/$script", ...array_values($arguments)];
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }

    public function waitForPort(int $port): void
    {
        $this->waitUntil(static function () use ($port): bool {
            $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 1.0);
            return $socket !== false && fclose($socket);
        });
    }

    /** The first line that it prints. */
    public function firstLine(float $seconds = self::START_TIME): string
    {
        $this->waitUntil(fn (): bool => str_contains($this->output(), "\n"), $seconds);
        return (string) strstr($this->output(), "\n", true);
    }

    public function signal(int $signal): void
    {
        proc_terminate($this->process, $signal);
    }

    /** Its exit status, null when it has not ended in time. */
    public function waitForEnd(float $seconds): ?int
    {
        $deadline = microtime(true) + $seconds;
        while (($status = proc_get_status($this->process))['running']) {
            if (microtime(true) > $deadline) {
                return null;
            }
            usleep(10_000);
        }
        return $status['exitcode'];
    }

    /** Runs a program that prints checks, a JSON line each with name, expected and actual, and reports them. */
    public static function reportChecks(EndToEndTest $test, array $command, float $seconds): void
    {
        // Freed memory that a sanitizer keeps for a while is no leak.
        $program = new self($command, ['ASAN_OPTIONS' => 'quarantine_size_mb=0:thread_local_quarantine_size_kb=0']);
        $status = $program->waitForEnd($seconds);
        $said = '';
        foreach (explode("\n", $program->output()) as $line) {
            $check = json_decode($line, true);
            if (is_array($check) && isset($check['name'])) {
                $test->same($check['name'], $check['expected'], $check['actual']);
            } elseif ($line !== '') {
                $said .= "$line\n";
            }
        }
        $test->same('the program said nothing else', '', $said);
        $test->same('and ended well', 0, $status);
    }

    private function waitUntil(callable $condition, float $seconds = self::START_TIME): void
    {
        $deadline = microtime(true) + $seconds;
        while (!$condition()) {
            if (microtime(true) > $deadline || !proc_get_status($this->process)['running']) {
                throw new \RuntimeException('A program beside the test did not start: ' . $this->output());
            }
            usleep(20_000);
        }
    }
}
