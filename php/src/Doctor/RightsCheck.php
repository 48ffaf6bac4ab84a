<?php

declare(strict_types=1);

namespace Stampede\Doctor;

use Stampede\Application\ApplicationKind;
use Stampede\Application\Project;
use Stampede\Exception\LaunchException;
use Stampede\Supervisor\RuntimeDirectory;

/** Whose rights requests have, and whether they are enough. */
final readonly class RightsCheck implements Check
{
    private const WRITTEN = ['symfony' => ['var'], 'laravel' => ['storage', 'bootstrap/cache']];
    private const READ = 4;
    private const WRITE = 2;

    /** @param string $user that requests run as; empty: this one */
    public function __construct(private ?Project $project, private string $user) {}

    public function subject(): string
    {
        return 'rights';
    }

    public function findings(): array
    {
        return array_values(array_filter([$this->identity(), $this->runtime(), ...$this->application(), $this->library()]));
    }

    private function identity(): Finding
    {
        if (posix_geteuid() === 0 && $this->user === '') {
            return Finding::advice('requests would run as root', 'Name a user with --user=NAME[:GROUP].');
        }
        return Finding::good('requests run as ' . $this->account()['name']);
    }

    private function runtime(): ?Finding
    {
        try {
            RuntimeDirectory::make();
            return null;
        } catch (LaunchException $failure) {
            return Finding::problem($failure->getMessage(), 'Without a pid file the commands status, reload and stop cannot find the server.');
        }
    }

    /** @return list<Finding> */
    private function application(): array
    {
        if ($this->project === null) {
            return [];
        }
        $findings = [];
        $entry = $this->project->entry === '' ? $this->project->directory : $this->project->entry;
        if (!$this->may(self::READ, $entry)) {
            $findings[] = Finding::problem("{$entry} cannot be read by {$this->account()['name']}", 'Let that user read the folder of the application, or name another with --user.');
        }
        $kind = match ($this->project->kind) {
            ApplicationKind::Symfony => 'symfony',
            ApplicationKind::Laravel => 'laravel',
            default => '',
        };
        foreach (self::WRITTEN[$kind] ?? [] as $folder) {
            $path = "{$this->project->directory}/{$folder}";
            if (is_dir($path) && !$this->may(self::WRITE, $path)) {
                $findings[] = Finding::problem("{$path} cannot be written by {$this->account()['name']}", "chown -R {$this->account()['name']} {$path}");
            }
        }
        return $findings === [] ? [Finding::good("the application in {$this->project->directory} can be read")] : $findings;
    }

    private function library(): ?Finding
    {
        $file = __DIR__ . '/Check.php';
        return $this->may(self::READ, $file) ? null : Finding::problem('the package stampede/stampede cannot be read by ' . $this->account()['name'], 'chmod -R a+rX ' . dirname(__DIR__, 2));
    }

    /** @return array{name: string, uid: int, gid: int} */
    private function account(): array
    {
        $given = explode(':', $this->user)[0];
        $account = $given === '' || $given === 'auto' ? posix_getpwuid($given === 'auto' && $this->project !== null ? (int) fileowner($this->project->directory) : posix_geteuid()) : posix_getpwnam($given);
        return $account === false ? ['name' => $given === '' ? (string) posix_geteuid() : $given, 'uid' => posix_geteuid(), 'gid' => posix_getegid()] : $account;
    }

    /** By owner, group and others: lists of access control are not looked at. */
    private function may(int $right, string $path): bool
    {
        $account = $this->account();
        if ($account['uid'] === 0) {
            return true;
        }
        if ($account['uid'] === posix_geteuid()) {
            return $right === self::READ ? is_readable($path) : is_writable($path);
        }
        for ($wanted = $right; ; $wanted = 1, $path = dirname($path)) { // to enter each folder above takes the right to execute
            $facts = @stat($path);
            if ($facts === false) {
                return false;
            }
            $shift = $facts['uid'] === $account['uid'] ? 6 : ($facts['gid'] === $account['gid'] || in_array($account['name'], posix_getgrgid($facts['gid'])['members'] ?? [], true) ? 3 : 0);
            if ((($facts['mode'] >> $shift) & $wanted) === 0) {
                return false;
            }
            if ($path === '/') {
                return true;
            }
        }
    }
}
