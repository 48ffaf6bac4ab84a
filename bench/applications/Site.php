<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** An application as a package of Debian brings it: what its copy needs before it works, and pages of it, each with a text that is in it when it is right. */
final class Site
{
    /**
     * @param string $source the folder that the package brings
     * @param array<string, string> $pages path => text, for everybody
     * @param ?\Closure(string): void $set_up gets the path of the copy, on which it works
     * @param string $root where its pages are, within the folder
     * @param ?Members $members null: it has pages for everybody alone
     */
    public function __construct(
        public readonly string $package,
        public readonly string $source,
        public readonly array $pages,
        public readonly ?\Closure $set_up = null,
        public readonly string $root = '',
        public readonly ?Members $members = null,
    ) {
    }

    public function is_installed(): bool
    {
        return is_dir($this->source);
    }
}
