<?php

declare(strict_types=1);

namespace Stampede\Launcher;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\ApplicationDetector;
use Stampede\Application\LinkPolicy;

/** What was found in an application's folder, and how its requests are isolated. */
final readonly class Project
{
    public string $directory;
    public string $entry;
    public string $documentRoot;

    /** @param string $doubt a sentence about what else could be meant; empty: nothing */
    public function __construct(
        public ApplicationDescriptor $application,
        public Kind $kind,
        public Isolation $isolation,
        public string $because,
        public string $isolationBecause,
        public string $doubt,
    ) {
        $this->directory = $application->directory;
        $this->entry = $application->entry;
        $this->documentRoot = $application->documentRoot;
    }

    /** @throws LaunchException when the folder holds no application */
    public static function find(string $directory, Options $options): self
    {
        $root = Folder::absolute($directory);
        if (!is_dir($root)) {
            throw new LaunchException("The folder {$directory} does not exist.");
        }
        $bridge = $options->text('bridge');
        $found = (new ApplicationDetector($root))->detect(
            $bridge === 'auto' ? null : Kind::from($bridge),
            $options->text('entry'),
            $options->text('document-root'),
            LinkPolicy::from($options->text('links')),
        );
        $kind = $found->application->type->kind();
        $isolation = $options->text('isolation') === 'auto' ? Isolation::of($kind) : Isolation::from($options->text('isolation'));
        return new self(
            $found->application->named($options->text('server-name')),
            $kind,
            $isolation,
            $found->because !== '' ? $found->because : "because of bridge from {$options->source('bridge')}",
            $isolation->reason($kind),
            $found->doubt,
        );
    }

    /** @throws LaunchException */
    public function routes(Options $options): Routes
    {
        return Routes::read($options->routes(), $this->isolation, (float) $options->get('request-timeout'));
    }
}
