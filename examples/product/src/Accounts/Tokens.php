<?php

declare(strict_types=1);

namespace Paddock\Accounts;

use Paddock\Data\Database;
use Paddock\Identifier;
use Paddock\Refusal;

/** Tokens for programs that use the API. They are shown once; a hash is kept. */
final readonly class Tokens
{
    private const MOST = 20;
    private const PREFIX = 'paddock_';

    public function __construct(private Database $database) {}

    /** @return string the token */
    public function create(User $user, string $name): string
    {
        $name = trim(mb_scrub($name, 'UTF-8'));
        if ($name === '' || mb_strlen($name) > 60) {
            throw new Refusal('A token needs a name of at most 60 characters, by which you will know it.');
        }
        if (count($this->of($user)) >= self::MOST) {
            throw new Refusal(sprintf('There are %d tokens already: delete one first.', self::MOST));
        }
        $token = self::PREFIX . Identifier::secret();
        $this->database->run('INSERT INTO tokens (id, user_id, name, hash, created) VALUES (?, ?, ?, ?, ?)', Identifier::fresh(), $user->id, $name, hash('sha256', $token), time());
        return $token;
    }

    /** @return list<array{id: string, name: string, created: int}> */
    public function of(User $user): array
    {
        /** @var list<array{id: string, name: string, created: int}> */
        return $this->database->rows('SELECT id, name, created FROM tokens WHERE user_id = ? ORDER BY created, id', $user->id);
    }

    public function delete(User $user, string $id): void
    {
        $this->database->run('DELETE FROM tokens WHERE user_id = ? AND id = ?', $user->id, $id);
    }

    /** @param string $field Authorization of a request */
    public function userOf(string $field): ?User
    {
        if (preg_match('/^Bearer (' . self::PREFIX . '[A-Za-z0-9_-]{43})$/i', $field, $found) !== 1) {
            return null;
        }
        return User::from($this->database->row('SELECT users.id, users.name FROM tokens JOIN users ON users.id = tokens.user_id WHERE tokens.hash = ?', hash('sha256', $found[1])));
    }
}
