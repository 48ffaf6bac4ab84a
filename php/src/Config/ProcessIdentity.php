<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** Whose rights the processes of a server have, all but the first one, which runs no code of the application. */
final readonly class ProcessIdentity
{
    private const AUTO = 'auto'; // the owner of the application's folder

    private function __construct(public string $user, public string $group, private string $home) {}

    /** Null: those of the user who starts it, or what the option "server" says. @throws ConfigurationException */
    public static function of(Configuration $options, string $directory): ?self
    {
        $given = $options->text('user');
        if ($given === '') {
            return null;
        }
        if (array_intersect_key($options->serverSettings(), ['user' => true, 'group' => true]) !== []) {
            throw new ConfigurationException('The options "user" and "server" both name a user or a group: name them in "user" alone.');
        }
        [$name, $group] = explode(':', $given, 2) + [1 => ''];
        $owner = $given === self::AUTO ? posix_getpwuid((int) fileowner($directory)) : posix_getpwnam($name);
        if ($owner === false) {
            throw new ConfigurationException($given === self::AUTO ? "The option \"user\": the owner of {$directory} is no user of this system." : "The option \"user\": there is no user {$name}.");
        }
        if ($given === self::AUTO && $owner['uid'] === 0) {
            throw new ConfigurationException("The option \"user\": {$directory} belongs to root. Name a user with --user=NAME[:GROUP].");
        }
        if ($group !== '' && posix_getgrnam($group) === false) {
            throw new ConfigurationException("The option \"user\": there is no group {$group}.");
        }
        if (posix_geteuid() !== 0) {
            if ($owner['uid'] !== posix_geteuid() || $group !== '') {
                throw new ConfigurationException("The option \"user\": only root can start a server for {$given}.");
            }
            return null;
        }
        return new self($owner['name'], $group !== '' ? $group : (string) (posix_getgrgid($owner['gid'])['name'] ?? ''), $owner['dir']);
    }

    /** A sentence for root, whose applications could do anything; null where there is nothing to say. */
    public static function warning(Configuration $options, string $directory): ?string
    {
        if (posix_geteuid() !== 0 || $options->text('user') !== '' || isset($options->serverSettings()['user'])) {
            return null;
        }
        $owner = posix_getpwuid((int) fileowner($directory));
        $auto = $owner !== false && $owner['uid'] !== 0 ? ", --user=auto as {$owner['name']}, the owner of its folder" : '';
        return "The application runs as root: --user=NAME[:GROUP] runs it as another user{$auto}.";
    }

    /** Programs that the application starts (git, ssh, composer) look for their settings in the folder of its user, not in that of root. */
    public function setEnvironment(): void
    {
        foreach (['HOME' => $this->home, 'USER' => $this->user, 'LOGNAME' => $this->user] as $name => $value) {
            putenv("{$name}={$value}");
            $_SERVER[$name] = $value;
            if (isset($_ENV[$name])) {
                $_ENV[$name] = $value;
            }
        }
    }

    /** @return array<string, string> */
    public function settings(): array
    {
        return array_filter(['user' => $this->user, 'group' => $this->group]);
    }
}
