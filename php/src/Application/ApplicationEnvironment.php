<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What Symfony and Laravel are told by APP_ENV, which is not an option of the server. */
final class ApplicationEnvironment
{
    private const FILES = ['.env.local', '.env']; // the first that names it counts
    private const LARGEST = 65536; // bytes of a file

    /** @return string|null where it says that the application is in production; null: nowhere */
    public static function production(string $directory): ?string
    {
        $given = getenv('APP_ENV');
        if ($given !== false) {
            return self::isProduction($given) ? 'APP_ENV' : null;
        }
        foreach (self::FILES as $file) {
            $text = is_file("{$directory}/{$file}") ? (string) @file_get_contents("{$directory}/{$file}", length: self::LARGEST) : '';
            if (preg_match('/^\h*(?:export\h+)?APP_ENV\h*=\h*["\']?(\w*)/m', $text, $found) === 1) {
                return self::isProduction($found[1]) ? "APP_ENV in {$directory}/{$file}" : null;
            }
        }
        return null;
    }

    private static function isProduction(string $name): bool
    {
        return in_array(strtolower($name), ['prod', 'production'], true);
    }
}
