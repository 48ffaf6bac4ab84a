<?php

declare(strict_types=1);

use Swoole\Database\PDOProxy;
use Swoole\Database\PDOStatementProxy;

/** What the profiles respond, the same on both sides. */
final class Data
{
    public const ROWS = 10_000;
    /** @var WeakMap<PDO|PDOProxy, array<string, PDOStatement|PDOStatementProxy>>|null by connection */
    private static ?WeakMap $statements = null;

    public static function json(): string
    {
        return json_encode(['message' => 'Hello, World!'], JSON_THROW_ON_ERROR);
    }

    /** About 10 KiB that compress well. */
    public static function large(): string
    {
        $items = array_map(static fn (int $id): array => ['id' => $id, 'name' => "item $id", 'tags' => ['first', 'second'], 'price' => $id * 1.25], range(1, 150));
        return json_encode(['items' => $items, 'count' => count($items)], JSON_THROW_ON_ERROR);
    }

    public static function one(PDO|PDOProxy $database): string
    {
        return json_encode(self::row(self::selecting($database)), JSON_THROW_ON_ERROR);
    }

    public static function many(PDO|PDOProxy $database, int $count): string
    {
        $statement = self::selecting($database);
        for ($rows = []; count($rows) < $count;) {
            $rows[] = self::row($statement);
        }
        return json_encode($rows, JSON_THROW_ON_ERROR);
    }

    /** Each row is read, changed, and written in one transaction, in the order of their numbers so that two of them never wait for each other. */
    public static function update(PDO|PDOProxy $database, int $count): string
    {
        $selecting = self::selecting($database);
        for ($rows = []; count($rows) < $count;) {
            $row = self::row($selecting);
            $rows[$row['id']] = $row;
        }
        ksort($rows);
        $updating = self::prepared($database, 'UPDATE world SET randomNumber = ? WHERE id = ?');
        $database->beginTransaction();
        foreach ($rows as $id => $row) {
            $rows[$id]['randomNumber'] = random_int(1, self::ROWS);
            $updating->execute([$rows[$id]['randomNumber'], $id]);
        }
        $database->commit();
        return json_encode(array_values($rows), JSON_THROW_ON_ERROR);
    }

    /** A row of the service with a cache: read from Redis, else from the database, for a minute. */
    public static function cached(Redis $redis, Closure $row): string
    {
        $id = random_int(1, 500);
        $found = $redis->get("row:$id");
        if (!is_string($found)) {
            $found = json_encode($row($id), JSON_THROW_ON_ERROR);
            $redis->setex("row:$id", 60, $found);
        }
        return $found;
    }

    /** @return array{id: int, randomNumber: int} */
    public static function numbered(PDO|PDOProxy $database, int $id): array
    {
        return self::row(self::selecting($database), $id);
    }

    private static function selecting(PDO|PDOProxy $database): PDOStatement|PDOStatementProxy
    {
        return self::prepared($database, 'SELECT id, randomNumber FROM world WHERE id = ?');
    }

    /** Once for each connection while the process lives: where it ends with the request, as FPM's state does, once for each request. */
    private static function prepared(PDO|PDOProxy $database, string $statement): PDOStatement|PDOStatementProxy
    {
        self::$statements ??= new WeakMap();
        $kept = self::$statements[$database] ?? [];
        $kept[$statement] ??= $database->prepare($statement);
        self::$statements[$database] = $kept;
        return $kept[$statement];
    }

    /** @return array{id: int, randomNumber: int} any row, or that of the number */
    private static function row(PDOStatement|PDOStatementProxy $statement, ?int $id = null): array
    {
        $statement->execute([$id ?? random_int(1, self::ROWS)]);
        [$id, $number] = $statement->fetch(PDO::FETCH_NUM);
        return ['id' => (int) $id, 'randomNumber' => (int) $number];
    }
}
