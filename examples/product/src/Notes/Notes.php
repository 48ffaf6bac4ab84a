<?php

declare(strict_types=1);

namespace Paddock\Notes;

use Paddock\Accounts\User;
use Paddock\Data\Connection;
use Paddock\Data\Database;
use Paddock\Identifier;
use Paddock\Live\Hub;
use Paddock\Refusal;
use Psr\Http\Message\UploadedFileInterface;

/**
 * Notes of users. Every change gives its note the next version of its user: "what came after version 7" is all that a client has to ask
 * after a pause, and changes become visible in the order of their versions, since each waits for the row of its user.
 */
final readonly class Notes
{
    public const PAGE = 30;
    public const BATCH = 100;
    public const LONGEST = 10_000; // characters
    public const MOST_FILES = 4; // of a note

    private const MOST_BYTES = 256 << 20; // of a user's files
    private const COLUMNS = 'id, text, version, created, changed, deleted';

    public function __construct(private Database $database, private Files $files, private Hub $hub) {}

    /**
     * @param list<UploadedFileInterface> $uploads
     * @throws Refusal
     */
    public function add(User $user, string $text, array $uploads = []): Note
    {
        $text = self::checked($text, $uploads !== []);
        return $this->withFiles($user, $uploads, 0, function (array $files) use ($user, $text): Note {
            $id = Identifier::fresh();
            $this->change($user, function (Connection $connection, int $version) use ($user, $text, $id, $files): void {
                $connection->run('INSERT INTO notes (id, user_id, text, version, created, changed, deleted) VALUES (?, ?, ?, ?, ?, ?, 0)', $id, $user->id, $text, $version, time(), time());
                self::insertFiles($connection, $user, $id, $files, 0);
            });
            return $this->get($user, $id);
        });
    }

    /** @throws Refusal */
    public function edit(User $user, string $id, string $text): Note
    {
        $text = self::checked($text, $this->get($user, $id)->files !== []);
        $this->change($user, static function (Connection $connection, int $version) use ($user, $id, $text): void {
            self::found($connection->run('UPDATE notes SET text = ?, version = ?, changed = ? WHERE id = ? AND user_id = ? AND deleted = 0', $text, $version, time(), $id, $user->id));
        });
        return $this->get($user, $id);
    }

    /**
     * @param list<UploadedFileInterface> $uploads
     * @throws Refusal
     */
    public function attach(User $user, string $id, array $uploads): Note
    {
        $count = count($this->get($user, $id)->files);
        return $this->withFiles($user, $uploads, $count, function (array $files) use ($user, $id, $count): Note {
            $this->change($user, static function (Connection $connection, int $version) use ($user, $id, $files, $count): void {
                self::found($connection->run('UPDATE notes SET version = ?, changed = ? WHERE id = ? AND user_id = ? AND deleted = 0', $version, time(), $id, $user->id));
                self::insertFiles($connection, $user, $id, $files, $count);
            });
            return $this->get($user, $id);
        });
    }

    /** @throws Refusal */
    public function delete(User $user, string $id): void
    {
        $note = $this->get($user, $id);
        $this->change($user, static function (Connection $connection, int $version) use ($user, $id): void {
            self::found($connection->run("UPDATE notes SET text = '', version = ?, changed = ?, deleted = 1 WHERE id = ? AND user_id = ? AND deleted = 0", $version, time(), $id, $user->id));
            $connection->run('DELETE FROM files WHERE note_id = ?', $id);
        });
        $this->files->remove($note->files);
    }

    /** @throws Refusal */
    public function get(User $user, string $id): Note
    {
        return $this->filled($this->database->rows('SELECT ' . self::COLUMNS . ' FROM notes WHERE id = ? AND user_id = ? AND deleted = 0', $id, $user->id))[0] ?? throw Refusal::notFound();
    }

    /** @return list<Note> the newest, or those before the time of one of them */
    public function page(User $user, int $before = PHP_INT_MAX): array
    {
        return $this->filled($this->database->rows('SELECT ' . self::COLUMNS . ' FROM notes WHERE user_id = ? AND deleted = 0 AND version < ? ORDER BY version DESC LIMIT ' . self::PAGE, $user->id, $before));
    }

    /** @return list<Note> what has changed after a version, deleted ones too, in order; at most BATCH */
    public function since(User $user, int $version): array
    {
        return $this->filled($this->database->rows('SELECT ' . self::COLUMNS . ' FROM notes WHERE user_id = ? AND version > ? ORDER BY version LIMIT ' . self::BATCH, $user->id, $version));
    }

    public function version(User $user): int
    {
        return (int) ($this->database->row('SELECT version FROM users WHERE id = ?', $user->id)['version'] ?? 0);
    }

    /** @throws Refusal */
    public function file(User $user, string $id): File
    {
        $row = $this->database->row('SELECT id, name, type, size FROM files WHERE id = ? AND user_id = ?', $id, $user->id) ?? throw Refusal::notFound();
        return new File($row['id'], $row['name'], $row['type'], (int) $row['size']);
    }

    /** @param callable(Connection, int): void $work gets the version of this change */
    private function change(User $user, callable $work): void
    {
        $this->database->transaction(static function (Connection $connection) use ($user, $work): void {
            // A statement that writes comes first: it waits for other changes of this user, in every database.
            $connection->run('UPDATE users SET version = version + 1 WHERE id = ?', $user->id);
            $work($connection, (int) ($connection->row('SELECT version FROM users WHERE id = ?', $user->id)['version'] ?? throw Refusal::notFound()));
        });
        $this->hub->publish(Hub::changesOf($user), []);
    }

    /**
     * Keeps uploaded files; when what is done with them fails, they are gone again.
     *
     * @param list<UploadedFileInterface> $uploads
     * @param callable(list<File>): Note $work
     */
    private function withFiles(User $user, array $uploads, int $present, callable $work): Note
    {
        if ($present + count($uploads) > self::MOST_FILES) {
            throw self::tooManyFiles();
        }
        $used = $uploads === [] ? 0 : (int) ($this->database->row('SELECT SUM(size) AS used FROM files WHERE user_id = ?', $user->id)['used'] ?? 0);
        if ($used + array_sum(array_map(static fn (UploadedFileInterface $upload): int => (int) $upload->getSize(), $uploads)) > self::MOST_BYTES) {
            throw new Refusal(sprintf('Your files take more than %d MiB: delete some first.', self::MOST_BYTES >> 20), 413);
        }
        $files = [];
        try {
            foreach ($uploads as $upload) {
                $files[] = $this->files->keep($upload);
            }
            return $work($files);
        } catch (\Throwable $failure) {
            $this->files->remove($files);
            throw $failure;
        }
    }

    /** @param list<File> $files */
    private static function insertFiles(Connection $connection, User $user, string $note, array $files, int $place): void
    {
        foreach ($files as $file) {
            $connection->run('INSERT INTO files (id, note_id, user_id, name, type, size, place) VALUES (?, ?, ?, ?, ?, ?, ?)', $file->id, $note, $user->id, $file->name, $file->type, $file->size, $place++);
        }
        // Another request may have added some meanwhile.
        if ($files !== [] && (int) ($connection->row('SELECT COUNT(*) AS files FROM files WHERE note_id = ?', $note)['files'] ?? 0) > self::MOST_FILES) {
            throw self::tooManyFiles();
        }
    }

    private static function found(int $rows): void
    {
        if ($rows !== 1) {
            throw Refusal::notFound(); // deleted meanwhile
        }
    }

    private static function tooManyFiles(): Refusal
    {
        return new Refusal(sprintf('A note has at most %d files.', self::MOST_FILES));
    }

    /**
     * @param list<array<string, mixed>> $rows
     * @return list<Note>
     */
    private function filled(array $rows): array
    {
        if ($rows === []) {
            return [];
        }
        $ids = array_column($rows, 'id');
        $files = array_fill_keys($ids, []);
        $places = implode(', ', array_fill(0, count($ids), '?'));
        foreach ($this->database->rows("SELECT id, note_id, name, type, size FROM files WHERE note_id IN ({$places}) ORDER BY place", ...$ids) as $file) {
            $files[$file['note_id']][] = new File($file['id'], $file['name'], $file['type'], (int) $file['size']);
        }
        return array_map(static fn (array $row): Note => new Note(
            $row['id'],
            $row['text'],
            (int) $row['version'],
            (int) $row['created'],
            (int) $row['changed'],
            (bool) $row['deleted'],
            $files[$row['id']],
        ), $rows);
    }

    /** @throws Refusal */
    private static function checked(string $text, bool $mayBeEmpty): string
    {
        $text = trim(str_replace(["\r\n", "\r"], "\n", str_replace("\0", '', mb_scrub($text, 'UTF-8'))));
        if ($text === '' && !$mayBeEmpty) {
            throw new Refusal('A note needs a text or a file.');
        }
        if (mb_strlen($text) > self::LONGEST) {
            throw new Refusal(sprintf('A note has at most %s characters.', number_format(self::LONGEST)));
        }
        return $text;
    }
}
