<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** What somebody who is signed in at a site reads and writes there. */
final class Members
{
    /**
     * @param \Closure(Browser): void $sign_in
     * @param array<string, string> $pages path => text that is in it when it is right
     * @param ?\Closure(Browser, string): string $write writes a text, returns the path of a page that shows it
     */
    public function __construct(public readonly \Closure $sign_in, public readonly array $pages, public readonly ?\Closure $write = null)
    {
    }
}
