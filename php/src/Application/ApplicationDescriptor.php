<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What an application is and where its parts are: all that says what a path of it means. */
final readonly class ApplicationDescriptor
{
    /**
     * @param string $entry the whole path of the file that gives the application; empty: its scripts are run by their names alone
     * @param string $documentRoot the whole path
     * @param RootScope $scope what the document root is made for
     * @param LinkPolicy $links where links of the document root may lead
     * @param string $serverName the site's own; empty: what clients call it
     */
    public function __construct(
        public string $directory,
        public ApplicationType $type,
        public string $entry,
        public string $documentRoot,
        public RootScope $scope,
        public LinkPolicy $links,
        public string $serverName = '',
    ) {}

    public function named(string $serverName): self
    {
        return new self($this->directory, $this->type, $this->entry, $this->documentRoot, $this->scope, $this->links, $serverName);
    }

    /** @return array<string, string> what from() takes, in another process */
    public function facts(): array
    {
        return [
            'directory' => $this->directory,
            'type' => $this->type->value,
            'entry' => $this->entry,
            'documentRoot' => $this->documentRoot,
            'scope' => $this->scope->value,
            'links' => $this->links->value,
            'serverName' => $this->serverName,
        ];
    }

    /** @param array<string, string> $facts */
    public static function from(array $facts): self
    {
        return new self(
            $facts['directory'],
            ApplicationType::from($facts['type']),
            $facts['entry'],
            $facts['documentRoot'],
            RootScope::from($facts['scope']),
            LinkPolicy::from($facts['links']),
            $facts['serverName'],
        );
    }

    public function files(): PublicFiles
    {
        return new PublicFiles($this->type, $this->scope, $this->links);
    }

    /** The path by which a browser asks for the entry itself. */
    public function entryName(): string
    {
        if ($this->entry === '') {
            return '';
        }
        return str_starts_with($this->entry, "{$this->documentRoot}/") ? substr($this->entry, strlen($this->documentRoot)) : '/' . basename($this->entry);
    }
}
