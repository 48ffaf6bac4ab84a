<?php

declare(strict_types=1);

namespace Stampede\Application;

/** Decides what a path of an application with a front controller means. Knows nothing of requests and bridges; one for a worker. */
final class PathResolver
{
    private const MOST_SCRIPTS = 1000; // that are remembered

    private readonly PublicFiles $files;
    private readonly string $root;
    private readonly string $realRoot;
    private readonly string $entryName;
    private readonly Resource $front;
    /** @var array<string, Resource> by path: what links and .htaccess files said about it in this second */
    private array $scripts = [];
    private int $second = 0;

    public function __construct(private readonly ApplicationDescriptor $application)
    {
        $this->files = $application->files();
        $this->root = $application->documentRoot;
        $this->realRoot = realpath($this->root) ?: $this->root;
        $this->entryName = $application->entryName();
        $this->front = $application->entry === '' ? Resource::refused(404) : Resource::frontController($application->entry, $this->entryName, '');
    }

    /**
     * @param string|null $path what RequestPath::of() returns
     * @param string $method files are sent for GET and HEAD; with other methods their names are a framework's front controller's
     */
    public function resolve(?string $path, string $method = 'GET'): Resource
    {
        if ($path === null) {
            return Resource::refused(400);
        }
        $resource = $this->remembered($path) ?? $this->lookUp($path, $method);
        if ($resource->kind === ResourceKind::Script && count($this->scripts) < self::MOST_SCRIPTS) {
            $this->scripts[$path] = $resource;
        }
        return $resource;
    }

    private function lookUp(string $path, string $method): Resource
    {
        $script = str_contains($path, '.php') ? $this->scriptOf($path) : null;
        if ($script !== null) {
            return $script;
        }
        if (($path === '/' && $this->entryName !== '') || !file_exists($this->root . $path)) {
            return $this->front($path);
        }
        $found = match (true) {
            str_ends_with($path, '/') => $this->indexOf($path) ?? $this->withoutIndex($path, Resource::refused(403)),
            is_dir($this->root . $path) => $this->indexOf("{$path}/") === null ? $this->withoutIndex("{$path}/", Resource::folder()) : Resource::folder(),
            default => $this->fileAt($path),
        };
        $isForReaders = $found?->kind === ResourceKind::File && !in_array($method, ['GET', 'HEAD'], true);
        if ($isForReaders && $this->application->type->kind() === ApplicationKind::Plain) {
            return Resource::refused(405);
        }
        return $found === null || $isForReaders ? $this->front($path) : $found;
    }

    /** Whether a file of that name is there and is kept back only because the document root is the application's folder. */
    public function keepsBack(string $path): bool
    {
        return $this->application->scope === RootScope::ApplicationFolder && !$this->files->sends($path) && $this->files->sendsInPublicFolder($path) && is_file($this->root . $path);
    }

    private function front(string $path): Resource
    {
        if ($this->entryName === '' || !str_starts_with($path, "{$this->entryName}/")) {
            return $this->front;
        }
        return Resource::frontController($this->application->entry, $this->entryName, substr($path, strlen($this->entryName)));
    }

    private function remembered(string $path): ?Resource
    {
        if (time() !== $this->second) {
            $this->scripts = [];
            $this->second = time();
        }
        $script = $this->scripts[$path] ?? null;
        if ($script !== null) {
            clearstatcache();
        }
        return $script !== null && is_file($script->file) ? $script : null;
    }

    /** The first part of the path that is a script; the rest is its PATH_INFO. */
    private function scriptOf(string $path): ?Resource
    {
        $isMissing = false;
        for ($at = strpos($path, '.php'); $at !== false; $at = strpos($path, '.php', $end)) {
            $end = $at + 4;
            if ($end < strlen($path) && $path[$end] !== '/') {
                continue;
            }
            $name = substr($path, 0, $end);
            if ($name === $this->entryName) {
                return $this->front($path);
            }
            if (PublicFiles::isHidden($name)) {
                return Resource::refused(404);
            }
            if (is_file($this->root . $name)) {
                return $this->scriptAt($name, substr($path, $end));
            }
            $isMissing = true;
            if (!is_dir($this->root . $name)) {
                break; // nothing below it is there
            }
        }
        // As with PHP-FPM the front controller is not asked for a script that does not exist.
        return $isMissing ? Resource::refused(404) : null;
    }

    private function scriptAt(string $name, string $pathInfo): ?Resource
    {
        $place = $this->placeOf($name);
        return match (true) {
            $place === null => null,
            !$this->files->runs($name), PublicFiles::isHidden($place), $this->isInside($name) && !$this->files->runs($place) => Resource::refused(404),
            Htaccess::denies($this->root, $name) => Resource::refused(403),
            default => Resource::script($this->root . $name, $name, $pathInfo),
        };
    }

    private function indexOf(string $path): ?Resource
    {
        if (PublicFiles::isHidden($path)) {
            return null;
        }
        if (is_file("{$this->root}{$path}index.php")) {
            return "{$path}index.php" === $this->entryName ? $this->front($path) : $this->scriptAt("{$path}index.php", '');
        }
        return $this->fileAt("{$path}index.html");
    }

    /** A framework's router may have a page of the name of a folder; where files are pages, web servers forbid to list it. */
    private function withoutIndex(string $path, Resource $ofScripts): ?Resource
    {
        return $this->application->type->kind() === ApplicationKind::Plain && !PublicFiles::isHidden($path) && $this->placeOf($path) !== null ? $ofScripts : null;
    }

    /** What the server's own static handler has left to us: it does not look into the sections of .htaccess files. */
    private function fileAt(string $path): ?Resource
    {
        if (!$this->files->sends($path) || !is_file($this->root . $path)) {
            return null;
        }
        $place = $this->placeOf($path);
        $mayBeSent = $place !== null && ($this->isInside($path) ? $this->files->sends($place) : $this->files->sendsElsewhere($place));
        return $mayBeSent && !Htaccess::denies($this->root, $path) ? Resource::file($this->root . $path) : null;
    }

    private function isInside(string $name): bool
    {
        return str_starts_with((string) realpath($this->root . $name), "{$this->realRoot}/");
    }

    /**
     * Where a file lies, after all links: from the document root on, or, where links may leave it, the part of the path that leaves the way to it.
     *
     * @return string|null null: it lies where links must not lead
     */
    private function placeOf(string $name): ?string
    {
        $real = (string) realpath($this->root . $name);
        if (str_starts_with($real, "{$this->realRoot}/")) {
            return substr($real, strlen($this->realRoot));
        }
        if ($real === '' || $this->application->links === LinkPolicy::Inside) {
            return null;
        }
        $same = strspn($real ^ $this->realRoot, "\0");
        return substr($real, (int) strrpos(substr($real, 0, $same), '/'));
    }
}
