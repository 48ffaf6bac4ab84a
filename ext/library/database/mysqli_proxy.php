<?php

declare(strict_types=1);

namespace Swoole\Database;

use mysqli;
use mysqli_stmt;
use Stampede\Database\MysqliLink;
use Stampede\Database\Reconnects;
use Throwable;

/**
 * A mysqli that is made again when its connection was lost, outside of transactions. Where the driver cannot be asked
 * whether it is inside of one, the calls and statements tell; what they do not tell counts as one when it is given
 * back.
 *
 * @mixin mysqli
 */
class MysqliProxy extends ObjectProxy
{
    use Reconnects;

    public const IO_METHOD_REGEX = '/^autocommit|begin_transaction|change_user|close|commit|kill|multi_query|ping|prepare|query|real_connect|real_query|reap_async_query|refresh|release_savepoint|rollback|savepoint|select_db|send_query|set_charset|ssl_set$/i';

    public const IO_ERRORS = [2002, 2006, 2013];

    /** @var mysqli */
    protected $__object;

    protected string $charsetContext = '';

    /** @var array<int, mixed> */
    protected array $setOptContext = [];

    /** @var list<string|null> */
    protected array $changeUserContext = [];

    /** @var callable */
    protected $constructor;

    private bool $inTransaction = false;

    private bool $autocommit = true;

    /** Something was sent that may have begun a transaction, or left results unread. */
    private bool $unclear = false;

    /** @param callable(): mysqli $constructor */
    public function __construct(callable $constructor)
    {
        parent::__construct($constructor());
        $this->constructor = $constructor;
        $this->usedAt = hrtime(true);
    }

    /** @return mixed */
    public function __call(string $name, array $arguments)
    {
        $method = strtolower($name);
        if (preg_match(self::IO_METHOD_REGEX, $method) !== 1) {
            return $this->__object->{$name}(...$arguments);
        }
        $sql = is_string($arguments[0] ?? null) ? $arguments[0] : '';
        $isRepeatable = match ($method) {
            'query', 'real_query', 'multi_query' => self::reads($sql),
            'prepare', 'begin_transaction', 'autocommit', 'ping', 'select_db' => true,
            default => false,
        };
        $isEnd = in_array($method, ['commit', 'rollback'], true);
        try {
            $result = $this->perform(fn () => $this->__object->{$name}(...$arguments), $isRepeatable);
        } finally {
            if ($isEnd || ($method === 'query' && preg_match('/^\s*(?:COMMIT|ROLLBACK)\b(?!\s+(?:WORK\s+)?TO\b)/i', $sql) === 1)) {
                $this->inTransaction = false;
                $this->leave();
            }
        }
        $this->note($method, $sql, $arguments);
        return $result instanceof mysqli_stmt
            ? new MysqliStatementProxy($result, $method === 'prepare' ? $sql : null, $this)
            : $result;
    }

    public function reconnect(): void
    {
        parent::__construct(($this->constructor)());
        $this->round++;
        $this->inTransaction = $this->unclear = false;
        foreach ($this->setOptContext as $option => $value) {
            $this->__object->set_opt($option, $value);
        }
        if ($this->changeUserContext !== []) {
            $this->__object->change_user(...$this->changeUserContext);
        }
        if ($this->charsetContext !== '') {
            $this->__object->set_charset($this->charsetContext);
        }
        if (!$this->autocommit) {
            $this->__object->autocommit(false);
        }
    }

    public function options(int $option, mixed $value): bool
    {
        return $this->set_opt($option, $value);
    }

    public function set_opt(int $option, mixed $value): bool
    {
        $this->setOptContext[$option] = $value;
        return $this->__object->set_opt($option, $value);
    }

    public function set_charset(string $charset): bool
    {
        $this->charsetContext = $charset;
        return $this->perform(fn (): bool => $this->__object->set_charset($charset), true);
    }

    public function change_user(string $user, string $password, ?string $database): bool
    {
        $this->changeUserContext = [$user, $password, $database];
        $this->charsetContext = '';
        return $this->perform(fn (): bool => $this->__object->change_user($user, $password, $database), true);
    }

    /** Rolls back what was begun and not ended. @internal */
    public function reset(): void
    {
        try {
            if ($this->unclear || $this->isInside()) {
                $this->stale = $this->stale || $this->__object->rollback() === false || $this->__object->autocommit(true) === false;
            }
        } catch (Throwable) {
            $this->stale = true;
        }
        $this->inTransaction = $this->unclear = false;
        $this->autocommit = true;
    }

    /** @internal for pools */
    public function cleanUp(string $sql): void
    {
        try {
            $this->stale = $this->stale || $this->__object->query($sql) === false;
        } catch (Throwable) {
            $this->stale = true;
        }
    }

    /** @internal for statements */
    public function isUnclear(): void
    {
        $this->unclear = true;
    }

    protected function isInside(): bool
    {
        return (MysqliLink::isInside($this->__object) ?? $this->inTransaction) || !$this->autocommit;
    }

    protected function ping(): bool
    {
        try {
            return @$this->__object->query('DO 1') !== false;
        } catch (Throwable) {
            return false;
        }
    }

    protected function lastError(object $source): ?Throwable
    {
        return $source->errno === 0 ? null : new MysqliException($source->error, $source->errno);
    }

    /** @param array<mixed> $arguments */
    private function note(string $method, string $sql, array $arguments): void
    {
        if ($method === 'begin_transaction') {
            $this->inTransaction = true;
        } elseif ($method === 'autocommit') {
            $this->autocommit = (bool) ($arguments[0] ?? true);
        } elseif (in_array($method, ['query', 'real_query', 'multi_query'], true)) {
            $known = preg_match('/^\s*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|SHOW|DO)\b[^;]*;?\s*$/i', $sql) === 1;
            $this->unclear = $this->unclear || !$known || $method !== 'query' || ($arguments[1] ?? 0) !== 0;
            if (preg_match('/^\s*(?:BEGIN|START\s+TRANSACTION|XA\s+START)\b/i', $sql) === 1) {
                $this->inTransaction = true;
            } elseif (preg_match('/^\s*SET\b.*\bautocommit\s*=\s*(0|OFF|FALSE|1|ON|TRUE)\b/is', $sql, $match) === 1) {
                $this->autocommit = in_array(strtoupper($match[1]), ['1', 'ON', 'TRUE'], true);
            }
        }
    }
}
