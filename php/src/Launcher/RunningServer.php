<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** What a running server of an application is known by: a file with its process and addresses. */
final readonly class RunningServer
{
    private const STOP = 15; // SIGTERM; the extension pcntl need not be there
    private const NOT_PERMITTED = 1; // EPERM: the process is there and another user's

    private const LARGEST = 65536; // bytes of the file

    private const MOST_SOCKET_PATH = 108;
    private const PATIENCE = 5; // seconds

    /** @param list<string> $urls */
    public function __construct(
        public int $pid,
        public array $urls,
        public string $directory,
        public string $kind,
        public string $isolation,
        public int $workers,
        public int $startedAt,
        public string $control = '',
    ) {}

    /** The control socket that lies beside a server's file; empty when its path would be too long for one. */
    public static function controlOf(string $file): string
    {
        $path = (str_ends_with($file, '.json') ? substr($file, 0, -5) : $file) . '.sock';
        return strlen($path) < self::MOST_SOCKET_PATH ? $path : '';
    }

    /**
     * What the supervisor responds to a command; null when it cannot be asked, or has nothing but an error.
     *
     * @return array<string, mixed>|null
     */
    public function ask(string $command): ?array
    {
        $response = $this->call(['command' => $command]);
        return isset($response['error']) ? null : $response;
    }

    /** Null when the server cannot be asked. */
    public function generation(): ?GenerationState
    {
        $facts = $this->ask('generation');
        return $facts === null ? null : new GenerationState($facts['present'], $facts['asked'], $facts['settled'], $facts['loading'], $facts['replacing'], $facts['failure'], $facts['boot_pid']);
    }

    /**
     * @param array<string, mixed> $command
     * @return array<string, mixed>|null
     */
    public function call(array $command): ?array
    {
        if ($this->control === '' || @fileowner($this->control) !== posix_geteuid()) {
            return null;
        }
        $socket = @stream_socket_client("unix://{$this->control}", $code, $message, self::PATIENCE);
        if ($socket === false) {
            return null;
        }
        stream_set_timeout($socket, self::PATIENCE);
        fwrite($socket, json_encode($command, JSON_THROW_ON_ERROR) . "\n");
        $response = json_decode((string) fgets($socket), true);
        fclose($socket);
        return is_array($response) ? $response : null;
    }

    public static function fileOf(string $directory, Options $options): string
    {
        $given = $options->text('pid-file');
        return $given !== '' ? $given : self::usualFile($directory, (string) posix_geteuid());
    }

    private static function usualFile(string $directory, string $user): string
    {
        return sprintf('%s/stampede-%s-%s.json', sys_get_temp_dir(), $user, substr(hash('sha256', $directory), 0, 12));
    }

    /** A sentence when read() finds none because the one there is belongs to somebody else, who alone can command it. */
    public static function ofAnotherUser(string $directory, Options $options): ?string
    {
        $given = $options->text('pid-file');
        foreach ($given !== '' ? [$given] : (glob(self::usualFile($directory, '*')) ?: []) as $file) {
            $pid = json_decode((string) @file_get_contents($file, length: self::LARGEST), true)['pid'] ?? null;
            $user = @fileowner($file);
            if (is_int($pid) && $user !== posix_geteuid() && $user !== false && @fileowner("/proc/{$pid}") === $user) {
                $name = posix_getpwuid($user)['name'] ?? "number {$user}";
                return "{$directory} is served by process {$pid} of the user {$name}: give the command as that user.";
            }
        }
        return null;
    }

    /** Null when none runs. */
    public static function read(string $file): ?self
    {
        $facts = is_file($file) ? json_decode((string) @file_get_contents($file, length: self::LARGEST), true) : null;
        if (!is_array($facts) || !isset($facts['pid']) || fileowner($file) !== posix_geteuid()) {
            return null;
        }
        $server = new self(...$facts);
        return $server->runs() ? $server : null;
    }

    /** Before anything is started. @throws LaunchException when there is no place for the file */
    public static function demandPlace(string $file): void
    {
        $folder = dirname($file);
        $reason = match (true) {
            !is_dir($folder) => "the folder {$folder} does not exist",
            !is_writable($folder) => "the folder {$folder} cannot be written",
            file_exists($file) && !is_file($file) => 'it is no file',
            default => null,
        };
        if ($reason !== null) {
            throw new LaunchException("The pid file {$file} cannot be used: {$reason}. Choose another with --pid-file.");
        }
    }

    public function write(string $file): void
    {
        $temporary = "{$file}." . getmypid();
        if (@file_put_contents($temporary, json_encode(get_object_vars($this), JSON_THROW_ON_ERROR)) === false || !@rename($temporary, $file)) {
            @unlink($temporary);
            throw new LaunchException("The file {$file}, by which status, reload and stop find the server, cannot be written: is its disk full? Choose another with --pid-file.");
        }
    }

    public function runs(): bool
    {
        if (!posix_kill($this->pid, 0) && posix_get_last_error() !== self::NOT_PERMITTED) {
            return false;
        }
        // One that has ended stays in the table of processes until its parent asks for it.
        return preg_match('/^State:\s+[ZX]/m', (string) @file_get_contents("/proc/{$this->pid}/status")) !== 1;
    }

    /** False when it did not end in time. */
    public function stop(float $patience): bool
    {
        posix_kill($this->pid, self::STOP);
        for ($until = microtime(true) + $patience; $this->runs();) {
            if (microtime(true) > $until) {
                return false;
            }
            usleep(20_000);
        }
        return true;
    }
}
