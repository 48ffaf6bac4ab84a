<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A real MariaDB, PostgreSQL or Redis in a folder of its own, on a free port and a socket there. Ends with the object. */
final class Database implements Stoppable
{
    private const TIME = 30.0;

    /** @var resource|null */
    private $process;

    /** @param list<string> $command */
    private function __construct(private readonly array $command, public readonly string $folder, public readonly int $port, private readonly int $stopSignal)
    {
        Started::add($this);
        $this->start();
    }

    public function __destruct()
    {
        $this->stop(SIGKILL);
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    /** @param list<string> $more options of the server */
    public static function mariadb(array $more = []): self
    {
        [$folder, $port] = self::place('mysql');
        $as = posix_getuid() === 0 ? ['--user=mysql'] : [];
        self::prepare(['mariadb-install-db', '--no-defaults', "--datadir=$folder/data", "--tmpdir=$folder", '--auth-root-authentication-method=normal', ...$as]);
        return new self([...self::as('mysql'), 'mariadbd', '--no-defaults', "--datadir=$folder/data", "--tmpdir=$folder", "--socket=$folder/sock", "--port=$port",
            '--bind-address=127.0.0.1', '--max-connections=400', '--innodb-buffer-pool-size=32M', '--skip-name-resolve', ...$more], $folder, $port, SIGTERM);
    }

    /** @param list<string> $more settings, name=value */
    public static function postgres(array $more = []): self
    {
        [$folder, $port] = self::place('postgres');
        $binaries = glob('/usr/lib/postgresql/*/bin') ?: [''];
        $bin = end($binaries);
        self::prepare([...self::as('postgres'), "$bin/initdb", '-D', "$folder/data", '-A', 'trust', '-U', 'postgres', '-N']);
        $options = [];
        foreach (['max_connections=300', 'fsync=off', ...$more] as $setting) {
            array_push($options, '-c', $setting);
        }
        return new self([...self::as('postgres'), "$bin/postgres", '-D', "$folder/data", '-p', (string) $port, '-k', $folder, ...$options], $folder, $port, SIGINT);
    }

    public static function redis(): self
    {
        [$folder, $port] = self::place('redis');
        return new self([...self::as('redis'), 'redis-server', '--port', (string) $port, '--unixsocket', "$folder/sock", '--save', '', '--dir', $folder], $folder, $port, SIGTERM);
    }

    /** On the same port and data. */
    public function start(): void
    {
        $log = ['file', "$this->folder/output", 'a'];
        $process = proc_open($this->command, [['file', '/dev/null', 'r'], $log, $log], $pipes);
        if ($process === false) {
            throw new \RuntimeException("{$this->command[0]} cannot be started.");
        }
        $this->process = $process;
        $answers = function (): bool {
            $socket = @stream_socket_client("tcp://127.0.0.1:$this->port", $code, $message, 1.0);
            return !$this->isAlive() || ($socket !== false && fclose($socket));
        };
        if (!Server::until(self::TIME, $answers) || !$this->isAlive()) {
            throw new \RuntimeException(basename($this->command[0]) . " did not start:\n" . file_get_contents("$this->folder/output"));
        }
    }

    public function stop(?int $signal = null): void
    {
        if ($this->process === null) {
            return;
        }
        proc_terminate($this->process, $signal ?? $this->stopSignal);
        if (!Server::until(self::TIME, fn (): bool => !$this->isAlive())) {
            proc_terminate($this->process, SIGKILL);
        }
        proc_close($this->process);
        $this->process = null;
    }

    public function end(): void
    {
        $this->stop(SIGKILL);
    }

    public function pid(): int
    {
        return $this->process === null ? 0 : proc_get_status($this->process)['pid'];
    }

    private function isAlive(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    /** @return array{string, int} a folder that the user may write to, and a port */
    private static function place(string $user): array
    {
        $folder = External::folder();
        if (posix_getuid() === 0) {
            chown($folder, $user);
        }
        return [$folder, Server::freePort()];
    }

    /** @return list<string> */
    private static function as(string $user): array
    {
        return posix_getuid() === 0 ? ['setpriv', "--reuid=$user", "--regid=$user", '--clear-groups'] : [];
    }

    /** @param list<string> $command */
    private static function prepare(array $command): void
    {
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        $output = $process === false ? '' : (string) stream_get_contents($pipes[1]);
        if ($process === false || proc_close($process) !== 0) {
            throw new \RuntimeException("A database could not be prepared:\n$output");
        }
    }
}
