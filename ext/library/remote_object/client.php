<?php

declare(strict_types=1);

namespace Swoole\RemoteObject;

use Stampede\Library\RemoteObject\Folder;
use Stampede\Library\RemoteObject\Line;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\RemoteObject;
use WeakMap;
use WeakReference;

/**
 * Makes objects in a server of remote objects. All that one coroutine makes is in one worker there, and coroutines are shared
 * out over the workers, so that their calls are carried out at once.
 */
class Client
{
    private const MOST_ATTEMPTS = 32;  // connections, for one line

    private const PATIENCE = 0.05;  // seconds, until a second attempt goes beside one that has no response; twice as long for each further one

    /** @var array<string, WeakReference<self>> */
    private static array $instances = [];

    private readonly string $id;

    /** @var array{timeout: float, connect_timeout: float, token: string, package_max_length: int} */
    private readonly array $options;

    /** @var array<int, Line> By worker of the server. */
    private array $lines = [];

    /** @var WeakMap<object, Line> By context of a coroutine. */
    private WeakMap $places;

    /** Full while a coroutine chooses its line. */
    private ?Channel $choosing = null;

    private int $pid = 0;

    /**
     * @param string $host an address, or "unix:/path"
     * @param array<string, mixed> $options timeout (60: seconds of a call; one that takes longer ends the connection and the objects
     *        on it), connect_timeout (2), token, package_max_length (32 MiB)
     * @throws \InvalidArgumentException
     */
    public function __construct(private readonly string $host = '127.0.0.1', private readonly int $port = Server::DEFAULT_PORT, array $options = [])
    {
        $unknown = array_diff_key($options, ['timeout' => 1, 'connect_timeout' => 1, 'token' => 1, 'package_max_length' => 1]);
        if ($unknown !== []) {
            throw new \InvalidArgumentException('A client of remote objects has no option ' . array_key_first($unknown) . ': it has timeout, connect_timeout, token and package_max_length.');
        }
        $this->options = [
            'timeout' => (float) ($options['timeout'] ?? 60.0),
            'connect_timeout' => (float) ($options['connect_timeout'] ?? 2.0),
            'token' => (string) ($options['token'] ?? ''),
            'package_max_length' => (int) ($options['package_max_length'] ?? Server::MOST_BYTES),
        ];
        if (min($this->options['timeout'], $this->options['connect_timeout'], $this->options['package_max_length']) <= 0) {
            throw new \InvalidArgumentException('timeout, connect_timeout and package_max_length of a client of remote objects must be above 0.');
        }
        $this->id = bin2hex(random_bytes(16));
        self::$instances[$this->id] = WeakReference::create($this);
    }

    public function __destruct()
    {
        unset(self::$instances[$this->id]);
    }

    /**
     * An object of the class, made in the server.
     *
     * @throws Exception
     */
    public function create(string $class, mixed ...$args): RemoteObject
    {
        return RemoteObject::create($this, $class, $args);
    }

    /**
     * The result of a function, called in the server.
     *
     * @throws Exception
     */
    public function call(string $fn, mixed ...$args): mixed
    {
        return RemoteObject::call($this, $fn, $args);
    }

    public static function getInstance(string $clientId): ?static
    {
        $client = (self::$instances[$clientId] ?? null)?->get();
        return $client instanceof static ? $client : null;
    }

    public function getId(): string
    {
        return $this->id;
    }

    /**
     * One request to the worker of the calling coroutine.
     *
     * @param array<string, mixed> $array
     * @return mixed
     * @throws Exception
     */
    public function execute(string $path, array $array)
    {
        return $this->line()->call($path, $array);
    }

    /** Whether the server is there and takes this client's requests. */
    public function ping(): bool
    {
        try {
            $this->execute('ping', []);
            return true;
        } catch (Exception) {
            return false;
        }
    }

    private function line(): Line
    {
        $context = Coroutine::getContext() ?? throw new Exception('Calls of remote objects wait in coroutines: make them in Swoole\Coroutine\run() or go().');
        if ($this->pid !== getmypid()) {
            $this->pid = (int) getmypid();
            $this->lines = [];
            $this->places = new WeakMap();
            $this->choosing = new Channel(1);
        }
        $line = $this->places[$context] ?? null;
        if ($line !== null && !$line->isOver()) {
            return $line;
        }
        $choosing = $this->choosing;
        if ($choosing === null || !$choosing->push(true, $this->options['timeout'])) {
            throw new Exception("No connection to the server of remote objects has been made within the timeout of {$this->options['timeout']} s.");
        }
        try {
            return $this->places[$context] = $this->choose();
        } finally {
            $choosing->pop();
        }
    }

    /** A line that nobody uses, a new one to a worker that has none yet, or the one with the least use. */
    private function choose(): Line
    {
        $this->lines = array_filter($this->lines, static fn (Line $line): bool => !$line->isOver());
        $least = $this->leastUsed();
        if ($least !== null && ($this->uses($least) === 0 || count($this->lines) >= $least->workers)) {
            return $least;
        }
        $line = $this->connect();
        return $this->lines[$line->worker] ??= $line;
    }

    /**
     * A line to a worker that has none yet, or, when none was found, one of those there are. A worker that carries out a call may have
     * accepted a connection before, and responds after that call: when no response comes soon, the next attempt goes beside the first.
     */
    private function connect(): Line
    {
        $arrived = new Channel(self::MOST_ATTEMPTS);
        $attempts = [];
        $doubles = [];  // kept meanwhile, so that the connections after them come to other workers
        $deadline = microtime(true) + $this->options['timeout'];
        $patience = self::PATIENCE;
        try {
            while (($left = $deadline - microtime(true)) > 0) {
                if (count($attempts) < self::MOST_ATTEMPTS) {
                    $attempts[] = (int) Coroutine::create(fn (): bool => $arrived->push($this->attempt()));
                    $left = min($left, $patience);
                }
                $line = $arrived->pop($left);
                if ($line === false) {
                    $patience *= 2;
                    continue;
                }
                if (!$line instanceof Line) {
                    throw $line;
                }
                $doubles[] = $line;
                if (!isset($this->lines[$line->worker])) {
                    return $line;
                }
                if (count($doubles) >= min(4 * $line->workers, self::MOST_ATTEMPTS)) {
                    break;
                }
            }
        } finally {
            foreach (array_filter($attempts, Coroutine::exists(...)) as $attempt) {
                Coroutine::cancel($attempt);
            }
        }
        return $this->leastUsed() ?? throw new Exception("No worker of the server of remote objects has responded within the timeout of {$this->options['timeout']} s.");
    }

    private function attempt(): Line|Exception
    {
        try {
            return new Line($this->id, $this->host, $this->port, ['token' => $this->token()] + $this->options);
        } catch (Exception $failure) {
            return $failure;
        }
    }

    private function leastUsed(): ?Line
    {
        $least = null;
        foreach ($this->lines as $line) {
            if ($least === null || $this->uses($line) < $this->uses($least)) {
                $least = $line;
            }
        }
        return $least;
    }

    /** By coroutines that are there, and by objects. */
    private function uses(Line $line): int
    {
        $uses = $line->countObjects();
        foreach ($this->places as $place) {
            $uses += $place === $line ? 1 : 0;
        }
        return $uses;
    }

    private function token(): string
    {
        if ($this->options['token'] !== '' || str_starts_with($this->host, 'unix:')) {
            return $this->options['token'];
        }
        return Folder::token($this->port) ?? '';
    }
}
