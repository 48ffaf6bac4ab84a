<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What .htaccess files say about who may read: denials to everybody, and what they let through nevertheless. Nothing else of them is looked at. */
final class Htaccess
{
    private const LONGEST = 65536; // bytes

    /** Whether one on the way from the document root denies the file to everybody: the last that says something about it counts. */
    public static function denies(string $documentRoot, string $path): bool
    {
        $denies = false;
        for ($slash = 0; $slash !== false; $slash = strpos($path, '/', $slash + 1)) {
            $file = $documentRoot . substr($path, 0, $slash) . '/.htaccess';
            if (is_file($file)) {
                $denies = self::says($file, basename($path)) ?? $denies;
            }
        }
        return $denies;
    }

    /** @return bool|null whether it denies the file of that name; null: it says nothing */
    private static function says(string $file, string $name): ?bool
    {
        $text = @file_get_contents($file, false, null, 0, self::LONGEST + 1);
        if ($text === false || strlen($text) > self::LONGEST) {
            return true; // nobody knows what it says
        }
        $folder = $ofName = null;
        $sections = []; // that are open: whether each is about this file
        foreach (explode("\n", $text) as $line) {
            $line = trim((string) preg_replace('/\s+/', ' ', $line));
            if (preg_match('~^<(/?)(?:files|limit|if |elseif|else>|if>)~i', $line, $found) === 1) {
                $found[1] === '/' ? array_pop($sections) : $sections[] = self::isAbout($line, $name);
                continue;
            }
            $denies = match (strtolower($line)) {
                'require all denied', 'deny from all' => true,
                'require all granted', 'allow from all' => false,
                default => null,
            };
            if ($denies === null) {
                continue;
            }
            if ($sections === []) {
                $folder = $folder === true || $denies;
            } elseif (!in_array(false, $sections, true)) {
                $ofName = $denies;
            }
        }
        return $ofName ?? $folder;
    }

    private static function isAbout(string $line, string $name): bool
    {
        if (preg_match('~^<files ?\~ ?"?(.+?)"?>$|^<filesmatch "?(.+?)"?>$~i', $line, $found) === 1) {
            return @preg_match('~' . strtr(end($found), ['~' => '\~']) . '~', $name) === 1;
        }
        return preg_match('~^<files "?(.+?)"?>$~i', $line, $found) === 1 && fnmatch($found[1], $name);
    }
}
