<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Closure;
use FilesystemIterator;
use RecursiveCallbackFilterIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;
use Swoole\Timer;

/** Looks five times a second whether a source file of the application has changed, and reloads when all that changed can be parsed. */
final class Watcher
{
    private const PERIOD = 150; // milliseconds
    private const SOURCES = ['php', 'yaml', 'yml', 'xml', 'twig', 'json', 'env', 'ini', 'phtml', 'neon'];
    private const LEFT_OUT = ['vendor', 'node_modules', 'var', 'storage', 'cache', '.git', '.idea', 'tmp', 'log', 'logs'];

    /** @var array<string, string> */
    private array $seen = [];

    /**
     * @param Closure(): mixed $reload
     * @param Closure(string): void $say
     */
    public function __construct(
        private readonly string $directory,
        private readonly Closure $reload,
        private readonly Closure $say,
    ) {}

    public function start(): void
    {
        $this->seen = $this->look();
        Timer::tick(self::PERIOD, $this->check(...));
    }

    private function check(): void
    {
        $now = $this->look();
        $changed = array_keys(array_diff_assoc($now, $this->seen) + array_diff_key($this->seen, $now));
        $this->seen = $now;
        if ($changed === []) {
            return;
        }
        foreach ($changed as $path) {
            $fault = $this->fault($path);
            if ($fault !== null) {
                ($this->say)("Not reloaded, the present code goes on: {$fault}");
                return;
            }
        }
        $more = count($changed) > 1 ? ' and ' . (count($changed) - 1) . ' more' : '';
        ($this->say)('Reloading: ' . substr($changed[0], strlen($this->directory) + 1) . "{$more} changed");
        ($this->reload)();
    }

    private function fault(string $path): ?string
    {
        if (!str_ends_with($path, '.php') || !is_file($path)) {
            return null;
        }
        try {
            token_get_all((string) file_get_contents($path), TOKEN_PARSE);
            return null;
        } catch (\ParseError $error) {
            return "{$error->getMessage()} in {$path}:{$error->getLine()}";
        }
    }

    /** @return array<string, string> a mark of each file */
    private function look(): array
    {
        clearstatcache();
        $files = new RecursiveIteratorIterator(new RecursiveCallbackFilterIterator(
            new RecursiveDirectoryIterator($this->directory, FilesystemIterator::SKIP_DOTS | FilesystemIterator::FOLLOW_SYMLINKS),
            fn (SplFileInfo $file): bool => $file->isDir()
                ? !in_array($file->getFilename(), self::LEFT_OUT, true)
                : in_array($file->getExtension(), self::SOURCES, true),
        ));
        $marks = [];
        foreach ($files as $path => $file) {
            $marks[$path] = @filemtime($path) . '-' . @filesize($path) . '-' . @fileinode($path);
        }
        return $marks;
    }
}
