<?php

declare(strict_types=1);

namespace Paddock\Accounts;

use Paddock\Data\Database;
use PDOException;

final readonly class DatabaseCounters implements Counters
{
    public function __construct(private Database $database) {}

    public function hit(string $what, int $seconds): int
    {
        $name = hash('sha256', $what);
        $now = time();
        $this->database->run('DELETE FROM counters WHERE until <= ?', $now);
        if (!$this->add($name)) {
            try {
                $this->database->run('INSERT INTO counters (name, hits, until) VALUES (?, 1, ?)', $name, $now + $seconds);
            } catch (PDOException $failure) {
                // Another request has made the row meanwhile.
                if (!$this->add($name)) {
                    throw $failure;
                }
            }
        }
        return (int) ($this->database->row('SELECT hits FROM counters WHERE name = ?', $name)['hits'] ?? 1);
    }

    public function clear(string $what): void
    {
        $this->database->run('DELETE FROM counters WHERE name = ?', hash('sha256', $what));
    }

    /** @phpstan-impure */
    private function add(string $name): bool
    {
        return $this->database->run('UPDATE counters SET hits = hits + 1 WHERE name = ?', $name) === 1;
    }
}
