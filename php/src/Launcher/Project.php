<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** What was found in an application's folder. */
final readonly class Project
{
    /** @param bool $sendsFiles whether files of the document root are sent without PHP */
    public function __construct(
        public string $directory,
        public Kind $kind,
        public Isolation $isolation,
        public string $entry,
        public string $documentRoot,
        public bool $sendsFiles,
        public string $because,
        public string $isolationBecause,
    ) {}

    /** @throws LaunchException when the folder holds no application */
    public static function find(string $directory, Options $options): self
    {
        $root = Folder::absolute($directory);
        if (!is_dir($root)) {
            throw new LaunchException("The folder {$directory} does not exist.");
        }
        $finder = new ProjectFinder($root);
        [$kind, $because] = $options->text('bridge') === 'auto'
            ? $finder->kind($options->text('entry'))
            : [Kind::from($options->text('bridge')), "because of bridge from {$options->source('bridge')}"];
        $documentRoot = $finder->documentRoot($options->text('document-root'));
        $isolation = $options->text('isolation') === 'auto' ? Isolation::of($kind) : Isolation::from($options->text('isolation'));
        return new self(
            $root,
            $kind,
            $isolation,
            $finder->entry($kind, $options->text('entry'), $documentRoot),
            $documentRoot,
            // A project's own folder holds more than what everybody may read.
            $documentRoot !== $root || $options->source('document-root') !== 'default',
            $because,
            $isolation->reason($kind),
        );
    }

    /** Whether its code is written for Swoole, whose short names (go(), co::) other code may use for its own. */
    public function asksForSwoole(): bool
    {
        $composer = json_decode((string) @file_get_contents("{$this->directory}/composer.json"), true);
        $required = is_array($composer) && is_array($composer['require'] ?? null) ? $composer['require'] : [];
        return isset($required['ext-swoole']) || isset($required['ext-openswoole']) || isset($required['ext-stampede']);
    }

    /** @throws LaunchException */
    public function routes(Options $options): Routes
    {
        return Routes::read($options->routes(), $this->isolation, (float) $options->get('request-timeout'));
    }
}
