<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Closure;
use Stampede\Exception\LaunchException;
use Stampede\FileWatch;
use Stampede\Log\Logger;
use Swoole\Timer;

/**
 * Reloads when source files of the application have changed and can be compiled, and tells pages of changes. Changes that come together
 * are one. In the first process of the server.
 */
final class FileWatcher
{
    private const QUIET = 25; // milliseconds without a further change, after which it is time
    private const PATIENCE = 0.25; // seconds after the first change, after which it is time, quiet or not
    private const MOST_REFUSED = 100; // files; fewer than a check looks at
    private const LOOK = 1000; // milliseconds: whether the folder is there, and the same

    private readonly SourceTree $tree;
    private ?ChangeNotifier $changes = null;
    private string|false $root = false;
    /** @var array<string, true> */
    private array $changed = [];
    /** @var array<string, true> changed, and not reloaded yet, because one of them cannot be compiled: this one first */
    private array $refused = [];
    private float $since = 0.0;
    private int $timer = 0;
    private int $look = 0;

    /**
     * @param Closure(): mixed $reload
     * @param Closure(string): void $refuse code that cannot be compiled, and why
     * @param Closure(): void $refresh pages alone
     */
    public function __construct(
        string $directory,
        private readonly Closure $reload,
        private readonly Closure $refuse,
        private readonly Closure $refresh,
        private readonly Logger $logger,
    ) {
        $this->tree = new SourceTree($directory);
    }

    public function start(): void
    {
        $this->begin();
        $this->look = (int) Timer::tick(self::LOOK, $this->lookAtRoot(...));
    }

    /** Else the process would go on for the changes that may come. */
    public function stop(): void
    {
        Timer::clear($this->look);
        $this->changes?->end();
        $this->changes = null;
    }

    private function begin(): void
    {
        $this->root = realpath($this->tree->root);
        if (!FileWatch::tells($this->tree->root)) {
            $this->poll('no changes are told of files on this file system');
            return;
        }
        $this->changes = new InotifyNotifier($this->tree, $this->note(...), fn () => $this->pollInstead('the kernel watches no more folders for this user (fs.inotify.max_user_watches)'));
        try {
            $this->changes->begin();
        } catch (LaunchException $exception) {
            $this->poll($exception->getMessage());
        }
    }

    private function poll(string $why): void
    {
        $this->logger->notice("Files are looked at several times a second: {$why}.");
        $this->changes = new PollingNotifier($this->tree, $this->note(...), $this->logger);
        $this->changes->begin();
    }

    private function pollInstead(string $why): void
    {
        if ($this->changes instanceof InotifyNotifier) {
            $this->changes->end();
            $this->poll($why);
        }
    }

    /** A folder that vanishes, comes again, or is the end of a link that leads to another one now. */
    private function lookAtRoot(): void
    {
        clearstatcache(true);
        $root = realpath($this->tree->root);
        if ($root === $this->root) {
            return;
        }
        $this->changes?->end();
        $this->changes = null;
        $this->root = $root;
        if ($root === false) {
            $this->logger->notice("The watched folder {$this->tree->root} is gone: the present code goes on until the folder is there again.");
            return;
        }
        $this->logger->notice("The watched folder {$this->tree->root} is another one now.");
        $this->begin();
        $this->note('');
    }

    /** @param string $path empty: any */
    private function note(string $path): void
    {
        $now = microtime(true);
        if ($this->changed === []) {
            $this->since = $now;
        }
        $this->changed[$path] = true;
        if ($this->timer !== 0 && $now - $this->since < self::PATIENCE) {
            Timer::clear($this->timer);
            $this->timer = 0;
        }
        if ($this->timer === 0) {
            $this->timer = (int) Timer::after(self::QUIET, $this->act(...));
        }
    }

    private function act(): void
    {
        $this->timer = 0;
        $changed = array_map(strval(...), array_keys($this->changed));
        $this->changed = [];
        if (!is_dir($this->tree->root)) {
            return;
        }
        $sources = array_values(array_filter($changed, fn (string $path): bool => !$this->tree->isPage(basename($path))));
        if ($sources === []) {
            ($this->refresh)();
            return;
        }
        // A change of another file does not mend what was refused before.
        $fault = Linter::fault(array_map(strval(...), array_keys($this->refused + array_fill_keys($sources, true))));
        if ($fault !== null) {
            $this->refused = array_slice([$fault->path => true] + array_fill_keys($sources, true) + $this->refused, 0, self::MOST_REFUSED);
            $this->logger->notice("Not reloaded, the present code goes on: {$fault->sentence}");
            ($this->refuse)($fault->sentence);
            return;
        }
        $this->refused = [];
        $first = $sources[0] === '' ? 'very many files' : substr($sources[0], strlen($this->tree->root) + 1);
        $more = count($sources) > 1 ? ' and ' . (count($sources) - 1) . ' more' : '';
        $this->logger->notice("Reloading: {$first}{$more} changed");
        ($this->reload)();
    }
}
