<?php

declare(strict_types=1);

namespace Stampede\Process;

/** Which file a path means. */
final class ScriptLocator
{
    private readonly string $realRoot;

    /** @param bool $sendsFiles whether what is no PHP below the document root may be sent */
    public function __construct(private readonly string $documentRoot, private readonly string $entry, private readonly bool $sendsFiles)
    {
        $this->realRoot = realpath($documentRoot) ?: $documentRoot;
    }

    /** Another script below the document root when the path names one, or a folder with an index.php, otherwise the front controller. */
    public function scriptOf(string $path): string
    {
        if (str_ends_with($path, '.php') || str_contains($path, '.php/')) {
            return $this->script(substr($path, 0, (int) strpos($path, '.php') + 4)) ?? $this->entry;
        }
        return ($path !== '/' && str_ends_with($path, '/') ? $this->script("{$path}index.php") : null) ?? $this->entry;
    }

    /** Whether the path lacks only the slash at its end to name a folder with an index, which links in its pages are relative to. */
    public function isFolder(string $path): bool
    {
        return !str_ends_with($path, '/') && !str_ends_with($path, '.php') && is_dir($this->documentRoot . $path)
            && ($this->script("{$path}/index.php") ?? $this->pageOf("{$path}/")) !== null;
    }

    /** The index.html of a folder that has no index.php. */
    public function pageOf(string $path, string $method = 'GET'): ?string
    {
        $isFolder = $this->sendsFiles && $path !== '/' && str_ends_with($path, '/') && in_array($method, ['GET', 'HEAD'], true);
        // What is hidden is no more sent than it is by its own name.
        return $isFolder && !str_contains($path, '/.') && $this->script("{$path}index.php") === null ? $this->script("{$path}index.html") : null;
    }

    /** The file of that name, when there is one below the document root. */
    private function script(string $name): ?string
    {
        if (!is_file($this->documentRoot . $name)) {
            return null;
        }
        $real = (string) realpath($this->documentRoot . $name);
        return str_starts_with($real, "{$this->realRoot}/") ? $this->documentRoot . substr($real, strlen($this->realRoot)) : null;
    }
}
