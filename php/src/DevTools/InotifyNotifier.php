<?php

declare(strict_types=1);

namespace Stampede\DevTools;

use Closure;
use Stampede\Exception\ServerException;
use Stampede\FileWatch;
use Swoole\Event;

/** Changes as the kernel tells them, at once. */
final class InotifyNotifier implements ChangeNotifier
{
    private const NO_MORE = 28; // ENOSPC

    private FileWatch $watch;
    /** @var array<int, string> folders by their number */
    private array $folders = [];

    /**
     * @param Closure(string): void $changed for each path; "" when more has changed than can be told
     * @param Closure(): void $refused the rest cannot be watched any more
     */
    public function __construct(private readonly SourceTree $tree, private readonly Closure $changed, private readonly Closure $refused) {}

    /** @throws ServerException when the kernel does not watch all folders */
    public function begin(): void
    {
        try {
            $this->watch = new FileWatch();
        } catch (\Swoole\Exception $exception) {
            throw new ServerException($exception->getMessage());
        }
        if (!$this->add($this->tree->root)) {
            throw new ServerException('the kernel watches no more folders for this user (fs.inotify.max_user_watches)');
        }
        Event::add($this->watch->fd, $this->read(...));
    }

    public function end(): void
    {
        Event::del($this->watch->fd);
    }

    /** A folder with those below it. @return bool whether there was room for all */
    private function add(string $from): bool
    {
        foreach ($this->tree->folders($from) as $folder) {
            $number = @$this->watch->add($folder);
            if ($number !== false) {
                $this->folders[$number] = $folder;
            } elseif (swoole_last_error() === self::NO_MORE) {
                return false;
            } // else it is gone already, or may not be read
        }
        return true;
    }

    private function read(): void
    {
        while (($changes = $this->watch->read()) !== []) {
            foreach ($changes as [$number, $what, $name]) {
                $this->take($number, $what, $name);
            }
        }
    }

    private function take(int $number, int $what, string $name): void
    {
        if (($what & FileWatch::LOST) !== 0) {
            $this->takeFolder($this->tree->root); // those that were made meanwhile
            ($this->changed)('');
            return;
        }
        $folder = $this->folders[$number] ?? null;
        if ($folder === null) {
            return;
        }
        if (($what & FileWatch::GONE) !== 0) {
            unset($this->folders[$number]);
            return;
        }
        $path = "{$folder}/{$name}";
        if (($what & FileWatch::FOLDER) !== 0) {
            if (!$this->tree->isWatchedFolder($name)) {
                return;
            }
            if (($what & FileWatch::CREATED) !== 0) {
                $this->takeFolder($path);
            }
            if (($what & (FileWatch::CREATED | FileWatch::REMOVED)) !== 0) {
                ($this->changed)($path);
            }
        } elseif ($this->tree->isSource($name) || $this->tree->isPage($name)) {
            ($this->changed)($path);
        }
    }

    private function takeFolder(string $path): void
    {
        if (!$this->add($path)) {
            ($this->refused)();
        }
    }
}
