<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A sample application of tests/e2e/applications, or a folder of the tree such as examples/plain, in a folder of its own, with its packages, and the command stampede for it. */
final class Application implements Stoppable
{
    private const START_TIME = 30.0;
    private const END_TIME = 20.0;

    public readonly string $folder;
    public readonly int $port;
    /** @var resource|null */
    private $process = null;
    private static bool $commandIsInstalled = false;

    public function __construct(string $name)
    {
        Started::add($this);
        $this->folder = External::folder();
        $this->port = Server::freePort();
        $source = is_dir(dirname(__DIR__, 3) . "/{$name}") ? dirname(__DIR__, 3) . "/{$name}" : __DIR__ . "/../applications/{$name}";
        self::shell('cp -r ' . escapeshellarg("{$source}/.") . ' ' . escapeshellarg($this->folder));
        self::shell('rm -rf ' . escapeshellarg("{$this->folder}/vendor") . ' ' . escapeshellarg("{$this->folder}/var")); // of one who has tried it in the tree
        if (is_file("{$this->folder}/composer.json")) {
            $vendor = self::packagesOf($name, "{$this->folder}/composer.json");
            self::shell('cp -a ' . escapeshellarg($vendor) . ' ' . escapeshellarg("{$this->folder}/vendor"));
            self::composer($this->folder, 'dump-autoload --quiet');
        }
        foreach (['storage/framework/cache', 'storage/framework/sessions', 'storage/framework/views', 'storage/logs', 'bootstrap/cache'] as $folder) {
            if ($name === 'laravel') {
                mkdir("{$this->folder}/{$folder}", 0755, true);
            }
        }
        self::installCommand();
    }

    /** Once for all programs of a run: servers of others use these files. */
    private static function installCommand(): void
    {
        if (self::$commandIsInstalled) {
            return;
        }
        Installing::alone(static function (): void {
            $marker = dirname(__DIR__, 3) . '/build/command-installed';
            $run = getenv('E2E_RUN') ?: uniqid();
            if (@file_get_contents($marker) !== $run) {
                self::composer(dirname(__DIR__, 3) . '/php', 'update --no-dev --quiet --no-interaction');
                file_put_contents($marker, $run);
            }
        });
        self::$commandIsInstalled = true;
    }

    public function __destruct()
    {
        $this->stop();
        self::shell('rm -rf ' . escapeshellarg($this->folder));
    }

    /**
     * Serves, and waits until it listens or has ended.
     *
     * @param list<string> $options
     * @param string $folder another name of the folder
     * @param list<string> $settings of php.ini
     * @param list<string> $arguments of the command php, instead of what it has for the tests
     */
    public function serve(array $options = [], string $folder = '', array $settings = [], array $arguments = []): bool
    {
        $this->start($options, $folder, settings: $settings, arguments: $arguments);
        return $this->listens();
    }

    /**
     * @param list<string> $options
     * @param string $folder another name of the folder
     * @param string $module the extension, where it is not named by its whole path
     * @param list<string> $settings of php.ini
     * @param list<string> $arguments of the command php, instead of what it has for the tests
     */
    public function start(array $options = [], string $folder = '', string $module = '', array $settings = [], array $arguments = []): void
    {
        $command = self::command(['serve', $folder !== '' ? $folder : $this->folder, "--listen=127.0.0.1:{$this->port}", ...$options], $module, $settings);
        if ($arguments !== []) {
            $command = [PHP_BINARY, ...$arguments, '-d', 'extension=' . realpath(self::module()), ...array_slice($command, (int) array_search(dirname(__DIR__, 3) . '/php/bin/stampede', $command, true))];
        }
        $command = ['exec', ...array_map('escapeshellarg', $command)];
        $this->process = proc_open(implode(' ', $command), [['file', '/dev/null', 'r'], ['file', "{$this->folder}.log", 'w'], ['redirect', 1]], $pipes, null, ['STAMPEDE_DRAIN' => '0'] + getenv()) ?: null;
    }

    public function listens(): bool
    {
        Server::until(self::START_TIME, fn (): bool => str_contains($this->output(), 'Listening on') || !$this->alive());
        return str_contains($this->output(), 'Listening on');
    }

    public function alive(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    public function output(): string
    {
        return (string) file_get_contents("{$this->folder}.log");
    }

    public function stop(): void
    {
        if ($this->process === null) {
            return;
        }
        if ($this->alive()) {
            proc_terminate($this->process);
            if (!Server::until(self::END_TIME, fn (): bool => !$this->alive())) {
                proc_terminate($this->process, SIGKILL);
            }
        }
        proc_close($this->process);
        $this->process = null;
        @unlink("{$this->folder}.log");
    }

    public function end(): void
    {
        $this->stop();
    }

    /**
     * @param list<string> $fields
     * @return array{int, string, string} status, header fields, body
     */
    public function ask(string $path, string $body = '', array $fields = [], string $method = ''): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$this->port}");
        $method = $method !== '' ? $method : ($body === '' ? 'GET' : 'POST');
        $length = $body === '' ? '' : 'Content-Length: ' . strlen($body) . "\r\n";
        $peer->send(["{$method} {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{$length}" . implode('', array_map(fn (string $field): string => "{$field}\r\n", $fields)) . "\r\n{$body}"], 60.0);
        $bytes = $peer->readToEnd(30.0);
        [$head] = explode("\r\n\r\n", $bytes, 2);
        $answers = Answer::all($bytes, [$method]);
        return $answers === [] ? [0, $head, ''] : [$answers[0]->status, $head, $answers[0]->body];
    }

    /** @return array{int, string} status and body of the response to these bytes, after which the connection is closed */
    public function raw(string $bytes): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$this->port}");
        $peer->send([$bytes], 10.0);
        $answers = Answer::all($peer->readToEnd(10.0), ['GET']);
        return $answers === [] ? [0, ''] : [$answers[0]->status, $answers[0]->body];
    }

    /** @return array{int, string, string} what a form with one file gives */
    public function upload(string $path): array
    {
        $body = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n"
            . "--border\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\nvalue\r\n--border--\r\n";
        return $this->ask($path, $body, ['Content-Type: multipart/form-data; boundary=border']);
    }

    /**
     * @param list<string> $arguments
     * @param array<string, string> $environment
     * @return array{int, string} exit status and output
     */
    public static function run(array $arguments, array $environment = []): array
    {
        $process = proc_open(self::command($arguments), [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, null, $environment + getenv());
        $output = (string) stream_get_contents($pipes[1]);
        return [proc_close($process), $output];
    }

    /**
     * @param list<string> $arguments
     * @return list<string>
     */
    public static function command(array $arguments, string $module = '', array $settings = []): array
    {
        $module = $module !== '' ? $module : realpath(self::module());
        $settings = array_merge(...array_map(static fn (string $setting): array => ['-d', $setting], ["extension={$module}", 'memory_limit=256M', ...$settings]));
        return [PHP_BINARY, ...$settings, dirname(__DIR__, 3) . '/php/bin/stampede', ...$arguments];
    }

    public static function module(): string
    {
        return getenv('MODULE') ?: dirname(__DIR__, 3) . '/modules/stampede.so';
    }

    /** The folder of packages that a composer.json asks for, installed below build/ once. */
    public static function packagesOf(string $name, string $file): string
    {
        $work = dirname(__DIR__, 3) . "/build/applications/{$name}";
        $wanted = json_decode((string) file_get_contents($file), true, 16, JSON_THROW_ON_ERROR);
        $more = self::repository();
        if ($more !== '') {
            $wanted['repositories']['more'] = ['type' => 'composer', 'url' => $more];
        }
        $wanted['config']['platform']['php'] = '8.2.30';
        unset($wanted['autoload']);
        $text = json_encode($wanted, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);
        Installing::alone(static function () use ($work, $text): void {
            @mkdir($work, 0755, true);
            if (!is_file("{$work}/vendor/autoload.php") || @file_get_contents("{$work}/composer.json") !== $text) {
                @unlink("{$work}/composer.lock");
                file_put_contents("{$work}/composer.json", $text);
                self::composer($work, 'update --no-interaction --quiet');
            }
        });
        return "{$work}/vendor";
    }

    private static function repository(): string
    {
        $beside = dirname(__DIR__, 4) . '/shared/composer';
        return getenv('STAMPEDE_COMPOSER_REPOSITORY') ?: (is_file("{$beside}/packages.json") ? 'file://' . realpath($beside) : '');
    }

    private static function composer(string $folder, string $arguments): void
    {
        self::shell('COMPOSER_ALLOW_SUPERUSER=1 timeout 300 composer --working-dir=' . escapeshellarg($folder) . " {$arguments}");
    }

    private static function shell(string $command): void
    {
        exec("{$command} 2>&1", $output, $status);
        if ($status !== 0) {
            throw new \RuntimeException("{$command} failed:\n" . implode("\n", $output));
        }
    }
}
