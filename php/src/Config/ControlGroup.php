<?php

declare(strict_types=1);

namespace Stampede\Config;

/**
 * The limits of the control groups that this process is in, of version 2 or 1 of the kernel's interface: of its own groups and of all above them, since the
 * smallest of them holds.
 */
final readonly class ControlGroup
{
    /** @param string $root where the hierarchies are mounted @param string $membership names of this process's groups, as in /proc/self/cgroup */
    public function __construct(private string $root = '/sys/fs/cgroup', private string $membership = '/proc/self/cgroup') {}

    /** How many processors' time the groups may use; null: as much as there is. */
    public function processors(): ?float
    {
        $quotas = [];
        foreach ($this->groups('cpu') as $group) {
            [$quota, $period] = [...explode(' ', self::read("{$group}/cpu.max")), '', ''];
            if ($quota === '') {
                [$quota, $period] = [self::read("{$group}/cpu.cfs_quota_us"), self::read("{$group}/cpu.cfs_period_us")];
            }
            if (is_numeric($quota) && (float) $quota > 0 && (int) $period > 0) { // 'max' in version 2, -1 in version 1: no limit
                $quotas[] = (float) $quota / (int) $period;
            }
        }
        return $quotas === [] ? null : min($quotas);
    }

    /** Bytes that the groups may use; null: as many as there are. */
    public function memory(): ?int
    {
        $limits = [];
        foreach ($this->groups('memory') as $group) {
            foreach (['memory.max', 'memory.limit_in_bytes'] as $name) {
                $text = self::read("{$group}/{$name}");
                if (ctype_digit($text) && (int) $text < PHP_INT_MAX - (1 << 20)) { // version 1 says "no limit" with the largest number of whole pages
                    $limits[] = (int) $text;
                }
            }
        }
        return $limits === [] ? null : min($limits);
    }

    /**
     * The folders of a controller's groups, from the process's own up to the root. In a container the names may be those of the host, which are not to be seen there:
     * what is mounted is the container's own group.
     *
     * @return list<string>
     */
    private function groups(string $controller): array
    {
        [$hierarchy, $path] = $this->place($controller);
        $folders = [];
        for (; $path !== '' && $path !== '/' && $path !== '.'; $path = dirname($path)) {
            $folders[] = $hierarchy . $path;
        }
        return array_values(array_filter([...$folders, $hierarchy], is_dir(...)));
    }

    /** @return array{string, string} the folder of the hierarchy that has the controller, and the process's group in it */
    private function place(string $controller): array
    {
        $unified = [$this->root, ''];
        foreach (explode("\n", self::read($this->membership)) as $line) {
            [, $controllers, $path] = [...explode(':', $line, 3), '', '', ''];
            if (in_array($controller, explode(',', $controllers), true) && is_dir("{$this->root}/{$controllers}")) {
                return ["{$this->root}/{$controllers}", $path];
            }
            if ($controllers === '' && $path !== '') {
                $unified = [$this->root, $path];
            }
        }
        return $unified;
    }

    private static function read(string $file): string
    {
        return is_file($file) ? trim((string) @file_get_contents($file)) : '';
    }
}
