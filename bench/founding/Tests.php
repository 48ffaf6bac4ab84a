<?php

declare(strict_types=1);

use Swoole\Coroutine;
use Swoole\Database\MysqliPool;
use Swoole\Database\MysqliProxy;

/** What each address does. */
final class Tests
{
    /** @var list<string> names of the cache's entries, made once */
    private readonly array $keys;

    public function __construct(private readonly Cache $cache, private readonly MysqliPool $pool, private readonly bool $practice)
    {
        $this->keys = keys();
    }

    /** @param array<string, string> $wanted */
    public function run(string $path, array $wanted): string
    {
        return match ($path) {
            '/plain.php' => "a plain answer\n",
            '/required.php' => $this->required(),
            '/classes.php' => line((string) load_classes(), 'classes'),
            '/connection.php' => line(...item(new mysqli('127.0.0.1', 'root', '', 'bench', (int) getenv('BENCH_DATABASE')), 42)),
            '/pool.php' => line(...$this->pooled(static fn (MysqliProxy $database): array => item($database, 42))),
            '/cached.php' => line(...$this->cached()),
            '/work.php' => $this->work($wanted),
            default => "nothing here\n",
        };
    }

    private function required(): string
    {
        require_once __DIR__ . '/app/first.php';
        require_once __DIR__ . '/app/second.php';
        return first_part() . ', ' . second_part() . "\n";
    }

    /** @return array{id: int, name: string, price: float} */
    private function cached(): array
    {
        $item = $this->cache->get('item:42');
        if ($item === null) {
            $item = $this->pooled(static fn (MysqliProxy $database): array => item($database, 42));
            $this->cache->set('item:42', $item);
        }
        return $item;
    }

    /** @param array<string, string> $wanted */
    private function work(array $wanted): string
    {
        $loaded = load_classes();
        $keys = $this->practice ? $this->keys : keys();
        if ($this->cache->get($keys[99]) === null) {
            $this->pooled(function (MysqliProxy $database) use ($keys): void {
                foreach ($keys as $index => $key) {
                    $this->cache->set($key, item($database, $index + 1));
                }
            });
        }
        $sum = $this->cache->sum($keys, (int) $wanted['reads']);
        $bytes = write_and_read(files_folder($wanted), (int) ($wanted['files'] ?? 0));
        $rows = $this->queries((int) ($wanted['queries'] ?? 0), ($wanted['sleep'] ?? '0') === '0' ? 'SELECT name FROM items WHERE id = 7' : 'SELECT SLEEP(0.01)');
        return line("$loaded classes,", "sum $sum,", "$bytes bytes,", "$rows rows");
    }

    private function queries(int $count, string $query): int
    {
        $rows = 0;
        if ($this->practice) {
            Coroutine\parallel($count, function () use ($query, &$rows): void {
                $rows += $this->pooled(static fn (MysqliProxy $database): int => count($database->query($query)->fetch_all()));
            });
        } elseif ($count > 0) {
            $rows = $this->pooled(static function (MysqliProxy $database) use ($query, $count): int {
                for ($i = 0, $rows = 0; $i < $count; $i++) {
                    $rows += count($database->query($query)->fetch_all());
                }
                return $rows;
            });
        }
        return $rows;
    }

    /**
     * @template T
     * @param Closure(MysqliProxy): T $work
     * @return T
     */
    private function pooled(Closure $work): mixed
    {
        $database = $this->pool->get();
        try {
            return $work($database);
        } finally {
            $this->pool->put($database);
        }
    }
}
