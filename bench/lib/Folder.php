<?php

declare(strict_types=1);

namespace Stampede\Bench;

use Stampede\Tests\E2e\Application;

/** A private folder that other users may read, with configuration files made of those in bench/conf. */
final class Folder
{
    public readonly string $path;

    public function __construct(string $name)
    {
        $this->path = sys_get_temp_dir() . "/stampede-bench-$name-" . bin2hex(random_bytes(4));
        mkdir($this->path, 0755, true);
        chmod($this->path, 0755);
    }

    public function remove(): void
    {
        self::shell('rm -rf ' . escapeshellarg($this->path));
    }

    /**
     * Writes bench/conf/$name here, with each {word} replaced.
     *
     * @param array<string, string|int> $words
     */
    public function configuration(string $name, array $words): string
    {
        $path = "$this->path/$name";
        file_put_contents($path, self::filled($name, $words + ['folder' => $this->path]));
        return $path;
    }

    /** @param array<string, string|int> $words */
    public static function filled(string $name, array $words): string
    {
        $text = (string) file_get_contents(dirname(__DIR__) . "/conf/$name");
        $text = (string) preg_replace('/^[#;].*\n/m', '', $text);
        return (string) preg_replace_callback(
            '/\{(\w+)\}/',
            static fn (array $found): string => (string) ($words[$found[1]] ?? throw new \LogicException("bench/conf/$name: nothing is known for {$found[0]}.")),
            $text,
        );
    }

    /** A copy of a folder or file in here, which users without rights to the tree can read. */
    public function copy(string $source, string $name): string
    {
        $path = "$this->path/$name";
        self::shell('cp -rL ' . escapeshellarg($source) . ' ' . escapeshellarg($path) . ' && chmod -R a+rX ' . escapeshellarg($path));
        return $path;
    }

    /**
     * A copy of an application with its packages, for which its composer.json asks, and an optimized autoloader as for production.
     *
     * @param ?\Closure(string): void $complete writes into the copy what the tree does not hold
     */
    public function application(string $source, string $name, ?\Closure $complete = null): string
    {
        $path = $this->copy($source, $name);
        $complete?->__invoke($path);
        $this->copy(Application::packagesOf($name, "$source/composer.json"), "$name/vendor");
        self::shell('COMPOSER_ALLOW_SUPERUSER=1 composer --working-dir=' . escapeshellarg($path) . ' dump-autoload --optimize --no-scripts --quiet');
        return $path;
    }

    /** Makes files as old as those of a deployed application: opcache keeps none that was written in the last two seconds. */
    public static function aged(string $path): void
    {
        self::shell('find ' . escapeshellarg($path) . " -type f -exec touch -d '1 minute ago' {} +");
    }

    public static function shell(string $command): void
    {
        exec("$command 2>&1", $output, $status);
        if ($status !== 0) {
            throw new \RuntimeException("$command failed:\n" . implode("\n", $output));
        }
    }
}
