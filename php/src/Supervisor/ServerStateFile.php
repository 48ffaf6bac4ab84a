<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Stampede\Config\Configuration;
use Stampede\Exception\ConfigurationException;
use Stampede\Exception\ServerException;

/** What a running server of an application is known by: a file with its process and addresses. */
final readonly class ServerStateFile
{
    private const MORE = 30.0; // seconds, for what the server's own limits do not count
    private const STOP = 15; // SIGTERM; the extension pcntl need not be there

    private const LARGEST = 65536; // bytes of the file

    private const MOST_SOCKET_PATH = 108;
    private const PATIENCE = 5; // seconds

    /**
     * @param list<string> $urls
     * @param string $born what tells the process from a later one of the same number
     * @param list<string> $beside addresses that are not for the application, and what they are for
     * @param list<array{string, string}> $certificates files of certificates and keys
     */
    public function __construct(
        public int $pid,
        public array $urls,
        public string $directory,
        public string $kind,
        public string $isolation,
        public int $workers,
        public int $startedAt,
        public string $control = '',
        public string $born = '',
        public array $beside = [],
        public array $certificates = [],
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
    public function generation(): ?GenerationStatus
    {
        $facts = $this->ask('generation');
        return $facts === null ? null : GenerationStatus::of($facts);
    }

    /**
     * @param array<string, mixed> $command
     * @return array<string, mixed>|null
     */
    public function call(array $command): ?array
    {
        if ($this->control === '' || is_link($this->control) || @fileowner($this->control) !== posix_geteuid()) {
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

    /** Where the file of a server that starts now will be. */
    public static function fileOf(string $directory, Configuration $options): string
    {
        $given = $options->text('pid-file');
        return $given !== '' ? $given : RuntimeDirectory::make() . '/' . self::nameFor($directory);
    }

    /** Null when none runs. */
    public static function find(string $directory, Configuration $options): ?self
    {
        foreach (self::filesOf($directory, $options, posix_geteuid()) as $file) {
            $server = self::read($file);
            if ($server !== null) {
                return $server;
            }
        }
        return null;
    }

    /** @return list<string> where the file may be */
    private static function filesOf(string $directory, Configuration $options, int $user): array
    {
        $given = $options->text('pid-file');
        return $given !== '' ? [$given] : array_map(static fn (string $folder): string => "{$folder}/" . self::nameFor($directory), RuntimeDirectory::all($user));
    }

    private static function nameFor(string $directory): string
    {
        return substr(hash('sha256', $directory), 0, 12) . '.json';
    }

    /** A sentence when find() finds none because the one there is belongs to somebody else, who alone can command it; only root, and who names a file, can know. */
    public static function ofAnotherUser(string $directory, Configuration $options): ?string
    {
        $users = array_map(static fn (string $folder): int => (int) @fileowner($folder), glob('{/run/user/*,' . sys_get_temp_dir() . '/stampede-*}', GLOB_BRACE | GLOB_ONLYDIR) ?: []);
        foreach (array_unique([posix_geteuid(), ...$users]) as $user) {
            foreach (self::filesOf($directory, $options, $user) as $file) {
                $pid = json_decode((string) @file_get_contents($file, length: self::LARGEST), true)['pid'] ?? null;
                $owner = @fileowner($file);
                if (is_int($pid) && $owner !== false && $owner !== posix_geteuid() && @fileowner("/proc/{$pid}") === $owner) {
                    $name = posix_getpwuid($owner)['name'] ?? "number {$owner}";
                    return "{$directory} is served by process {$pid} of the user {$name}: give the command as that user.";
                }
            }
        }
        return null;
    }

    /** What the file says. It is not known yet whether a server has written it. */
    private static function parse(string $file): ?self
    {
        $facts = is_file($file) && !is_link($file) ? json_decode((string) @file_get_contents($file, length: self::LARGEST), true) : null;
        if (!is_array($facts)) {
            return null;
        }
        try {
            return new self(...array_intersect_key($facts, get_class_vars(self::class)));
        } catch (\TypeError|\ArgumentCountError) {
            return null;
        }
    }

    /** Null when none runs. */
    public static function read(string $file): ?self
    {
        clearstatcache(true, $file);
        $server = @fileowner($file) === posix_geteuid() ? self::parse($file) : null;
        return $server !== null && $server->runs() ? $server : null;
    }

    /** Before anything is started. @throws ConfigurationException when there is no place for the file */
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
            throw new ConfigurationException("The pid file {$file} cannot be used: {$reason}. Choose another with --pid-file.");
        }
    }

    public function write(string $file): void
    {
        $temporary = $file . '.' . bin2hex(random_bytes(8));
        $mask = umask(0177);
        $stream = @fopen($temporary, 'x'); // never through a link, and nothing that is there
        umask($mask);
        $text = json_encode(get_object_vars($this), JSON_THROW_ON_ERROR);
        if ($stream === false || @fwrite($stream, $text) !== strlen($text) || !fclose($stream) || !@rename($temporary, $file)) {
            @unlink($temporary);
            throw new ServerException("The file {$file}, by which status, reload and stop find the server, cannot be written: is its disk full? Choose another with --pid-file.");
        }
    }

    /**
     * A number alone says nothing: after a crash another process may have it, in a container even the one that asks. So the process must have been
     * born when the server was, and what answers at the control socket must be that process.
     */
    private function runs(): bool
    {
        if ($this->pid === getmypid() || !$this->isItsProcess()) {
            return false;
        }
        $status = $this->control === '' ? null : $this->ask('status');
        return $status === null || ($status['pid'] ?? null) === $this->pid;
    }

    private function isItsProcess(): bool
    {
        return $this->born !== '' && self::birthOf($this->pid) === $this->born;
    }

    /** When the process began, and in which run of the kernel; empty when there is none, or one that has ended and that its parent has not asked for yet. */
    public static function birthOf(int $pid): string
    {
        $begin = ProcessStat::begin($pid);
        return $begin === null ? '' : "{$begin}@" . trim((string) @file_get_contents('/proc/sys/kernel/random/boot_id'));
    }

    public function signal(int $number): bool
    {
        return $this->isItsProcess() && posix_kill($this->pid, $number);
    }

    /** serving, draining or stopping; empty when it does not say. */
    public function state(): string
    {
        return (string) ($this->ask('status')['state'] ?? '');
    }

    /** Seconds that it may take to stop. */
    public function patience(): float
    {
        $settings = $this->ask('settings')['settings'] ?? [];
        return (float) ($settings['drain_time'] ?? 0) + max((float) ($settings['max_stop_time'] ?? 0), (float) ($settings['max_wait_time'] ?? 0)) + self::MORE;
    }

    /** False when it did not end in time. */
    public function stop(float $patience): bool
    {
        $this->signal(self::STOP);
        for ($until = microtime(true) + $patience; $this->isItsProcess();) {
            if (microtime(true) > $until) {
                return false;
            }
            usleep(20_000);
        }
        return true;
    }
}
