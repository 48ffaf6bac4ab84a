<?php

/** @generate-class-entries */

namespace Stampede;

/**
 * Changes of the entries of folders, as the kernel tells them (inotify). Watch $fd with Swoole\Event::add(), and read() when it is
 * readable. What another machine changes on a network file system is not told: see tells().
 *
 * WRITTEN: a file was written, or its rights have changed. CREATED: an entry was made, or moved to here. REMOVED: it was removed, or
 * moved away. FOLDER: the entry is a folder. GONE: the watched folder itself is, its number means nothing any more. LOST: more has
 * changed than the kernel could note, so look at all of it.
 */
final class FileWatch
{
    /** @var int */
    public const WRITTEN = 1;
    /** @var int */
    public const CREATED = 2;
    /** @var int */
    public const REMOVED = 4;
    /** @var int */
    public const FOLDER = 8;
    /** @var int */
    public const GONE = 16;
    /** @var int */
    public const LOST = 32;

    /** @var int */
    public $fd = -1;

    /** @throws \Swoole\Exception when the user may have no more of them, with the reason. */
    public function __construct() {}

    /**
     * Watches a folder, without the folders in it. The number of the folder in changes; false when it cannot be watched:
     * swoole_last_error() is the errno, ENOSPC (28) for too many watches of this user.
     */
    public function add(string $folder): int|false {}

    public function remove(int $watch): void {}

    /**
     * What has happened since the last call, without waiting: [number of the folder, bits of the constants, name of the entry] each.
     * At most about 1000 at once; an empty array when there is no more.
     */
    public function read(): array {}

    /** Whether the kernel tells of all changes below this folder: not on network file systems and shared folders of a virtual machine. */
    public static function tells(string $folder): bool {}
}
