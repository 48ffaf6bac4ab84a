<?php

declare(strict_types=1);

/** What the profiles respond, the same on both sides. */
final class Data
{
    public const ROWS = 10_000;

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

    /** @return array{id: int, randomNumber: int} */
    public static function row(PDO|Swoole\Database\PDOProxy $database): array
    {
        $statement = $database->prepare('SELECT id, randomNumber FROM world WHERE id = ?');
        $statement->execute([random_int(1, self::ROWS)]);
        [$id, $number] = $statement->fetch(PDO::FETCH_NUM);
        return ['id' => (int) $id, 'randomNumber' => (int) $number];
    }

    public static function one(PDO|Swoole\Database\PDOProxy $database): string
    {
        return json_encode(self::row($database), JSON_THROW_ON_ERROR);
    }

    public static function many(PDO|Swoole\Database\PDOProxy $database, int $count): string
    {
        for ($rows = []; count($rows) < $count;) {
            $rows[] = self::row($database);
        }
        return json_encode($rows, JSON_THROW_ON_ERROR);
    }

    /** Each row is read, changed, and written in one transaction, in the order of their numbers so that two of them never wait for each other. */
    public static function update(PDO|Swoole\Database\PDOProxy $database, int $count): string
    {
        for ($rows = []; count($rows) < $count;) {
            $row = self::row($database);
            $rows[$row['id']] = $row;
        }
        ksort($rows);
        $statement = $database->prepare('UPDATE world SET randomNumber = ? WHERE id = ?');
        $database->beginTransaction();
        foreach ($rows as $id => $row) {
            $rows[$id]['randomNumber'] = random_int(1, self::ROWS);
            $statement->execute([$rows[$id]['randomNumber'], $id]);
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
    public static function numbered(PDO|Swoole\Database\PDOProxy $database, int $id): array
    {
        $statement = $database->prepare('SELECT id, randomNumber FROM world WHERE id = ?');
        $statement->execute([$id]);
        [$id, $number] = $statement->fetch(PDO::FETCH_NUM);
        return ['id' => (int) $id, 'randomNumber' => (int) $number];
    }
}
