<?php

declare(strict_types=1);

use Swoole\Database\PDOProxy;

/** Notes of users, in the database. */
final class Notes
{
    public function __construct(private readonly Connections $connections)
    {
    }

    /**
     * @param array{id: int, name: string} $user
     * @return array<string, mixed>
     */
    public function latest(array $user): array
    {
        return $this->connections->lend(static function (PDO|PDOProxy $database) use ($user): array {
            $statement = $database->prepare('SELECT id, text FROM notes WHERE user = ? ORDER BY id DESC LIMIT 10');
            $statement->execute([$user['id']]);
            return ['owner' => $user['name'], 'notes' => $statement->fetchAll()];
        });
    }

    /**
     * @param array{id: int, name: string} $user
     * @return array<string, mixed>|null
     */
    public function find(array $user, int $id): ?array
    {
        return $this->connections->lend(static function (PDO|PDOProxy $database) use ($user, $id): ?array {
            $statement = $database->prepare('SELECT id, text FROM notes WHERE user = ? AND id = ?');
            $statement->execute([$user['id'], $id]);
            $note = $statement->fetch();
            return $note === false ? null : ['id' => (int) $note['id'], 'owner' => $user['name'], 'text' => $note['text']];
        });
    }

    /**
     * @param array{id: int, name: string} $user
     * @return array<string, mixed>
     */
    public function add(array $user, string $text): array
    {
        return $this->connections->lend(static function (PDO|PDOProxy $database) use ($user, $text): array {
            $database->prepare('INSERT INTO notes (user, text) VALUES (?, ?)')->execute([$user['id'], $text]);
            return ['owner' => $user['name'], 'text' => $text, 'id' => (int) $database->lastInsertId()];
        });
    }
}
