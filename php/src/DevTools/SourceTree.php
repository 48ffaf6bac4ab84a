<?php

declare(strict_types=1);

namespace Stampede\DevTools;

/** Which files and folders of an application are watched. */
final readonly class SourceTree
{
    private const SOURCES = ['php', 'yaml', 'yml', 'xml', 'twig', 'json', 'env', 'ini', 'phtml', 'neon'];
    private const PAGES = ['css', 'js', 'mjs', 'html', 'htm', 'svg'];
    private const LEFT_OUT = ['vendor', 'node_modules', 'var', 'storage', 'cache', 'tmp', 'log', 'logs'];

    public function __construct(public string $root) {}

    /** Code: a change needs a reload. */
    public function isSource(string $name): bool
    {
        return in_array(pathinfo($name, PATHINFO_EXTENSION), self::SOURCES, true) || str_starts_with($name, '.env');
    }

    /** What browsers get as it is: a change is new to pages, not to workers. */
    public function isPage(string $name): bool
    {
        return in_array(pathinfo($name, PATHINFO_EXTENSION), self::PAGES, true);
    }

    public function isWatchedFolder(string $name): bool
    {
        return $name !== '' && $name[0] !== '.' && !in_array($name, self::LEFT_OUT, true);
    }

    /**
     * A folder and those below it, links followed, each once.
     *
     * @return list<string>
     */
    public function folders(string $from): array
    {
        $found = [];
        for ($next = [$from]; $next !== [];) {
            $folder = array_pop($next);
            $real = realpath($folder);
            if ($real === false || isset($found[$real])) {
                continue;
            }
            $found[$real] = $folder;
            // The names alone: a folder may hold a great many files.
            foreach (glob(preg_replace('/[\[\]*?\\\\]/', '\\\\$0', $folder) . '/*', GLOB_ONLYDIR | GLOB_NOSORT) ?: [] as $path) {
                if ($this->isWatchedFolder(basename($path))) {
                    $next[] = $path;
                }
            }
        }
        return array_values($found);
    }

    /** @return list<string> PHP files that were written or moved here at this time (Unix) or later */
    public function changedSince(int $time): array
    {
        clearstatcache();
        $changed = [];
        foreach ($this->folders($this->root) as $folder) {
            foreach (@scandir($folder, SCANDIR_SORT_NONE) ?: [] as $name) {
                $facts = str_ends_with($name, '.php') ? @stat("{$folder}/{$name}") : false;
                if ($facts !== false && max($facts['mtime'], $facts['ctime']) >= $time) {
                    $changed[] = "{$folder}/{$name}";
                }
            }
        }
        return $changed;
    }

    /** @return array<string, string> a mark of each watched file, by its path */
    public function marks(): array
    {
        clearstatcache();
        $marks = [];
        foreach ($this->folders($this->root) as $folder) {
            foreach (@scandir($folder, SCANDIR_SORT_NONE) ?: [] as $name) {
                if ($this->isSource($name) || $this->isPage($name)) {
                    $facts = @stat("{$folder}/{$name}");
                    $marks["{$folder}/{$name}"] = $facts === false ? '' : "{$facts['mtime']}-{$facts['size']}-{$facts['ino']}";
                }
            }
        }
        return $marks;
    }
}
