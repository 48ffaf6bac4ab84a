<?php

declare(strict_types=1);

namespace Stampede\Application;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** The folders below a document root whose .htaccess speaks of who may read, for servers that do not read such files. */
final class DeniedFolders
{
    private const DEEPEST = 8;

    /** @return list<string> paths from the document root on, with a slash at the end, in order */
    public static function below(string $documentRoot): array
    {
        $found = [];
        $files = new RecursiveIteratorIterator(
            new RecursiveDirectoryIterator($documentRoot, FilesystemIterator::SKIP_DOTS | FilesystemIterator::FOLLOW_SYMLINKS),
            flags: RecursiveIteratorIterator::CATCH_GET_CHILD,
        );
        $files->setMaxDepth(self::DEEPEST);
        foreach ($files as $path => $file) {
            if ($file instanceof SplFileInfo && $file->getFilename() === '.htaccess' && preg_match('/^\s*(require\s+all\s+denied|deny\s+from\s+all)\s*$/mi', (string) @file_get_contents((string) $path)) === 1) {
                $found[] = substr(dirname((string) $path), strlen($documentRoot)) . '/';
            }
        }
        sort($found);
        return $found;
    }
}
