<?php

declare(strict_types=1);

namespace Stampede\Config;

/** Names of folders as the user wrote them: a symbolic link to a release may lead elsewhere tomorrow, so it is not resolved. */
final class DirectoryPath
{
    /** The absolute path of a folder, which need not exist. */
    public static function absolute(string $given): string
    {
        $path = str_starts_with($given, '/') ? $given : self::working() . "/{$given}";
        $parts = array_filter(explode('/', $path), static fn (string $part): bool => $part !== '' && $part !== '.');
        // What lies above a link depends on where it leads.
        return in_array('..', $parts, true) ? (realpath($path) ?: $path) : '/' . implode('/', $parts);
    }

    /** As the shell names it, when that is the same folder. */
    private static function working(): string
    {
        $logical = (string) getenv('PWD');
        return str_starts_with($logical, '/') && realpath($logical) === getcwd() ? $logical : (string) getcwd();
    }
}
