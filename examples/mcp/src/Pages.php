<?php

declare(strict_types=1);

namespace Mcp;

use Closure;
use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** Markdown files below a folder, by their path in it. */
final class Pages
{
    private const MOST = 1000;
    private const MOST_FOUND = 20;

    private string $state;

    public function __construct(private readonly string $folder)
    {
        $this->state = $this->stateNow();
    }

    /** @return list<string> */
    public function names(): array
    {
        return array_keys($this->files());
    }

    /** Null when there is no such page: only names that names() gives lead to a file. */
    public function read(string $name): ?string
    {
        $file = $this->files()[$name] ?? null;
        $text = $file === null ? false : @file_get_contents($file->getPathname());
        return $text === false ? null : $text;
    }

    /**
     * @param Closure(int, int): void $progress is told how many pages of how many have been searched
     * @return list<array{page: string, line: int, text: string}>
     */
    public function search(string $words, Closure $progress): array
    {
        $found = [];
        $names = $this->names();
        foreach ($names as $i => $name) {
            foreach (explode("\n", $this->read($name) ?? '') as $number => $line) {
                if (mb_stripos($line, $words) !== false && count($found) < self::MOST_FOUND) {
                    $found[] = ['page' => $name, 'line' => $number + 1, 'text' => mb_substr(trim($line), 0, 300)];
                }
            }
            $progress($i + 1, count($names));
        }
        return $found;
    }

    /** Since it was asked last. */
    public function haveChanged(): bool
    {
        $before = $this->state;
        $this->state = $this->stateNow();
        return $before !== $this->state;
    }

    private function stateNow(): string
    {
        clearstatcache();
        return implode("\n", array_map(static fn (SplFileInfo $file): string => "{$file->getPathname()} {$file->getMTime()} {$file->getSize()}", $this->files()));
    }

    /** @return array<string, SplFileInfo> */
    private function files(): array
    {
        $files = [];
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($this->folder, FilesystemIterator::SKIP_DOTS)) as $file) {
            if ($file instanceof SplFileInfo && $file->isFile() && !$file->isLink() && $file->getExtension() === 'md' && count($files) < self::MOST) {
                $files[substr($file->getPathname(), strlen($this->folder) + 1)] = $file;
            }
        }
        ksort($files);
        return $files;
    }
}
