<?php

declare(strict_types=1);

namespace Swoole\Coroutine;

use Closure;
use PgSql\Connection;
use PgSql\Result;
use Stampede\Database\Call;
use Stampede\Database\LobStream;
use Swoole\Coroutine;
use Swoole\Exception;
use Throwable;

defined('SW_PGSQL_ASSOC') || define('SW_PGSQL_ASSOC', 1);
defined('SW_PGSQL_NUM') || define('SW_PGSQL_NUM', 2);
defined('SW_PGSQL_BOTH') || define('SW_PGSQL_BOTH', 3);

/**
 * A client of PostgreSQL, over PHP's extension pgsql. It waits in its coroutine whatever the hook flags are. Errors are
 * false with error, errCode and resultDiag; a time limit or a lost connection closes it.
 */
class PostgreSQL
{
    /** The letters of the protocol, which are the numbers of PGSQL_DIAG_*. */
    private const DIAGNOSTICS = [
        'severity' => 'S', 'sqlstate' => 'C', 'message_primary' => 'M', 'message_detail' => 'D', 'message_hint' => 'H',
        'statement_position' => 'P', 'internal_position' => 'p', 'internal_query' => 'q', 'content' => 'W',
        'source_file' => 'F', 'source_line' => 'L', 'source_function' => 'R', 'schema_name' => 's', 'table_name' => 't',
        'column_name' => 'c', 'datatype_name' => 'd', 'constraint_name' => 'n',
    ];

    /** @var string|null */
    public $error;

    /** @var int an errno, or the status of the result that failed */
    public $errCode = 0;

    /** @var int PGSQL_COMMAND_OK, PGSQL_TUPLES_OK ... of the last result */
    public $resultStatus = 0;

    /** @var array<string, string|null>|null what the server says of an error */
    public $resultDiag;

    /** @var list<array{severity: string, message_primary: string}>|null what the server said beside the last result */
    public $notices;

    private ?Connection $link = null;

    /** The coroutine that is in a call. */
    private int $user = 0;

    private int $names = 0;

    /** @var list<string> statements that ended here and not yet on the server */
    private array $ended = [];

    public function __construct()
    {
        if (!extension_loaded('pgsql')) {
            throw new Exception('Swoole\Coroutine\PostgreSQL needs the extension pgsql: install and load it.');
        }
    }

    public function __destruct()
    {
        $this->drop();
    }

    /** $conninfo is a string of libpq, as "host=127.0.0.1 port=5432 dbname=test user=me"; $timeout is seconds. */
    public function connect(string $conninfo, float $timeout = 2): bool
    {
        $this->drop();
        $said = '';
        set_error_handler(static function (int $level, string $message) use (&$said): bool {
            $said = $message;
            return true;
        });
        $call = new Call();
        try {
            $link = $call->within($timeout, static fn (): Connection|false => pg_connect($conninfo, PGSQL_CONNECT_FORCE_NEW));
        } finally {
            restore_error_handler();
        }
        if (!$link instanceof Connection) {
            $text = trim((string) preg_replace('/^pg_connect\(\): Unable to connect to PostgreSQL server: /', '', $said));
            return $call->isLate ? $this->fail(110, 'Connection timed out') : $this->fail(1, $text);
        }
        $this->link = $link;
        $this->fail(0, null);
        return true;
    }

    /** @return PostgreSQLStatement|false */
    public function query(string $query): PostgreSQLStatement|false
    {
        $result = $this->run(static fn (Connection $link): bool => pg_send_query($link, $query));
        return $result === null ? false : new PostgreSQLStatement($this, null, $result);
    }

    /** A statement to execute(). With two arguments the first is its name, for execute() of this class. */
    public function prepare(string $query, ?string $named = null): PostgreSQLStatement|false
    {
        $name = $named === null ? 'stampede_' . ++$this->names : $query;
        $sql = $named ?? $query;
        $result = $this->run(static fn (Connection $link): bool => pg_send_prepare($link, $name, $sql));
        return $result === null ? false : new PostgreSQLStatement($this, $name, null, $named === null);
    }

    /** Executes what was prepared under that name. @param array<mixed> $params */
    public function execute(string $name, array $params = []): PostgreSQLStatement|false
    {
        $result = $this->runPrepared($name, $params);
        return $result === null ? false : new PostgreSQLStatement($this, null, $result);
    }

    /** @return array<string, array<string, mixed>>|false */
    public function metaData(string $table_name): array|false
    {
        $meta = $this->ask(static fn (Connection $link): array|false => @pg_meta_data($link, $table_name));
        if ($meta === false && $this->link !== null && $this->error === null) {
            $this->fail(7, "There is no table $table_name.");
        }
        return $meta;
    }

    public function escape(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_string($this->link, $string);
    }

    public function escapeLiteral(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_literal($this->link, $string);
    }

    public function escapeIdentifier(string $string): string|false
    {
        return $this->link === null ? $this->refuse() : pg_escape_identifier($this->link, $string);
    }

    /** Makes a large object, inside a transaction. @return int|false its oid */
    public function createLOB(): int|false
    {
        return $this->ask(static fn (Connection $link): int|false => @pg_lo_create($link));
    }

    /** Opens a large object as a stream, inside a transaction. @return resource|false */
    public function openLOB(int $oid, string $mode = 'rb')
    {
        $access = strtr(rtrim($mode, 'b'), ['rb+' => 'rw', 'r+' => 'rw', 'w+' => 'rw']);
        $lob = $this->ask(static fn (Connection $link): mixed => @pg_lo_open($link, $oid, $access));
        return $lob === false ? false : LobStream::of($lob, fn (Closure $work): mixed => $this->ask($work));
    }

    /** @return list<array<mixed>>|false */
    public function fetchAll(PostgreSQLStatement $result, int $result_type = SW_PGSQL_ASSOC): array|false
    {
        return $result->fetchAll($result_type);
    }

    public function affectedRows(PostgreSQLStatement $result): int
    {
        return $result->affectedRows();
    }

    public function numRows(PostgreSQLStatement $result): int
    {
        return $result->numRows();
    }

    public function fieldCount(PostgreSQLStatement $result): int
    {
        return $result->fieldCount();
    }

    public function fetchObject(PostgreSQLStatement $result, ?int $row = null, ?string $class_name = null, array $ctor_params = []): object|false
    {
        return $result->fetchObject($row, $class_name, $ctor_params);
    }

    public function fetchAssoc(PostgreSQLStatement $result, ?int $row = null): array|false
    {
        return $result->fetchAssoc($row);
    }

    public function fetchArray(PostgreSQLStatement $result, ?int $row = null, int $result_type = SW_PGSQL_BOTH): array|false
    {
        return $result->fetchArray($row, $result_type);
    }

    public function fetchRow(PostgreSQLStatement $result, ?int $row = null): array|false
    {
        return $result->fetchRow($row);
    }

    /** @param array<mixed> $params @internal */
    public function runPrepared(string $name, array $params): ?Result
    {
        $values = array_map(static fn (mixed $value): mixed => is_bool($value) ? ($value ? 't' : 'f') : $value, array_values($params));
        return $this->run(static fn (Connection $link): bool => pg_send_execute($link, $name, $values));
    }

    /** A statement's object is gone. @internal */
    public function forget(string $name): void
    {
        if ($this->link !== null) {
            $this->ended[] = $name;
        }
    }

    /** Sends something and takes the last of its results; null with the error. @param Closure(Connection): bool $send */
    private function run(Closure $send): ?Result
    {
        $result = $this->ask(function (Connection $link) use ($send): Result|false {
            $this->deallocate($link);
            if (!@$send($link)) {
                return false;
            }
            $last = false;
            while ($result = pg_get_result($link)) {
                if ($last === false || pg_result_status($last) !== PGSQL_FATAL_ERROR) {
                    $last = $result;
                }
                if (in_array(pg_result_status($result), [PGSQL_COPY_IN, PGSQL_COPY_OUT], true)) {
                    @pg_end_copy($link);
                }
            }
            return $last;
        });
        return $result instanceof Result && $this->take($result) ? $result : null;
    }

    private function take(Result $result): bool
    {
        $this->resultStatus = (int) pg_result_status($result);
        $this->readNotices();
        if (!in_array($this->resultStatus, [PGSQL_BAD_RESPONSE, PGSQL_NONFATAL_ERROR, PGSQL_FATAL_ERROR], true)) {
            return true;
        }
        $diagnostics = array_map(static fn (string $field): mixed => pg_result_error_field($result, ord($field)) ?: null, self::DIAGNOSTICS);
        $this->fail($this->resultStatus, rtrim((string) pg_result_error($result)));
        $this->resultDiag = $diagnostics;
        if ($this->link !== null && pg_connection_status($this->link) !== PGSQL_CONNECTION_OK) {
            $this->drop();
        }
        return false;
    }

    /** Makes a call of the driver. */
    private function ask(Closure $work): mixed
    {
        $link = $this->link;
        if ($link === null) {
            return $this->refuse();
        }
        if ($this->user !== 0) {
            Call::refuse('PostgreSQL', $this->user);
        }
        $this->fail(0, null);
        $this->user = Coroutine::getCid();
        $call = new Call();
        try {
            $result = $call->within(Call::usualTimeout('socket_read_timeout', -1), static fn (): mixed => $work($link));
        } catch (Throwable $thrown) {
            // Cancelled, or out of time: the reply is still to come.
            $this->drop();
            throw $thrown;
        } finally {
            $this->user = 0;
        }
        $isLost = pg_connection_status($link) !== PGSQL_CONNECTION_OK || Coroutine::isCanceled();
        if ($call->isLate) {
            $this->drop();
            return $this->fail(110, 'Connection timed out');
        }
        if ($result === false) {
            $this->fail($isLost ? 104 : 7, rtrim(pg_last_error($link)));
            $isLost && $this->drop();
        }
        return $result;
    }

    private function deallocate(Connection $link): void
    {
        while (($name = array_pop($this->ended)) !== null) {
            @pg_query($link, 'DEALLOCATE ' . pg_escape_identifier($link, $name));
        }
    }

    private function readNotices(): void
    {
        $this->notices = null;
        if ($this->link === null) {
            return;
        }
        foreach ((array) pg_last_notice($this->link, PGSQL_NOTICE_ALL) as $notice) {
            [$severity, $text] = explode(':', trim((string) $notice), 2) + ['', ''];
            $this->notices[] = ['severity' => $severity, 'message_primary' => trim($text)];
        }
        pg_last_notice($this->link, PGSQL_NOTICE_CLEAR);
    }

    private function refuse(): false
    {
        return $this->fail(107, 'The client is not connected');
    }

    private function drop(): void
    {
        $link = $this->link;
        $this->link = null;
        $this->ended = [];
        if ($link !== null) {
            @pg_close($link);
        }
    }

    private function fail(int $code, ?string $message): false
    {
        $this->errCode = $code;
        $this->error = $message;
        $this->resultDiag = null;
        return false;
    }
}
