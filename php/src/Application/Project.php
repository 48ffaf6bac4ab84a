<?php

declare(strict_types=1);

namespace Stampede\Application;

use Stampede\Config\Configuration;
use Stampede\Config\DirectoryPath;
use Stampede\Exception\ConfigurationException;

/** What was found in an application's folder, and how its requests are isolated. */
final readonly class Project
{
    public string $directory;
    public string $entry;
    public string $documentRoot;

    /** @param string $doubt a sentence about what else could be meant; empty: nothing */
    public function __construct(
        public ApplicationDescriptor $application,
        public ApplicationKind $kind,
        public IsolationMode $isolation,
        public string $because,
        public string $isolationBecause,
        public string $doubt,
    ) {
        $this->directory = $application->directory;
        $this->entry = $application->entry;
        $this->documentRoot = $application->documentRoot;
    }

    /** @throws ConfigurationException when the folder holds no application */
    public static function find(string $directory, Configuration $options): self
    {
        $root = DirectoryPath::absolute($directory);
        if (!is_dir($root)) {
            throw new ConfigurationException("The folder {$directory} does not exist.");
        }
        $bridge = $options->text('bridge');
        $found = (new ApplicationDetector($root))->detect(
            $bridge === 'auto' ? null : ApplicationKind::from($bridge),
            $options->text('entry'),
            $options->text('document-root'),
            LinkPolicy::from($options->text('links')),
        );
        $kind = $found->application->type->kind();
        $isolation = $options->text('isolation') === 'auto' ? IsolationMode::of($kind) : IsolationMode::from($options->text('isolation'));
        return new self(
            $found->application->named($options->text('server-name')),
            $kind,
            $isolation,
            $found->because !== '' ? $found->because : "because of bridge from {$options->source('bridge')}",
            $isolation->reason($kind),
            $found->doubt,
        );
    }

    /** Whether its code is written for Swoole, whose short names (go(), co::) other code may use for its own. */
    public function asksForSwoole(): bool
    {
        $composer = json_decode((string) @file_get_contents("{$this->directory}/composer.json"), true);
        $required = is_array($composer) && is_array($composer['require'] ?? null) ? $composer['require'] : [];
        return isset($required['ext-swoole']) || isset($required['ext-openswoole']) || isset($required['ext-stampede']);
    }

    /** Whether every request runs in PHP's own request life. @throws ConfigurationException */
    public function runsScripts(Configuration $options): bool
    {
        return $this->kind === ApplicationKind::Plain && $this->routes($options)->only()?->isolation === IsolationMode::Process;
    }

    /** @throws ConfigurationException */
    public function routes(Configuration $options): RouteTable
    {
        $routes = RouteTable::read($options->routes(), $this->isolation, (float) $options->get('request-timeout'));
        if ($this->entry === '' && ($routes->uses(IsolationMode::Sequential) || $routes->uses(IsolationMode::Coroutine))) {
            throw new ConfigurationException("{$this->directory} holds scripts without a front controller, which run in isolation process alone: name a front controller with --entry=FILE for another one.");
        }
        return $routes;
    }
}
