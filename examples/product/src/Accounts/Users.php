<?php

declare(strict_types=1);

namespace Paddock\Accounts;

use Paddock\Data\Database;
use Paddock\Identifier;
use Paddock\Refusal;
use PDOException;

/** Who has an account: registration and login. */
final readonly class Users
{
    private const NAME = '/^[\p{L}\p{N}][\p{L}\p{N}._-]{1,31}$/u';
    private const SHORTEST_PASSWORD = 10;
    private const LONGEST_PASSWORD = 72; // bytes: bcrypt ignores the rest
    private const PERIOD = 900; // seconds
    private const TRIES_FOR_NAME_FROM_ADDRESS = 5;
    private const TRIES_FROM_ADDRESS = 50;
    private const TRIES_FOR_NAME = 100;
    private const ACCOUNTS_FROM_ADDRESS = 20;

    public function __construct(private Database $database, private Counters $counters) {}

    /** @throws Refusal */
    public function register(string $name, #[\SensitiveParameter] string $password, string $address): User
    {
        $name = self::normal($name);
        if (preg_match(self::NAME, $name) !== 1) {
            throw new Refusal('A name has 2 to 32 letters or digits, and may hold dots, dashes and underscores after the first.');
        }
        $hash = self::hash($password);
        $this->limit("register {$address}", self::ACCOUNTS_FROM_ADDRESS);
        $user = new User(Identifier::fresh(), $name);
        try {
            $this->database->run('INSERT INTO users (id, name, password, version, created) VALUES (?, ?, ?, 0, ?)', $user->id, $name, $hash, time());
        } catch (PDOException $failure) {
            throw str_starts_with((string) $failure->getCode(), '23') ? new Refusal('This name is taken.', 409) : $failure;
        }
        return $user;
    }

    /** @throws Refusal */
    public function login(string $name, #[\SensitiveParameter] string $password, string $address): User
    {
        $name = self::normal($name);
        $this->limit("login {$name} {$address}", self::TRIES_FOR_NAME_FROM_ADDRESS);
        $this->limit("login from {$address}", self::TRIES_FROM_ADDRESS);
        $this->limit("login to {$name}", self::TRIES_FOR_NAME);
        $row = $this->database->row('SELECT id, name, password FROM users WHERE name = ?', $name);
        // A name that is not there costs the same time: how long it takes does not tell which names are.
        if (!password_verify($password, $row['password'] ?? self::hashOfNothing()) || $row === null) {
            throw new Refusal('Name or password is wrong.', 403);
        }
        $this->counters->clear("login {$name} {$address}");
        return new User($row['id'], $row['name']);
    }

    /** @throws Refusal */
    public function changePassword(User $user, #[\SensitiveParameter] string $present, #[\SensitiveParameter] string $next, string $address): void
    {
        $hash = self::hash($next);
        $this->login($user->name, $present, $address);
        $this->database->run('UPDATE users SET password = ? WHERE id = ?', $hash, $user->id);
    }

    private static function hash(#[\SensitiveParameter] string $password): string
    {
        if (strlen($password) < self::SHORTEST_PASSWORD || strlen($password) > self::LONGEST_PASSWORD) {
            throw new Refusal(sprintf('A password has %d to %d characters.', self::SHORTEST_PASSWORD, self::LONGEST_PASSWORD));
        }
        return password_hash($password, PASSWORD_BCRYPT);
    }

    private static function hashOfNothing(): string
    {
        static $hash = null;
        return $hash ??= password_hash(Identifier::secret(), PASSWORD_BCRYPT);
    }

    private static function normal(string $name): string
    {
        return mb_strtolower(trim(mb_scrub($name, 'UTF-8')), 'UTF-8');
    }

    private function limit(string $what, int $most): void
    {
        if ($this->counters->hit($what, self::PERIOD) > $most) {
            throw new Refusal(sprintf('That was tried too often: please wait %d minutes.', intdiv(self::PERIOD, 60)), 429);
        }
    }
}
