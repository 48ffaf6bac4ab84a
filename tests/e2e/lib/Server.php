<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A server program of tests/e2e/apps in processes of its own, with its output in a file. */
final class Server implements Stoppable
{
    private const LOWEST_PORT = 10000;
    private const HIGHEST_PORT = 32000;
    private const START_TIME = 15.0;
    private const STOP_TIME = 10.0;

    /** @var resource */
    private $process;
    private string $log;
    public readonly int $port;
    private ?int $status = null;

    /**
     * @param array<string, mixed> $settings what the program gives to set()
     * @param array<string, string> $environment on top of ours
     * @param list<string> $extensions of PHP that the program needs
     * @param list<string> $ini "name=value"
     */
    public function __construct(string $app, array $settings = [], array $environment = [], array $extensions = [], array $ini = [])
    {
        $this->port = self::freePort();
        $this->log = tempnam(sys_get_temp_dir(), 'stampede-e2e-');
        $module = getenv('MODULE') ?: dirname(__DIR__, 3) . '/modules/stampede.so';
        $php = phpWithModule($module);
        foreach ([...array_map(static fn (string $extension): string => "extension=$extension", $extensions), ...$ini] as $setting) {
            array_push($php, '-d', $setting);
        }
        $command = [...$php, '-n', '-d', 'memory_limit=512M', dirname(__DIR__) . "/apps/$app.php",
            (string) $this->port, json_encode($settings, JSON_THROW_ON_ERROR)];
        $output = ['file', $this->log, 'a'];
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], $output, $output], $pipes, null, $environment + getenv());
        Started::add($this);
        $this->waitUntilReady([$this->address(), ...self::furtherPorts($settings['_ports'] ?? [])]);
    }

    public function __destruct()
    {
        $this->stop();
        unlink($this->log);
    }

    public function address(): string
    {
        return "tcp://127.0.0.1:$this->port";
    }

    /** The process that was started; with a supervisor, that one. */
    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    /** The first process that serves: a child of the supervisor, or the process itself. */
    public function workerPid(): int
    {
        $pid = $this->pid();
        return (int) (strtok((string) @file_get_contents("/proc/$pid/task/$pid/children"), ' ') ?: $pid);
    }

    /** Open descriptors of that process. */
    public function descriptors(): int
    {
        return count(scandir("/proc/{$this->workerPid()}/fd") ?: []) - 2;
    }

    /** Connections that some process of the server still holds. */
    public function connections(): int
    {
        $count = 0;
        foreach (file('/proc/net/tcp', FILE_IGNORE_NEW_LINES) ?: [] as $line) {
            $columns = preg_split('~ +~', trim($line)) ?: [];
            $held = ($columns[9] ?? '0') !== '0' && ($columns[3] ?? '') !== '0A';  // has an inode, is no listener
            $count += $held && str_ends_with($columns[1], sprintf(':%04X', $this->port)) ? 1 : 0;
        }
        return $count;
    }

    /** Resident memory of that process in KiB. */
    public function memory(): int
    {
        return (int) preg_replace('~^.*\nVmRSS:\s+(\d+) kB.*$~s', '$1', file_get_contents("/proc/{$this->workerPid()}/status"));
    }

    public function alive(): bool
    {
        if ($this->status !== null) {
            return false;
        }
        $status = proc_get_status($this->process);
        if (!$status['running']) {
            $this->status = $status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'];
        }
        return $status['running'];
    }

    public function output(): string
    {
        return (string) file_get_contents($this->log);
    }

    /** Ends it as a supervisor would; the exit status, 128 + signal when it had to be killed. */
    public function stop(): int
    {
        if ($this->alive()) {
            posix_kill($this->pid(), SIGTERM);
            if (!self::until(self::STOP_TIME, fn (): bool => !$this->alive())) {
                posix_kill($this->pid(), SIGKILL);
                self::until(self::STOP_TIME, fn (): bool => !$this->alive());
            }
        }
        return $this->status ?? 0;
    }

    public function end(): void
    {
        $this->stop();
    }

    /** Waits for a condition; false when the time is over first. */
    public static function until(float $seconds, callable $condition): bool
    {
        $deadline = microtime(true) + $seconds;
        while (!$condition()) {
            if (microtime(true) > $deadline) {
                return false;
            }
            usleep(5000);
        }
        return true;
    }

    /**
     * A server is connected to its ports one after another.
     *
     * @param list<array{string, int, int, array<string, mixed>}> $ports as the program gives them to listen()
     * @return list<string> of those that take connections
     */
    private static function furtherPorts(array $ports): array
    {
        $addresses = [];
        foreach ($ports as [$host, $port, $type]) {
            $address = match ($type & ~512) { // without SWOOLE_SSL
                1 => "tcp://$host:$port",
                3 => "tcp://[$host]:$port",
                5 => "unix://$host",
                default => null,
            };
            $addresses = $address === null || ($port === 0 && ($type & ~512) !== 5) ? $addresses : [...$addresses, $address];
        }
        return $addresses;
    }

    /** @param list<string> $addresses */
    private function waitUntilReady(array $addresses): void
    {
        $connects = function () use (&$addresses): bool {
            while ($addresses !== [] && $this->alive()) {
                $socket = @stream_socket_client($addresses[0], $code, $message, 1.0);
                if ($socket === false) {
                    return false;
                }
                fclose($socket);
                array_shift($addresses);
            }
            return true;
        };
        if (!self::until(self::START_TIME, $connects) || !$this->alive()) {
            throw new \RuntimeException("The server did not start:\n" . $this->output());
        }
    }

    /** Of TCP and UDP, below the numbers that the kernel gives to clients: one of another program could have it before the server does. */
    public static function freePort(): int
    {
        do {
            $port = random_int(self::LOWEST_PORT, self::HIGHEST_PORT);
            $tcp = @stream_socket_server("tcp://0.0.0.0:{$port}");
            $udp = @stream_socket_server("udp://0.0.0.0:{$port}", $code, $message, STREAM_SERVER_BIND);
        } while ($tcp === false || $udp === false);
        fclose($tcp);
        fclose($udp);
        return $port;
    }
}
