<?php

declare(strict_types=1);

namespace Stampede\Application;

use Stampede\Config\DirectoryPath;
use Stampede\Exception\ConfigurationException;

/** Finds out what application a folder holds, and where its parts are. */
final readonly class ApplicationDetector
{
    /** Folders whose name says that they are made for what everybody may read. */
    private const PUBLIC_FOLDERS = ['public', 'web', 'webroot', 'pub', 'public_html', 'htdocs', 'httpdocs', 'www', 'docroot', 'html', 'p'];

    /** @var array<string, mixed> that composer.json requires, and its own name */
    private array $packages;

    public function __construct(private string $root)
    {
        $this->packages = $this->packages();
    }

    /**
     * @param string $entry as the user has named it; empty: it is found
     * @param string $documentRoot the same
     * @throws ConfigurationException when there is no application, or an entry is missing
     */
    public function detect(?ApplicationKind $given, string $entry, string $documentRoot, LinkPolicy $links): Detection
    {
        [$type, $because] = match (true) {
            $given !== null => [$this->typeOfKind($given), ''],
            $entry !== '' => $this->typeOfEntry($entry),
            default => $this->type(),
        };
        $path = $this->entry($type, $entry);
        $root = $documentRoot !== '' ? $this->namedRoot($documentRoot) : $this->documentRoot($type, $path);
        // The user who names a folder knows what it holds.
        $scope = $documentRoot !== '' || $this->isPublic($root) ? RootScope::PublicFolder : RootScope::ApplicationFolder;
        return new Detection(new ApplicationDescriptor($this->root, $type, $path, $root, $scope, $links), $because, $given === null && $entry === '' ? $this->doubt($type, $path) : '');
    }

    /** @return array{ApplicationType, string}|null and why */
    private function known(): ?array
    {
        foreach (ApplicationType::cases() as $type) {
            $because = $this->first($type) === null ? null : $this->mark($type);
            if ($because !== null) {
                return [$type, $because];
            }
        }
        return null;
    }

    /** What is known of an application by its name counts for its kind, too. */
    private function typeOfKind(ApplicationKind $kind): ApplicationType
    {
        $known = $this->known();
        return $known !== null && $known[0]->kind() === $kind ? $known[0] : ApplicationType::of($kind);
    }

    /** @return array{ApplicationType, string} and why */
    private function type(): array
    {
        return $this->known() ?? $this->scripts() ?? throw new ConfigurationException("No application was found in {$this->root}: there is no index.php in it or in a folder such as public or web, and no app.php that returns a request handler."
            . ' Name its front controller with --entry=FILE, and what kind it is with --bridge=plain, psr15, symfony or laravel.');
    }

    /** @return array{ApplicationType, string}|null and why */
    private function scripts(): ?array
    {
        $files = array_map(basename(...), [...glob("{$this->root}/*.php") ?: [], ...glob("{$this->root}/index.html") ?: []]);
        $pages = array_values(array_diff($files, ['stampede.php', ...ApplicationType::Psr15->profile()->entries]));
        return $pages === [] ? null : [ApplicationType::Scripts, "{$pages[0]} is there, and no front controller: scripts are run by their names"];
    }

    /** What identifies the application as one of that type; null: nothing does. */
    private function mark(ApplicationType $type): ?string
    {
        $entry = (string) $this->first($type);
        if ($type === ApplicationType::Plain) {
            return "{$entry} is its front controller";
        }
        if ($type === ApplicationType::Psr15) {
            return "{$entry} returns the application";
        }
        foreach ($type->profile()->packages as $packages) {
            if (array_diff($packages, array_keys($this->packages)) === []) {
                return 'composer.json requires ' . implode(' and ', $packages) . ($type->kind() === ApplicationKind::Plain ? ", and {$entry} is its front controller" : '');
            }
        }
        foreach ($type->profile()->files as $files) {
            if (array_filter($files, $this->has(...)) === $files) {
                return implode(' and ', array_map(static fn (string $file): string => explode(':', $file)[0], $files)) . ' are there, ' . "and {$entry} is its front controller";
            }
        }
        return null;
    }

    /** Why it may be another application than was found, or another part of it; empty: it is sure. */
    private function doubt(ApplicationType $type, string $entry): string
    {
        if ($type !== ApplicationType::Plain) {
            return '';
        }
        $others = array_filter([...Profiles::FRONT_CONTROLLERS, ...ApplicationType::Psr15->profile()->entries], fn (string $file): bool => $this->has($file) && "{$this->root}/{$file}" !== $entry && !str_starts_with($file, 'config/'));
        return $others === [] ? '' : implode(' and ', $others) . ' could be meant as well: if so, name it with --entry=FILE, and its kind with --bridge=plain, psr15, symfony or laravel.';
    }

    /** @return array{ApplicationType, string} */
    private function typeOfEntry(string $entry): array
    {
        $known = $this->known();
        if ($known !== null && $this->path((string) $this->first($known[0])) === $this->path($entry)) {
            return $known;
        }
        $file = new EntryFile($this->path($entry));
        if ($file->mentions('autoload_runtime.php')) {
            return [ApplicationType::Symfony, "{$entry} uses Symfony's Runtime"];
        }
        if (!$file->mayReturnHandler()) {
            return [ApplicationType::Plain, "{$entry} returns no application: it is a front controller"];
        }
        return $file->mentions('Illuminate\Foundation\Application') ? [ApplicationType::Laravel, "{$entry} returns a Laravel application"] : [ApplicationType::Psr15, "{$entry} returns the application"];
    }

    private function entry(ApplicationType $type, string $given): string
    {
        if ($type === ApplicationType::Scripts) {
            return '';
        }
        $entry = $given !== '' ? $given : $this->first($type) ?? '';
        $path = $this->path($entry);
        if ($entry === '') {
            throw new ConfigurationException(ucfirst($type->title()) . ' needs an entry file, and none of ' . implode(', ', $type->profile()->entries) . " is in {$this->root}: name one with --entry=FILE.");
        }
        if (!is_file($path)) {
            throw new ConfigurationException("The entry file {$path} does not exist.");
        }
        if (!is_readable($path)) {
            throw new ConfigurationException("The entry file {$path} cannot be read: mind its permissions, and those of the folders above it.");
        }
        return DirectoryPath::absolute($path);
    }

    /** The first of the files that may be the entry of the type. */
    private function first(ApplicationType $type): ?string
    {
        foreach ($type->profile()->entries as $file) {
            if ($this->has($file) && ($type !== ApplicationType::Psr15 || $this->isHandler($file))) {
                return $file;
            }
        }
        return null;
    }

    /** A file of settings is often called config/app.php as well. */
    private function isHandler(string $file): bool
    {
        $entry = new EntryFile("{$this->root}/{$file}");
        return $entry->mayReturnHandler() && (!str_starts_with($file, 'config/') || $entry->namesHandler());
    }

    private function namedRoot(string $given): string
    {
        $path = DirectoryPath::absolute($this->path($given));
        return is_dir($path) ? $path : throw new ConfigurationException("The document root {$given} does not exist.");
    }

    /** Where the entry is, if that is what web servers run; else what is made for everybody. */
    private function documentRoot(ApplicationType $type, string $entry): string
    {
        if ($type === ApplicationType::Adminer || $type === ApplicationType::Scripts) {
            return $this->root; // Adminer's pages link to styles beside the entry's folder
        }
        if (in_array($type->kind(), [ApplicationKind::Plain, ApplicationKind::Symfony], true) || $this->isPublic(dirname($entry))) {
            return dirname($entry);
        }
        foreach (['public', 'web', 'webroot'] as $folder) {
            if (is_dir("{$this->root}/{$folder}")) {
                return "{$this->root}/{$folder}";
            }
        }
        return $this->root;
    }

    private function isPublic(string $folder): bool
    {
        return $folder !== $this->root && in_array(basename($folder), self::PUBLIC_FOLDERS, true) && !is_file("{$folder}/vendor/autoload.php");
    }

    /** Whether a file is there, and contains what stands after a colon. */
    private function has(string $mark): bool
    {
        [$file, $text] = explode(':', $mark, 2) + [1 => ''];
        return file_exists("{$this->root}/{$file}") && ($text === '' || str_contains((string) @file_get_contents("{$this->root}/{$file}"), $text));
    }

    private function path(string $file): string
    {
        return str_starts_with($file, '/') ? $file : "{$this->root}/{$file}";
    }

    /** @return array<string, mixed> */
    private function packages(): array
    {
        $composer = json_decode((string) @file_get_contents("{$this->root}/composer.json"), true);
        $required = is_array($composer) && is_array($composer['require'] ?? null) ? $composer['require'] : [];
        return is_array($composer) && is_string($composer['name'] ?? null) ? $required + [$composer['name'] => ''] : $required;
    }
}
