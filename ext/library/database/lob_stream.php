<?php

declare(strict_types=1);

namespace Stampede\Database;

use Closure;
use PgSql\Lob;

/**
 * A large object of PostgreSQL as a stream.
 *
 * @internal
 */
final class LobStream
{
    /** @var resource|null */
    public $context;

    private const NAME = 'stampede-lob';

    private Lob $lob;

    /** @var Closure(Closure): mixed makes a call of the connection */
    private Closure $ask;

    private bool $isOver = false;

    /** @return resource|false */
    public static function of(Lob $lob, Closure $ask)
    {
        if (!in_array(self::NAME, stream_get_wrappers(), true)) {
            stream_wrapper_register(self::NAME, self::class);
        }
        return fopen(self::NAME . '://', 'r+b', false, stream_context_create([self::NAME => ['lob' => $lob, 'ask' => $ask]]));
    }

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        $given = stream_context_get_options($this->context)[self::NAME];
        [$this->lob, $this->ask] = [$given['lob'], $given['ask']];
        return true;
    }

    public function stream_read(int $count): string|false
    {
        $bytes = ($this->ask)(fn (): string|false => @pg_lo_read($this->lob, $count));
        $this->isOver = $bytes === '' || $bytes === false;
        return $bytes;
    }

    public function stream_write(string $bytes): int
    {
        $written = ($this->ask)(fn (): int|false => @pg_lo_write($this->lob, $bytes));
        return is_int($written) ? $written : 0;
    }

    public function stream_eof(): bool
    {
        return $this->isOver;
    }

    public function stream_tell(): int
    {
        return (int) ($this->ask)(fn (): int => pg_lo_tell($this->lob));
    }

    public function stream_seek(int $offset, int $whence): bool
    {
        $this->isOver = false;
        return (bool) ($this->ask)(fn (): bool => pg_lo_seek($this->lob, $offset, $whence));
    }

    public function stream_flush(): bool
    {
        return true;
    }

    public function stream_close(): void
    {
        ($this->ask)(fn (): bool => @pg_lo_close($this->lob));
    }

    /** @return array<string, int> */
    public function stream_stat(): array
    {
        return [];
    }
}
