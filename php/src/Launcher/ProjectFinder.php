<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** Finds out what kind of application a folder holds, and where its parts are. */
final readonly class ProjectFinder
{
    private const ENTRIES = [
        'symfony' => ['public/index.php'],
        'laravel' => ['bootstrap/app.php'],
        'psr15' => ['app.php', 'config/app.php', 'src/app.php'],
        'plain' => ['public/index.php', 'web/index.php', 'index.php'],
    ];

    public function __construct(private string $root) {}

    /** @return array{Kind, string} and why */
    public function kind(string $entry): array
    {
        if ($entry !== '') {
            return $this->kindOfEntry($entry);
        }
        $packages = $this->packages();
        return match (true) {
            isset($packages['laravel/framework']) && $this->has('bootstrap/app.php') => [Kind::Laravel, 'composer.json requires laravel/framework'],
            isset($packages['symfony/runtime'], $packages['symfony/framework-bundle']) && $this->has('public/index.php') => [Kind::Symfony, 'composer.json requires symfony/framework-bundle and symfony/runtime'],
            isset($packages['symfony/symfony'], $packages['symfony/runtime']) && $this->has('public/index.php') => [Kind::Symfony, 'composer.json requires symfony/symfony and symfony/runtime'],
            $this->returnsHandler() !== null => [Kind::Psr15, "{$this->returnsHandler()} returns the application"],
            $this->firstOf(Kind::Plain) !== null => [Kind::Plain, "{$this->firstOf(Kind::Plain)} is its front controller"],
            default => throw new LaunchException(
                "No application was found in {$this->root}: there is no public/index.php, web/index.php, index.php or app.php; name one with --entry=FILE.",
            ),
        };
    }

    public function entry(Kind $kind, string $given, string $documentRoot): string
    {
        $entry = $given !== '' ? $given : $this->firstOf($kind) ?? '';
        $path = $this->path($entry);
        if ($entry === '' || !is_file($path)) {
            throw new LaunchException(
                $entry === ''
                    ? "{$kind->title()} needs an entry file, and none of " . implode(', ', self::ENTRIES[$kind->value]) . " is in {$this->root}: name one with --entry=FILE."
                    : "The entry file {$path} does not exist.",
            );
        }
        if (!is_readable($path)) {
            throw new LaunchException("The entry file {$path} cannot be read: mind its permissions, and those of the folders above it.");
        }
        return Folder::absolute($path);
    }

    public function documentRoot(string $given): string
    {
        if ($given !== '') {
            $path = Folder::absolute($this->path($given));
            return is_dir($path) ? $path : throw new LaunchException("The document root {$given} does not exist.");
        }
        foreach (['public', 'web'] as $folder) {
            if (is_dir("{$this->root}/{$folder}")) {
                return "{$this->root}/{$folder}";
            }
        }
        return $this->root;
    }

    /** @return array{Kind, string} */
    private function kindOfEntry(string $entry): array
    {
        $text = (string) @file_get_contents($this->path($entry));
        return match (true) {
            str_contains($text, 'autoload_runtime.php') => [Kind::Symfony, "{$entry} uses Symfony's Runtime"],
            str_contains($text, 'Illuminate\Foundation\Application') && preg_match('/^return\b/m', $text) === 1 => [Kind::Laravel, "{$entry} returns a Laravel application"],
            preg_match('/^return\b/m', $text) === 1 => [Kind::Psr15, "{$entry} returns the application"],
            default => [Kind::Plain, "{$entry} returns nothing: it is a front controller"],
        };
    }

    private function returnsHandler(): ?string
    {
        $entry = $this->firstOf(Kind::Psr15);
        return $entry !== null && preg_match('/^return\b/m', (string) file_get_contents($this->path($entry))) === 1 ? $entry : null;
    }

    private function firstOf(Kind $kind): ?string
    {
        foreach (self::ENTRIES[$kind->value] as $file) {
            if ($this->has($file)) {
                return $file;
            }
        }
        return null;
    }

    private function has(string $file): bool
    {
        return is_file("{$this->root}/{$file}");
    }

    private function path(string $file): string
    {
        return str_starts_with($file, '/') ? $file : "{$this->root}/{$file}";
    }

    /** @return array<string, mixed> */
    private function packages(): array
    {
        $text = (string) @file_get_contents("{$this->root}/composer.json");
        $composer = json_decode($text, true);
        return is_array($composer) && is_array($composer['require'] ?? null) ? $composer['require'] : [];
    }
}
