<?php

declare(strict_types=1);

namespace Paddock\Accounts;

use Paddock\Data\Database;
use Paddock\Identifier;

/** Sessions of users. Only a hash of a cookie is kept: who reads the database cannot log in. Visitors cost no row. */
final readonly class Sessions
{
    public const COOKIE = 'paddock';
    public const LIFETIME = 30 * 86400; // seconds

    private const SECRET = '/^[A-Za-z0-9_-]{43}$/';

    public function __construct(private Database $database) {}

    /** @param array<mixed> $cookies */
    public function of(array $cookies): Session
    {
        $secret = $cookies[self::COOKIE] ?? '';
        if (!is_string($secret) || preg_match(self::SECRET, $secret) !== 1) {
            return self::visitor();
        }
        return new Session($secret, $this->userOf($secret));
    }

    /** A new secret, so that one from before the login is worth nothing. */
    public function open(User $user): Session
    {
        $secret = Identifier::secret();
        $this->database->run('DELETE FROM sessions WHERE expires < ?', time());
        $this->database->run('INSERT INTO sessions (id, user_id, expires) VALUES (?, ?, ?)', self::idOf($secret), $user->id, time() + self::LIFETIME);
        return new Session($secret, $user, true);
    }

    public function close(Session $session): Session
    {
        $this->database->run('DELETE FROM sessions WHERE id = ?', self::idOf($session->secret));
        return self::visitor();
    }

    /** Wherever the user has logged in. */
    public function closeAll(User $user): void
    {
        $this->database->run('DELETE FROM sessions WHERE user_id = ?', $user->id);
    }

    private function userOf(string $secret): ?User
    {
        return User::from($this->database->row(
            'SELECT users.id, users.name FROM sessions JOIN users ON users.id = sessions.user_id WHERE sessions.id = ? AND sessions.expires > ?',
            self::idOf($secret),
            time(),
        ));
    }

    private static function visitor(): Session
    {
        return new Session(Identifier::secret(), null, true);
    }

    private static function idOf(string $secret): string
    {
        return hash('sha256', $secret);
    }
}
