<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * How often a second this machine does the work of a request when there is no server, no request and no ab: what no server can be faster than. Reads and files are done
 * by as many processes of PHP as there are processors (alone.php), queries by the client mariadb-slap, which is written in C.
 */
final class Alone
{
    private const QUERIES = 20; // of one request
    private const CONNECTIONS = 480; // of mariadb-slap: more of them were not faster
    private const DATABASE = 'alone';

    /** @param array<string, string> $environment */
    public function __construct(private readonly int $port, private readonly int $processors, private readonly float $seconds, private readonly array $environment)
    {
        (new \mysqli('127.0.0.1', 'root', '', '', $port))->query('CREATE DATABASE ' . self::DATABASE);
    }

    /**
     * Requests a second that have all of these parts, one after another: the times of the parts add up.
     *
     * @param list<string> $parts of reads, files, memory (files there), queries
     */
    public function rate(array $parts): float
    {
        $seconds = array_map(fn (string $part): float => 1 / ($part === 'queries' ? $this->queries() : $this->php($part)), $parts);
        return 1 / array_sum($seconds);
    }

    private function php(string $part): float
    {
        $command = [...Opponents::php_with_module(), __DIR__ . '/alone.php', $part, (string) $this->seconds];
        $processes = $outputs = [];
        for ($i = 0; $i < $this->processors; $i++) {
            $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, null, Opponents::php_environment($this->environment));
            if ($process === false) {
                throw new \RuntimeException('PHP could not be started.');
            }
            $processes[] = $process;
            $outputs[] = $pipes[1];
        }
        $rate = 0.0;
        foreach ($processes as $i => $process) {
            $output = trim((string) stream_get_contents($outputs[$i]));
            if (proc_close($process) !== 0 || !is_numeric($output)) {
                throw new \RuntimeException("alone.php $part said: $output");
            }
            $rate += (float) $output;
        }
        return $rate;
    }

    private function queries(): float
    {
        $count = max(self::CONNECTIONS, (int) ($this->seconds * 20_000));
        $command = ['timeout', '300', Opponents::command('mariadb-slap'), '--no-defaults', '--host=127.0.0.1', "--port=$this->port", '--user=root', '--no-drop', '--create-schema=' . self::DATABASE,
            '--query=SELECT SLEEP(0.01)', '--concurrency=' . self::CONNECTIONS, "--number-of-queries=$count"];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
        if (preg_match('/Average number of seconds to run all queries: ([\d.]+)/', $output, $took) !== 1 || str_contains($output, 'Error')) {
            throw new \RuntimeException('mariadb-slap said: ' . substr($output, -1000));
        }
        return $count / (float) $took[1] / self::QUERIES;
    }
}
