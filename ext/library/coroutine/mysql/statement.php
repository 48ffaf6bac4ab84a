<?php

declare(strict_types=1);

namespace Swoole\Coroutine\MySQL;

use mysqli_result;
use mysqli_stmt;
use Swoole\Coroutine\MySQL;
use WeakReference;

/** A prepared statement. It ends on the server with this object. */
class Statement
{
    /** @var int */
    public $id = 0;

    /** @var int */
    public $affected_rows = 0;

    /** @var int */
    public $insert_id = 0;

    /** @var string */
    public $error = '';

    /** @var int */
    public $errno = 0;

    /** @var WeakReference<MySQL> */
    private WeakReference $client;

    private ?mysqli_stmt $statement;

    /** @var list<array<string, mixed>>|null rows that were not fetched yet, null without a result */
    private ?array $rows = null;

    /** @internal made by MySQL::prepare() */
    public function __construct(MySQL $client, mysqli_stmt $statement)
    {
        $this->client = WeakReference::create($client);
        $this->statement = $statement;
        $this->id = (int) $statement->id;
    }

    /**
     * A list of rows with native types, true for a statement without rows (and in fetch mode), false with errno and
     * error. After $timeout seconds the connection is given up.
     *
     * @param list<mixed>|null $params
     * @return list<array<string, mixed>>|bool
     */
    public function execute(?array $params = null, float $timeout = 0)
    {
        $values = array_values($params ?? []);
        return $this->run(function (mysqli_stmt $statement) use ($values): array|bool {
            $wanted = $statement->param_count;
            if (count($values) !== $wanted) {
                $this->complain($wanted, count($values));
                return false;
            }
            $this->dropResults($statement);
            if ($values !== []) {
                $statement->bind_param(self::types($values), ...$values);
            }
            return $statement->execute() ? $this->takeResult($statement) : false;
        }, $timeout);
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

    /** The next result of a procedure: as execute(); null behind the last. @return list<array<string, mixed>>|bool|null */
    public function nextResult(float $timeout = 0)
    {
        return $this->run(function (mysqli_stmt $statement): array|bool|null {
            $this->rows = null;
            if (!$statement->more_results()) {
                return null;
            }
            return $statement->next_result() ? $this->takeResult($statement) : false;
        }, $timeout);
    }

    /** What the call before gives, in defer mode. @return mixed */
    public function recv(float $timeout = 0)
    {
        $client = $this->client->get();
        return $client === null ? false : $client->recv($timeout);
    }

    /** @return bool */
    public function close()
    {
        $statement = $this->statement;
        $this->statement = $this->rows = null;
        try {
            return $statement !== null && @$statement->close();
        } catch (\Throwable) {
            return true;
        }
    }

    private function run(\Closure $work, float $timeout): mixed
    {
        $client = $this->client->get();
        $statement = $this->statement;
        if ($client === null || $statement === null) {
            $this->errno = 2006;
            $this->error = 'SQLSTATE[HY000] [2006] MySQL server has gone away';
            return false;
        }
        return $client->run(static fn (): mixed => $work($statement), $timeout, $this);
    }

    private function complain(int $wanted, int $given): void
    {
        $this->client->get()?->fail(2034, "SQLSTATE[HY000] [2034] Statement#$this->id expects $wanted parameter, $given given.", $this);
    }

    /** @return list<array<string, mixed>>|bool */
    private function takeResult(mysqli_stmt $statement): array|bool
    {
        $this->rows = null;
        $client = $this->client->get();
        if ($statement->field_count === 0) {
            $this->insert_id = (int) $statement->insert_id;
            $this->affected_rows = (int) $statement->affected_rows;
            if ($client !== null) {
                $client->insert_id = $this->insert_id;
                $client->affected_rows = $this->affected_rows;
            }
            return true;
        }
        $result = $statement->get_result();
        if (!$result instanceof mysqli_result) {
            return false;
        }
        $rows = $result->fetch_all(MYSQLI_ASSOC);
        $result->free();
        if ($client === null || !$client->isFetching()) {
            return $rows;
        }
        $this->rows = $rows;
        return true;
    }

    private function dropResults(mysqli_stmt $statement): void
    {
        $this->rows = null;
        while ($statement->more_results() && $statement->next_result()) {
            $result = $statement->get_result();
            if ($result instanceof mysqli_result) {
                $result->free();
            }
        }
    }

    /** @param list<mixed> $values */
    private static function types(array $values): string
    {
        $types = '';
        foreach ($values as $value) {
            $types .= is_int($value) || is_bool($value) ? 'i' : (is_float($value) ? 'd' : 's');
        }
        return $types;
    }
}
