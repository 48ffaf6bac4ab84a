<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Stampede\Exception\BootException;

/** Loads what an entry file returns. */
final class EntryLoader
{
    public static function load(string $directory, string $entry): mixed
    {
        foreach (["{$directory}/vendor/autoload.php", dirname($entry) . '/vendor/autoload.php', dirname($entry, 2) . '/vendor/autoload.php'] as $autoload) {
            if (is_file($autoload)) {
                require_once $autoload;
                break;
            }
        }
        $_SERVER['SCRIPT_FILENAME'] = $entry;
        $before = ob_get_level();
        ob_start();
        try {
            $returned = (static fn (): mixed => require $entry)();
        } finally {
            $printed = (string) ob_get_clean();
            while (ob_get_level() > $before) {
                ob_end_clean();
            }
        }
        if ($returned === 1 || $returned === true) {
            throw new BootException("{$entry} returns nothing: it must return the application, or be served with --bridge=plain."
                . ($printed !== '' ? ' It printed: ' . substr(trim(strip_tags($printed)), 0, 200) : ''));
        }
        return $returned;
    }
}
