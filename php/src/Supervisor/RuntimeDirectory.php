<?php

declare(strict_types=1);

namespace Stampede\Supervisor;

use Stampede\Exception\ConfigurationException;

/**
 * Where the files of running servers lie: a folder that the user alone can enter, so that nobody else can put a link or a file of theirs
 * where one of ours will be, or read what is in it.
 */
final class RuntimeDirectory
{
    private const TYPE = 0170000;
    private const FOLDER = 0040000;
    private const OTHERS = 0077;

    /**
     * Where a server of this user may have its files. More than one: a session of systemd has a folder that a job of cron is not told of.
     *
     * @return list<string>
     */
    public static function all(int $user): array
    {
        $given = (string) getenv('XDG_RUNTIME_DIR');
        return array_values(array_unique([
            ...(str_starts_with($given, '/') && $user === posix_geteuid() ? ["{$given}/stampede"] : []),
            $user === 0 ? '/run/stampede' : "/run/user/{$user}/stampede",
            sys_get_temp_dir() . "/stampede-{$user}",
        ]));
    }

    /** The one for a server that starts now; made when it is not there. @throws ConfigurationException */
    public static function make(): string
    {
        $why = '';
        foreach (self::all(posix_geteuid()) as $folder) {
            if (is_dir(dirname($folder)) && is_writable(dirname($folder))) {
                @mkdir($folder, 0700);
                $why = self::obstacle($folder);
                if ($why === '') {
                    return $folder;
                }
            }
        }
        throw new ConfigurationException(($why === '' ? 'There is no folder for the files of a running server' : $why) . ': choose a file with --pid-file.');
    }

    /** Why the folder is not safe; empty when it is. */
    private static function obstacle(string $folder): string
    {
        clearstatcache(true, $folder);
        $facts = @lstat($folder);
        return match (true) {
            $facts === false => "The folder {$folder} cannot be made",
            ($facts['mode'] & self::TYPE) !== self::FOLDER => "{$folder} is no folder",
            $facts['uid'] !== posix_geteuid() => "The folder {$folder} belongs to another user",
            ($facts['mode'] & self::OTHERS) !== 0 && !@chmod($folder, 0700) => "The folder {$folder} is open to other users",
            default => '',
        };
    }
}
