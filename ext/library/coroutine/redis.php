<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use Stampede\Database\Call;
use Stampede\Database\RedisCollections;
use Stampede\Database\RedisKeys;
use Stampede\Database\RedisReply;
use Swoole\Coroutine;

/**
 * A client of Redis that speaks its protocol itself. Connects again by itself when the connection was lost between
 * commands; a command under way fails with it.
 */
class Redis
{
    use RedisKeys;
    use RedisCollections;

    private const EINVAL = 22;

    private const ENOTCONN = 107;

    private const ERROR_IO = 1;

    private const ERROR_OTHER = 2;

    private const ERROR_EOF = 3;

    private const ERROR_PROTOCOL = 4;

    private const ERROR_CLOSED = 6;

    /** @var string */
    public $host = '';

    /** @var int */
    public $port = 0;

    /** @var array<string, mixed> as setOptions() has them */
    public $setting = ['connect_timeout' => 1.0, 'timeout' => -1.0, 'serialize' => false, 'reconnect' => 1, 'compatibility_mode' => false];

    /** @var int */
    public $sock = -1;

    /** @var bool */
    public $connected = false;

    /** @var int 1 input and output, 2 an error of the server, 3 the server closed, 4 not Redis, 6 not connected */
    public $errType = 0;

    /** @var int */
    public $errCode = 0;

    /** @var string */
    public $errMsg = '';

    private ?Socket $socket = null;

    private ?RedisReply $reply = null;

    private bool $defer = false;

    private bool $compatible = false;

    private bool $subscribed = false;

    /** The coroutine that waits for a reply. */
    private int $user = 0;

    /** @var list<Closure|null> what becomes of the replies that were not received yet */
    private array $pending = [];

    /** @var string|list<string>|null */
    private string|array|null $auth = null;

    private int $database = 0;

    /** Takes the options of setOptions(), and password and database. @param array<string, mixed>|null $config */
    public function __construct(?array $config = null)
    {
        $config ??= [];
        $this->auth = isset($config['password']) && $config['password'] !== '' ? $config['password'] : null;
        $this->database = (int) ($config['database'] ?? 0);
        $this->setting['timeout'] = (float) (Coroutine::getOptions()['socket_timeout'] ?? -1);
        $this->setOptions($config);
    }

    public function __destruct()
    {
        $this->drop();
    }

    /**
     * Seconds: connect_timeout, timeout (of a reply, below 0 without limit); serialize (values are serialized),
     * reconnect (tries), compatibility_mode (hashes and scores as phpredis gives them).
     *
     * @param array<string, mixed> $options
     * @return bool
     */
    public function setOptions(array $options)
    {
        $this->setting = $options + $this->setting;
        $this->compatible = (bool) $this->setting['compatibility_mode'];
        return true;
    }

    /** @return array<string, mixed> */
    public function getOptions()
    {
        return $this->setting;
    }

    /** A name, an address, or "unix:/path". @return bool */
    public function connect($host, $port = 6379, $serialize = null)
    {
        if ($this->connected && $this->host === $host && $this->port === (int) $port) {
            return true;
        }
        $this->drop();
        $this->host = (string) $host;
        $this->port = (int) $port;
        if ($serialize !== null) {
            $this->setting['serialize'] = (bool) $serialize;
        }
        return $this->reach();
    }

    /** @return bool */
    public function close()
    {
        if (!$this->connected) {
            return false;
        }
        $this->drop();
        return true;
    }

    /** @param string|list<string> $password a password, or a user and a password. @return bool */
    public function auth($password)
    {
        $done = $this->request(['AUTH', ...(array) $password]);
        if ($done !== false) {
            $this->auth = $password;
        }
        return $done;
    }

    /** @return bool */
    public function select($database)
    {
        $done = $this->request(['SELECT', $database]);
        if ($done !== false) {
            $this->database = (int) $database;
        }
        return $done;
    }

    /** @return string|list<string>|false */
    public function getAuth()
    {
        return $this->connected ? $this->auth ?? false : false;
    }

    /** @return int|false */
    public function getDBNum()
    {
        return $this->connected ? $this->database : false;
    }

    /** @return bool */
    public function getDefer()
    {
        return $this->defer;
    }

    /** While on, commands are only sent; recv() gives their replies, in order. @return bool */
    public function setDefer($defer = true)
    {
        if ($this->subscribed) {
            trigger_error('you should not use setDefer after subscribe', E_USER_WARNING);
            return false;
        }
        $this->defer = (bool) $defer;
        return true;
    }

    /** Any command. @param list<mixed> $params @return mixed */
    public function request(array $params)
    {
        return $this->ask(array_values($params), null);
    }

    /** The reply to the oldest deferred command, or the next message of a subscription. @return mixed */
    public function recv(float $timeout = 0)
    {
        if ($this->socket === null) {
            return $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
        }
        if (!$this->subscribed && $this->pending === []) {
            return false;
        }
        $this->refuseSecondUser();
        return $this->receive($this->subscribed ? null : array_shift($this->pending), $timeout);
    }

    /** What comes is for recv(): the confirmation, then ["message", channel, text]. @param list<string> $channels @return bool */
    public function subscribe(array $channels)
    {
        return $this->listen('SUBSCRIBE', $channels);
    }

    /** @param list<string> $patterns @return bool */
    public function pSubscribe(array $patterns)
    {
        return $this->listen('PSUBSCRIBE', $patterns);
    }

    /** @param list<string> $channels @return bool */
    public function unsubscribe(array $channels)
    {
        return $this->listen('UNSUBSCRIBE', $channels);
    }

    /** @param list<string> $patterns @return bool */
    public function pUnSubscribe(array $patterns)
    {
        return $this->listen('PUNSUBSCRIBE', $patterns);
    }

    /** @param list<mixed> $command */
    private function ask(array $command, ?Closure $finish): mixed
    {
        $this->refuseSecondUser();
        if (!$this->send($command)) {
            return false;
        }
        if ($this->defer) {
            $this->pending[] = $finish;
            return true;
        }
        return $this->receive($finish, 0);
    }

    /** Before anything is sent: its reply would be taken for that of the waiting coroutine. */
    private function refuseSecondUser(): void
    {
        if ($this->user !== 0) {
            Call::refuse('Redis', $this->user);
        }
    }

    /** @param list<string> $channels */
    private function listen(string $command, array $channels): bool
    {
        if ($this->defer) {
            trigger_error('you should not use ' . strtolower($command) . ' in defer mode', E_USER_WARNING);
            return false;
        }
        $this->subscribed = $this->send([$command, ...array_values($channels)]);
        return $this->subscribed;
    }

    /** @param list<mixed> $command */
    private function send(array $command): bool
    {
        if ($this->socket === null || (!$this->subscribed && $this->pending === [] && !$this->socket->checkLiveness())) {
            if (!$this->reachAgain()) {
                return false;
            }
        }
        $this->errType = $this->errCode = 0;
        $this->errMsg = '';
        $bytes = self::encode($command);
        $socket = $this->socket;
        if ($socket === null || $socket->sendAll($bytes, (float) $this->setting['timeout']) !== strlen($bytes)) {
            $this->fail(self::ERROR_IO, $socket->errCode ?? self::ENOTCONN, $socket->errMsg ?? '');
            $this->drop();
            return false;
        }
        return true;
    }

    /** @param list<mixed> $command words, and lists of words */
    private static function encode(array $command): string
    {
        $bytes = '';
        $count = 0;
        array_walk_recursive($command, static function (mixed $word) use (&$bytes, &$count): void {
            $word = is_bool($word) ? (string) (int) $word : (string) $word;
            $bytes .= '$' . strlen($word) . "\r\n$word\r\n";
            $count++;
        });
        return "*$count\r\n$bytes";
    }

    private function receive(?Closure $finish, float $timeout): mixed
    {
        $reply = $this->reply;
        if ($reply === null) {
            return $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
        }
        $this->user = Coroutine::getCid();
        $isDone = false;
        try {
            $value = $reply->read($timeout !== 0.0 ? $timeout : (float) $this->setting['timeout']);
            $isDone = true;
        } finally {
            $this->user = 0;
            $isDone || $this->drop();
        }
        if ($reply->problem === RedisReply::NONE) {
            $value = $this->setting['serialize'] ? self::unpack($value) : $value;
            return is_array($value) && $finish !== null ? $finish($value) : $value;
        }
        if ($reply->problem === RedisReply::REFUSED) {
            return $this->fail(self::ERROR_OTHER, self::EINVAL, $reply->message);
        }
        $type = match ($reply->problem) {
            RedisReply::CLOSED => self::ERROR_EOF,
            RedisReply::FOREIGN => self::ERROR_PROTOCOL,
            default => self::ERROR_IO,
        };
        $this->fail($type, $reply->code, $reply->message);
        $this->drop();
        return false;
    }

    private function reachAgain(): bool
    {
        for ($tries = $this->host === '' ? 0 : (int) $this->setting['reconnect']; $tries > 0; $tries--) {
            $this->drop();
            if ($this->reach()) {
                return true;
            }
        }
        return $this->errType !== 0 && $this->host !== '' ? false
            : $this->fail(self::ERROR_CLOSED, self::ENOTCONN, 'The client is not connected');
    }

    private function reach(): bool
    {
        $isPath = str_starts_with($this->host, 'unix:');
        $host = $isPath ? '/' . ltrim(substr($this->host, strlen('unix:')), '/') : $this->host;
        $socket = new Socket($isPath ? AF_UNIX : (str_contains($host, ':') ? AF_INET6 : AF_INET), SOCK_STREAM, 0);
        if (!$socket->connect($host, $isPath ? 0 : $this->port, (float) $this->setting['connect_timeout'])) {
            $this->fail(self::ERROR_IO, $socket->errCode, $socket->errMsg);
            $socket->close();
            return false;
        }
        $this->socket = $socket;
        $this->reply = new RedisReply($socket);
        $this->sock = $socket->fd;
        $this->connected = true;
        $this->errType = $this->errCode = 0;
        $this->errMsg = '';
        return $this->introduce();
    }

    /** Who we are, and where. */
    private function introduce(): bool
    {
        $defer = $this->defer;
        $this->defer = false;
        $done = ($this->auth === null || $this->request(['AUTH', ...(array) $this->auth]) !== false)
            && ($this->database === 0 || $this->request(['SELECT', $this->database]) !== false);
        $this->defer = $defer;
        if (!$done) {
            $this->drop();
        }
        return $done;
    }

    private function drop(): void
    {
        $socket = $this->socket;
        $this->socket = $this->reply = null;
        $this->sock = -1;
        $this->connected = $this->subscribed = false;
        $this->pending = [];
        $socket?->close();
    }

    private function fail(int $type, int $code, string $message): false
    {
        $this->errType = $type;
        $this->errCode = $code;
        $this->errMsg = $message;
        return false;
    }

    private function pack(mixed $value): mixed
    {
        return $this->setting['serialize'] ? serialize($value) : $value;
    }

    /** Strings that are nothing serialized stay as they are. */
    private static function unpack(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map(self::unpack(...), $value);
        }
        $known = is_string($value) ? @unserialize($value, ['allowed_classes' => true]) : $value;
        return $known === false && $value !== 'b:0;' ? $value : $known;
    }
}
