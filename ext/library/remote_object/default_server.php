<?php

declare(strict_types=1);

namespace Stampede\Library\RemoteObject;

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Event;
use Swoole\RemoteObject\Client;
use Swoole\RemoteObject\Exception;
use Swoole\RemoteObject\Server;
use Swoole\Timer;

/**
 * The server of remote objects that belongs to this process and to those that it forks later: a PHP of its own on a unix
 * socket, which ends when the end of its standard input, or /proc, says that this process is gone.
 *
 * @internal
 */
final class DefaultServer extends Server
{
    private const SECONDS_TO_START = 20;

    /** The server's process, in the process that has started it: no child of it, wait() is for those of the application. */
    private static string $process = '';

    /** @var array{resource, resource}|null Its standard input, and what closes that when it is freed: the server ends then. */
    private static ?array $life = null;

    private static int $owner = 0;

    private static string $host = '';

    private static string $token = '';

    private static ?Client $client = null;

    private static ?Channel $starting = null;

    /** The process that has started this one, as life() knows it. */
    private string $parent = '';

    /** @var resource|null Where the parent waits for the start. */
    private $ready;

    private ?int $timer = null;

    /** swoole_init_default_remote_object_server() */
    public static function init(): void
    {
        if (Coroutine::getCid() < 1) {
            self::startOnce();
            return;
        }
        self::$starting ??= new Channel(1);
        if (!self::$starting->push(true, self::SECONDS_TO_START + 1)) {
            throw new Exception('Another coroutine has not started the server of remote objects in time.');
        }
        try {
            self::startOnce();
        } finally {
            self::$starting->pop();
        }
    }

    /** swoole_get_default_remote_object_client() */
    public static function client(): Client
    {
        self::init();
        return self::$client ??= new Client(self::$host, 0, ['token' => self::$token] + (array) (swoole_library_get_option('remote_object_client') ?? []));
    }

    /** swoole_get_default_remote_object_server_dir() */
    public static function dir(): string
    {
        return Folder::path();
    }

    /** What the server's process runs. */
    public static function serve(): void
    {
        $ready = fopen('php://fd/3', 'w') ?: throw new Exception('The server of remote objects was not started by its client.');
        /** @var array{host: string, parent: string, options: array<string, mixed>, bootstrap: list<string>} $order */
        $order = json_decode((string) fgets(STDIN), true, 16, JSON_THROW_ON_ERROR);
        try {
            foreach ($order['bootstrap'] as $file) {
                require_once $file;
            }
            $server = new self($order['host'], 0, $order['options']);
            $server->endWith($order['parent'], $ready);
            $server->start();
            $server->forget();
            @unlink(substr($order['host'], strlen('unix:')));
        } catch (\Throwable $error) {
            fwrite($ready, strtr($error->getMessage(), "\n", ' ') . "\n");
        }
    }


    /** @param resource $ready */
    private function endWith(string $parent, $ready): void
    {
        $this->parent = $parent;
        $this->ready = $ready;
    }

    public function onStart(): void
    {
        Event::add(STDIN, function (): void {
            $this->forget();
            $this->shutdown();
        });
        // A process that the parent has forked may keep the other end of the pipe.
        $this->timer = (int) Timer::tick(1000, function (): void {
            if (!self::lives($this->parent)) {
                $this->forget();
                $this->shutdown();
            }
        });
        if ($this->ready !== null) {
            fwrite($this->ready, 'ready ' . self::life((int) getmypid()) . "\n");
            fclose($this->ready);
            $this->ready = null;
        }
    }

    /** The parent is looked at no longer. */
    private function forget(): void
    {
        if ($this->timer !== null) {
            Timer::clear($this->timer);
            Event::del(STDIN);
            $this->timer = null;
        }
    }

    private static function startOnce(): void
    {
        if (self::$host !== '' && (self::$owner !== getmypid() || self::lives(self::$process))) {
            return;
        }
        if (PHP_SAPI !== 'cli') {
            throw new Exception('The default server of remote objects is started by PHP on the command line alone: run a Swoole\RemoteObject\Server.');
        }
        Folder::sweep();
        $host = 'unix:' . Folder::path() . '/' . getmypid() . '-' . bin2hex(random_bytes(4)) . '.sock';
        $token = bin2hex(random_bytes(32));
        // The shell ends at once, so that the server is nobody's child.
        $process = proc_open(
            ['/bin/sh', '-c', 'exec 4<&0; "$@" <&4 4<&- &', 'sh', PHP_BINARY, ...self::settings(), '-r', self::class . '::serve();'],
            [['pipe', 'r'], 3 => ['pipe', 'w']],
            $pipes,
        );
        if (!is_resource($process)) {
            throw new Exception('The server of remote objects cannot be started: no process can be made.');
        }
        fwrite($pipes[0], json_encode(self::order($host, $token), JSON_THROW_ON_ERROR) . "\n");
        stream_set_timeout($pipes[3], self::SECONDS_TO_START);
        $said = self::waitFor($pipes[3]);
        // This takes the end of the shell. (proc_close() would close the pipes.)
        for ($i = 0; proc_get_status($process)['running'] && $i < 1000; $i++) {
            usleep(1000);
        }
        if (!str_starts_with($said, 'ready ')) {
            fclose($pipes[0]);
            throw new Exception('The server of remote objects could not start: ' . ($said !== '' ? $said : 'its messages say why.'));
        }
        [self::$process, self::$life, self::$owner, self::$host, self::$token, self::$client] = [substr($said, 6), [$pipes[0], $process], (int) getmypid(), $host, $token, null];
    }

    /** A process by its number and the time of its start, since numbers are used again; empty when it has ended. */
    private static function life(int $pid): string
    {
        $stat = (string) @file_get_contents("/proc/{$pid}/stat");
        $fields = explode(' ', substr($stat, (int) strrpos($stat, ')') + 2));
        return count($fields) < 20 || in_array($fields[0], ['Z', 'X'], true) ? '' : "{$pid}:{$fields[19]}";
    }

    private static function lives(string $process): bool
    {
        return $process !== '' && self::life((int) $process) === $process;
    }

    /** @param resource $pipe */
    private static function waitFor($pipe): string
    {
        $read = [$pipe];
        $write = $except = null;
        return stream_select($read, $write, $except, self::SECONDS_TO_START) === 1 ? trim((string) fgets($pipe)) : 'it took longer than ' . self::SECONDS_TO_START . ' s.';
    }

    /** @return array<string, mixed> */
    private static function order(string $host, string $token): array
    {
        $options = (array) (swoole_library_get_option('remote_object_server') ?? []);
        $bootstrap = isset($options['bootstrap']) ? [(string) $options['bootstrap']] : self::autoloaders();
        unset($options['bootstrap']);
        return ['host' => $host, 'parent' => self::life((int) getmypid()), 'options' => ['token' => $token] + $options, 'bootstrap' => $bootstrap];
    }

    /** @return list<string> those of Composer that this process uses */
    private static function autoloaders(): array
    {
        if (!class_exists(\Composer\Autoload\ClassLoader::class, false)) {
            return [];
        }
        $files = array_map(static fn (string $vendor): string => "{$vendor}/autoload.php", array_keys(\Composer\Autoload\ClassLoader::getRegisteredLoaders()));
        return array_values(array_filter($files, is_file(...)));
    }

    /** @return list<string> the settings that this PHP was started with */
    private static function settings(): array
    {
        $given = explode("\0", (string) @file_get_contents('/proc/self/cmdline'));
        $settings = [];
        for ($i = 1; $i < count($given); $i++) {
            if (in_array($given[$i], ['-d', '-c'], true)) {
                array_push($settings, $given[$i], $given[++$i] ?? '');
            } elseif ($given[$i] === '-n' || preg_match('/^-[dc]./', $given[$i]) === 1) {
                $settings[] = $given[$i];
            } else {
                break;
            }
        }
        return $settings;
    }
}
