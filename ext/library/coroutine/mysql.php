<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use Stampede\Database\Call;
use Stampede\Database\MysqliLink;
use Swoole\Coroutine;
use Swoole\Coroutine\MySQL\Exception;
use Swoole\Coroutine\MySQL\Statement;
use Throwable;

/**
 * A client of MySQL and MariaDB, over PHP's own driver. It waits in its coroutine whatever the hook flags are. Errors
 * are false with errno and error; a time limit or a lost connection closes it.
 */
class MySQL
{
    /** Of the refusals of a server; mysqli does not tell them. */
    private const STATES = [1044 => '42000', 1045 => '28000', 1049 => '42000', 1698 => '28000'];

    private const NOT_CONNECTED = 2002;

    private const LOST = [2000, 2002, 2006, 2013, 2014, 2027, 2055, 4031, 1927];

    /** @var array<string, mixed>|null what it was connected with */
    public $serverInfo;

    /** @var int */
    public $sock = -1;

    /** @var bool */
    public $connected = false;

    /** @var int */
    public $connect_errno = 0;

    /** @var string */
    public $connect_error = '';

    /** @var int */
    public $affected_rows = 0;

    /** @var int */
    public $insert_id = 0;

    /** @var string */
    public $error = '';

    /** @var int */
    public $errno = 0;

    private ?mysqli $link = null;

    private bool $defer = false;

    private bool $fetchMode = false;

    /** The coroutine that is in a call. */
    private int $user = 0;

    /** What a deferred call will give. */
    private ?Channel $reply = null;

    /** @var list<array<string, mixed>>|null rows that were not fetched yet, null without a result */
    private ?array $rows = null;

    public function __construct()
    {
        if (!class_exists(mysqli::class, false)) {
            throw new Exception('Swoole\Coroutine\MySQL needs the extension mysqli: install and load it.');
        }
    }

    public function __destruct()
    {
        $this->close();
    }

    /** @return bool */
    public function getDefer()
    {
        return $this->defer;
    }

    /** While on, query(), prepare() and the rest only send; recv() gives what they would have given. @return bool */
    public function setDefer($defer = true)
    {
        $this->defer = (bool) $defer;
        return true;
    }

    /**
     * Takes host (or "unix:/path"), port, user, password, database, charset, timeout in seconds, strict_type (numbers
     * as int and float) and fetch_mode (results wait for fetch() and fetchAll()).
     *
     * @param array<string, mixed>|null $server_config
     * @return bool
     */
    public function connect(?array $server_config = null)
    {
        if ($this->connected) {
            return true;
        }
        $config = $this->serverInfo = ($server_config ?? []) + ['host' => '127.0.0.1', 'port' => 3306, 'user' => 'root', 'password' => '', 'database' => ''];
        $this->connect_errno = $this->errno = 0;
        $this->connect_error = $this->error = '';
        $this->fetchMode = (bool) ($config['fetch_mode'] ?? false);
        $link = new mysqli();
        $link->options(MYSQLI_SET_CHARSET_NAME, (string) ($config['charset'] ?? 'utf8mb4'));
        $link->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, !empty($config['strict_type']) ? 1 : 0);
        $timeout = (float) ($config['timeout'] ?? Call::usualTimeout('socket_connect_timeout', 1.0));
        $call = new Call();
        try {
            $done = $call->within($timeout, static fn (): bool => @self::reach($link, $config));
        } catch (mysqli_sql_exception $exception) {
            $exception->getPrevious() === null ?: throw $exception->getPrevious();
            $done = false;
        }
        if (!$done) {
            $this->connect_errno = $call->isLate ? 2002 : $link->connect_errno;
            $state = self::STATES[$this->connect_errno] ?? 'HY000';
            $this->connect_error = "SQLSTATE[$state] [$this->connect_errno] " . ($call->isLate ? 'Connection timed out' : (string) $link->connect_error);
            return false;
        }
        $this->link = $link;
        $this->connected = true;
        $this->sock = MysqliLink::descriptor($link);
        return true;
    }

    /**
     * A list of rows, true for a statement without rows (and in fetch mode), false with errno and error. After
     * $timeout seconds the connection is given up.
     *
     * @return list<array<string, mixed>>|bool
     */
    public function query(string $sql, float $timeout = 0)
    {
        return $this->run(function (mysqli $link) use ($sql): array|bool {
            $this->dropResults($link);
            return $link->real_query($sql) ? $this->takeResult($link) : false;
        }, $timeout);
    }

    /** @return Statement|bool */
    public function prepare(string $query, float $timeout = 0)
    {
        return $this->run(function (mysqli $link) use ($query): Statement|bool {
            $this->dropResults($link);
            $statement = $link->prepare($query);
            return $statement === false ? false : new Statement($this, $statement);
        }, $timeout);
    }

    /** What the call before gives, in defer mode. @return mixed */
    public function recv(float $timeout = 0)
    {
        if ($this->reply === null) {
            return $this->link === null ? $this->refuse() : false;
        }
        $reply = $this->reply->pop($timeout > 0 ? $timeout : -1);
        if ($reply === false && $this->reply->errCode === SWOOLE_CHANNEL_TIMEOUT) {
            $this->lose(2006, 'MySQL server has gone away');
        }
        $this->reply = null;
        return is_array($reply) ? $reply[0] : false;
    }

    /** The next row in fetch mode; null behind the last. @return array<string, mixed>|null|false */
    public function fetch(float $timeout = 0)
    {
        return $this->rows === null ? false : array_shift($this->rows);
    }

    /** The rows that are left in fetch mode. @return list<array<string, mixed>>|null|false */
    public function fetchAll(float $timeout = 0)
    {
        $rows = $this->rows;
        $this->rows = $rows === null ? null : [];
        return $rows ?? false;
    }

    /** The next result of a procedure: as query(); null behind the last. @return list<array<string, mixed>>|bool|null */
    public function nextResult(float $timeout = 0)
    {
        return $this->run(function (mysqli $link): array|bool|null {
            $this->rows = null;
            if (!$link->more_results()) {
                return null;
            }
            return $link->next_result() ? $this->takeResult($link) : false;
        }, $timeout);
    }

    /** @return bool */
    public function begin(float $timeout = 0)
    {
        return $this->query('START TRANSACTION', $timeout);
    }

    /** @return bool */
    public function commit(float $timeout = 0)
    {
        return $this->query('COMMIT', $timeout);
    }

    /** @return bool */
    public function rollback(float $timeout = 0)
    {
        return $this->query('ROLLBACK', $timeout);
    }

    /** @return string|false */
    public function escape(string $string, int $flags = 0)
    {
        return $this->link === null ? $this->refuse() : $this->link->real_escape_string($string);
    }

    /** @return bool */
    public function close()
    {
        $link = $this->link;
        $this->link = null;
        $this->connected = false;
        $this->sock = -1;
        $this->rows = null;
        if ($link === null) {
            return false;
        }
        try {
            return @$link->close();
        } catch (Throwable) {
            return true;
        }
    }

    /**
     * Makes a call of the driver for this client or a statement of it.
     *
     * @internal
     */
    public function run(Closure $work, float $timeout, ?Statement $statement = null): mixed
    {
        if ($this->link === null) {
            return $this->refuse($statement);
        }
        if (!$this->defer) {
            return $this->perform($work, $timeout, $statement);
        }
        $reply = $this->reply = new Channel(1);
        Coroutine::create(function () use ($reply, $work, $timeout, $statement): void {
            $reply->push([$this->perform($work, $timeout, $statement)]);
        });
        return true;
    }

    /** @internal */
    public function isFetching(): bool
    {
        return $this->fetchMode;
    }

    /** @internal for this client and its statements */
    public function fail(int $code, string $message, ?Statement $statement = null): false
    {
        $this->errno = $code;
        $this->error = $message;
        if ($statement !== null) {
            $statement->errno = $code;
            $statement->error = $message;
        }
        return false;
    }

    private function perform(Closure $work, float $timeout, ?Statement $statement): mixed
    {
        if ($this->user !== 0) {
            Call::refuse('MySQL', $this->user);
        }
        $this->fail(0, '', $statement);
        $link = $this->link;
        if ($link === null) {
            return $this->refuse($statement);
        }
        $this->user = Coroutine::getCid();
        $call = new Call();
        $thrown = null;
        try {
            $result = $call->within($timeout > 0 ? $timeout : Call::usualTimeout('socket_read_timeout', -1), static fn (): mixed => $work($link));
        } catch (mysqli_sql_exception $thrown) {
            $result = false;
        } catch (Throwable $other) {
            $this->lose(2006, 'MySQL server has gone away', $statement);
            throw $other;
        } finally {
            $this->user = 0;
        }
        if ($thrown?->getPrevious() !== null) {
            // Cancelled with an exception, or out of time: what the driver says of it comes second.
            $this->lose(2006, 'MySQL server has gone away', $statement);
            throw $thrown->getPrevious();
        }
        if ($result === false && $this->errno === 0) {
            $this->explain($link, $thrown, $call, $statement);
        }
        return $result;
    }

    private function explain(mysqli $link, ?mysqli_sql_exception $thrown, Call $call, ?Statement $statement): void
    {
        $code = $call->isLate ? 2006 : (int) ($thrown?->getCode() ?? $link->errno);
        $message = $call->isLate ? 'MySQL server has gone away' : ($thrown?->getMessage() ?? $link->error);
        $state = $thrown instanceof mysqli_sql_exception && !$call->isLate ? $thrown->getSqlState() : 'HY000';
        if ($call->isLate || in_array($code, self::LOST, true)) {
            $this->lose($code, $message, $statement);
        } else {
            $this->fail($code, "SQLSTATE[$state] [$code] $message", $statement);
        }
    }

    private function lose(int $code, string $message, ?Statement $statement = null): void
    {
        $this->close();
        $this->fail($code, "SQLSTATE[HY000] [$code] $message", $statement);
    }

    private function refuse(?Statement $statement = null): false
    {
        return $this->fail(self::NOT_CONNECTED, 'SQLSTATE[HY000] [2002] The client is not connected', $statement);
    }

    /** @return list<array<string, mixed>>|bool */
    private function takeResult(mysqli $link): array|bool
    {
        $this->rows = null;
        if ($link->field_count === 0) {
            $this->insert_id = (int) $link->insert_id;
            $this->affected_rows = (int) $link->affected_rows;
            return true;
        }
        $result = $link->store_result();
        if (!$result instanceof mysqli_result) {
            return false;
        }
        $rows = $result->fetch_all(MYSQLI_ASSOC);
        $result->free();
        if (!$this->fetchMode) {
            return $rows;
        }
        $this->rows = $rows;
        return true;
    }

    private function dropResults(mysqli $link): void
    {
        $this->rows = null;
        while ($link->more_results() && $link->next_result()) {
            $result = $link->store_result();
            if ($result instanceof mysqli_result) {
                $result->free();
            }
        }
    }

    /** @param array<string, mixed> $config */
    private static function reach(mysqli $link, array $config): bool
    {
        $host = (string) $config['host'];
        $path = str_starts_with($host, 'unix:') ? '/' . ltrim(substr($host, strlen('unix:')), '/') : null;
        return $link->real_connect(
            $path !== null ? 'localhost' : ($host === 'localhost' ? '127.0.0.1' : $host),
            (string) $config['user'],
            (string) $config['password'],
            (string) $config['database'],
            (int) $config['port'],
            $path,
        );
    }
}
