<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** A program that is started for a measurement: its tree of processes, their CPU time and memory, its end. */
final class Program
{
    /** @var resource */
    private $process;

    /**
     * @param list<string> $command
     * @param int|string $at the port where it listens, or its address ("unix://...")
     * @param array<string, string>|null $environment null: this one's
     */
    public function __construct(private readonly string $name, array $command, private readonly int|string $at, ?string $log = null, ?array $environment = null)
    {
        $log ??= sys_get_temp_dir() . "/stampede-bench-{$name}-" . bin2hex(random_bytes(4)) . '.log';
        $this->log = $log;
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', $log, 'a']], $pipes, null, $environment);
        if ($process === false) {
            throw new \RuntimeException("$name could not be started.");
        }
        $this->process = $process;
        $this->wait_until_it_listens();
    }

    private string $log;

    private function wait_until_it_listens(): void
    {
        $deadline = microtime(true) + 30;
        $address = is_int($this->at) ? "tcp://127.0.0.1:$this->at" : $this->at;
        while (microtime(true) < $deadline) {
            $socket = @stream_socket_client($address, $errno, $error, 1);
            if ($socket !== false) {
                fclose($socket);
                return;
            }
            if (!proc_get_status($this->process)['running']) {
                break;
            }
            usleep(20_000);
        }
        $said = $this->output();
        $this->stop();
        throw new \RuntimeException("{$this->name} does not listen on $address. It said: " . trim(substr($said, -2000)));
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    /** @return list<int> this process and all that come from it */
    public function tree(): array
    {
        $children = [];
        foreach (glob('/proc/[0-9]*/stat') ?: [] as $file) {
            $stat = (string) @file_get_contents($file); // empty: it has ended
            if ($stat !== '') {
                $fields = explode(' ', substr($stat, strrpos($stat, ')') + 2));
                $children[(int) $fields[1]][] = (int) $stat;
            }
        }
        $tree = [$this->pid()];
        for ($i = 0; $i < count($tree); $i++) {
            array_push($tree, ...($children[$tree[$i]] ?? []));
        }
        return $tree;
    }

    /** CPU seconds of the whole tree, ended children of its processes included. */
    public function cpu_seconds(): float
    {
        $ticks = 0;
        foreach ($this->tree() as $pid) {
            $stat = (string) @file_get_contents("/proc/$pid/stat");
            if ($stat !== '') {
                $fields = explode(' ', substr($stat, strrpos($stat, ')') + 2));
                $ticks += (int) $fields[11] + (int) $fields[12] + (int) $fields[13] + (int) $fields[14];
            }
        }
        return $ticks / 100;
    }

    /** Kilobytes that belong to the processes of the tree alone. */
    public function private_kilobytes(): int
    {
        $sum = 0;
        foreach ($this->tree() as $pid) {
            if (preg_match_all('/^Private_\w+:\s+(\d+) kB/m', (string) @file_get_contents("/proc/$pid/smaps_rollup"), $found)) {
                $sum += array_sum(array_map(intval(...), $found[1]));
            }
        }
        return $sum;
    }

    /** Kilobytes of the tree, each page that processes share counted once. */
    public function proportional_kilobytes(): int
    {
        $sum = 0;
        foreach ($this->tree() as $pid) {
            if (preg_match('/^Pss:\s+(\d+) kB/m', (string) @file_get_contents("/proc/$pid/smaps_rollup"), $found)) {
                $sum += (int) $found[1];
            }
        }
        return $sum;
    }

    /** Sum of the most kilobytes that each process of the tree ever had; shared pages are counted in each of them. */
    public function peak_kilobytes(): int
    {
        $sum = 0;
        foreach ($this->tree() as $pid) {
            if (preg_match('/^VmHWM:\s+(\d+) kB/m', (string) @file_get_contents("/proc/$pid/status"), $found)) {
                $sum += (int) $found[1];
            }
        }
        return $sum;
    }

    /** What it printed so far. */
    public function output(): string
    {
        return (string) @file_get_contents($this->log);
    }

    public function stop(): void
    {
        $tree = array_reverse($this->tree());
        proc_terminate($this->process);
        $deadline = microtime(true) + 10;
        while (proc_get_status($this->process)['running'] && microtime(true) < $deadline) {
            usleep(20_000);
        }
        foreach ($tree as $pid) {
            if (is_dir("/proc/$pid")) {
                posix_kill($pid, SIGKILL);
            }
        }
        proc_close($this->process);
        @unlink($this->log);
    }
}

function free_port(): int
{
    $socket = stream_socket_server('tcp://127.0.0.1:0') ?: throw new \RuntimeException('There is no free port.');
    $port = (int) substr(strrchr((string) stream_socket_get_name($socket, false), ':') ?: '', 1);
    fclose($socket);
    return $port;
}

/** @return list<string> */
function php_command(string $script, string ...$arguments): array
{
    $root = dirname(__DIR__, 2);
    $module = getenv('MODULE') ?: "$root/modules/stampede.so";
    return [PHP_BINARY, '-n', '-d', "extension=$module", '-d', 'memory_limit=1G', $script, ...array_values($arguments)];
}

/** A reference in C, from its source. */
function compile(string $source, string $program): void
{
    exec(implode(' ', array_map(escapeshellarg(...), ['cc', '-O2', '-o', $program, $source])) . ' 2>&1', $said, $status);
    if ($status !== 0) {
        throw new \RuntimeException("$source does not compile: " . implode("\n", $said));
    }
}

/** @param list<float> $values */
function median(array $values): float
{
    sort($values);
    $middle = intdiv(count($values), 2);
    return count($values) % 2 === 1 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
}

/** What wrk measured, and what the program's processes used meanwhile. */
final class Load
{
    public function __construct(
        public readonly int $requests,
        public readonly float $seconds,
        public readonly float $cpu_microseconds,
        public readonly float $p99_milliseconds,
        public readonly int $errors,
    ) {
    }

    public function cpu_per_request(): float
    {
        return $this->requests > 0 ? $this->cpu_microseconds / $this->requests : INF;
    }

    /**
     * One whose every response is compared with a file; those that differ are errors.
     *
     * @param non-empty-list<Program> $programs whose CPU time counts
     */
    public static function checked(array $programs, int $port, int $connections, float $seconds, string $path, string $expected, string $scheme = 'http'): self
    {
        return self::run($programs, $port, $connections, $seconds, ['-s', __DIR__ . '/check.lua'], $path, ['--', $expected], $scheme);
    }

    /**
     * @param Program|non-empty-list<Program> $programs whose CPU time counts
     * @param list<string> $arguments of wrk, after the usual ones
     * @param list<string> $last arguments after the address
     */
    public static function run(Program|array $programs, int $port, int $connections, float $seconds, array $arguments = [], string $path = '/', array $last = [], string $scheme = 'http'): self
    {
        $used = static fn (): float => array_sum(array_map(static fn (Program $program): float => $program->cpu_seconds(), is_array($programs) ? $programs : [$programs]));
        $before = $used();
        $began = microtime(true);
        $command = ['wrk', '-t1', "-c$connections", '-d' . max(1, (int) $seconds) . 's', '--latency', ...$arguments, "$scheme://127.0.0.1:$port$path", ...$last];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
        $took = microtime(true) - $began;
        $cpu = ($used() - $before) * 1e6;
        if (!preg_match('/(\d+) requests in/', $output, $requests)) {
            throw new \RuntimeException("wrk said: $output");
        }
        $errors = 0;
        if (preg_match('/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/', $output, $found)) {
            $errors += (int) $found[1] + (int) $found[2] + (int) $found[3] + (int) $found[4];
        }
        if (preg_match('/Non-2xx or 3xx responses: (\d+)/', $output, $found)) {
            $errors += (int) $found[1];
        }
        if (preg_match('/Wrong responses: (\d+)/', $output, $found)) {
            $errors = max($errors, (int) $found[1]); // those of other statuses are among them
        }
        preg_match('/99%\s+([\d.]+)(us|ms|s)/', $output, $p99);
        $scale = ['us' => 0.001, 'ms' => 1.0, 's' => 1000.0];
        return new self((int) $requests[1], $took, $cpu, isset($p99[1]) ? (float) $p99[1] * $scale[$p99[2]] : 0.0, $errors);
    }
}
