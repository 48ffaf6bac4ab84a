<?php

declare(strict_types=1);

namespace Paddock\Data;

use LogicException;
use Paddock\Settings;
use PDO;

/** The tables, made when they are missing. Several workers may try at once: one does it, the others wait. */
final class Schema
{
    private const LOCK = 7241001; // any number that no other program on this database uses

    /** Words that differ: databases compare and limit texts in their own ways. */
    private const TYPES = [
        'sqlite' => ['KEY' => 'TEXT', 'TEXT' => 'TEXT', 'END' => ''],
        'mysql' => ['KEY' => 'VARCHAR(64)', 'TEXT' => 'TEXT', 'END' => 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin'],
        'pgsql' => ['KEY' => 'VARCHAR(64)', 'TEXT' => 'TEXT', 'END' => ''],
    ];

    private const TABLES = [
        // version: of the newest change of a note, so that a client can ask for what came after the one it knows
        'CREATE TABLE IF NOT EXISTS users (id :KEY PRIMARY KEY, name :KEY NOT NULL UNIQUE, password :TEXT NOT NULL, version BIGINT NOT NULL, created BIGINT NOT NULL) :END',
        'CREATE TABLE IF NOT EXISTS sessions (id :KEY PRIMARY KEY, user_id :KEY NOT NULL, expires BIGINT NOT NULL) :END',
        'CREATE TABLE IF NOT EXISTS tokens (id :KEY PRIMARY KEY, user_id :KEY NOT NULL, name :TEXT NOT NULL, hash :KEY NOT NULL UNIQUE, created BIGINT NOT NULL) :END',
        // deleted: the row stays without its text, since clients must hear of it
        'CREATE TABLE IF NOT EXISTS notes (id :KEY PRIMARY KEY, user_id :KEY NOT NULL, text :TEXT NOT NULL, version BIGINT NOT NULL, created BIGINT NOT NULL, changed BIGINT NOT NULL, deleted BIGINT NOT NULL) :END',
        'CREATE TABLE IF NOT EXISTS files (id :KEY PRIMARY KEY, note_id :KEY NOT NULL, user_id :KEY NOT NULL, name :TEXT NOT NULL, type :KEY NOT NULL, size BIGINT NOT NULL, place BIGINT NOT NULL) :END',
        'CREATE TABLE IF NOT EXISTS counters (name :KEY PRIMARY KEY, hits BIGINT NOT NULL, until BIGINT NOT NULL) :END',
        'CREATE INDEX IF NOT EXISTS notes_by_version ON notes (user_id, version)',
        'CREATE INDEX IF NOT EXISTS files_of_notes ON files (note_id)',
        'CREATE INDEX IF NOT EXISTS files_of_users ON files (user_id)',
        'CREATE INDEX IF NOT EXISTS tokens_of_users ON tokens (user_id)',
    ];

    public static function create(Settings $settings): void
    {
        $pdo = $settings->connect();
        [$lock, $unlock] = match ($settings->driver) {
            'sqlite' => ['BEGIN IMMEDIATE', 'COMMIT'],
            'mysql' => ['SELECT GET_LOCK(\'' . self::LOCK . '\', 30)', 'SELECT RELEASE_LOCK(\'' . self::LOCK . '\')'],
            default => ['SELECT pg_advisory_lock(' . self::LOCK . ')', 'SELECT pg_advisory_unlock(' . self::LOCK . ')'],
        };
        if ($settings->driver === 'sqlite') {
            self::do($pdo, 'PRAGMA journal_mode = WAL'); // readers do not wait for the one that writes
        }
        self::do($pdo, $lock);
        foreach (self::TABLES as $statement) {
            self::do($pdo, (string) preg_replace_callback('/:([A-Z]+)/', static fn (array $word): string => self::TYPES[$settings->driver][$word[1]], $statement));
        }
        self::do($pdo, $unlock);
    }

    private static function do(PDO $pdo, string $statement): void
    {
        // Read to its end: an open result would hold the lock.
        ($pdo->query($statement) ?: throw new LogicException('Errors of PDO are to be exceptions.'))->fetchAll();
    }
}
