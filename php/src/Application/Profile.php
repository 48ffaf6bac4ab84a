<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What is known of one type of application. */
final readonly class Profile
{
    /**
     * @param list<list<string>> $packages of composer.json: all of one list identify it
     * @param list<list<string>> $files all of one list identify it; "file:text" is a file that contains the text
     * @param list<string> $entries where its entry may be, the first that is there counts; the folder of it is the document root
     * @param list<string> $closed folders and scripts that are neither sent nor run where its own folder is the document root
     */
    public function __construct(
        public string $title,
        public ApplicationKind $kind,
        public array $packages,
        public array $files,
        public array $entries,
        public array $closed = [],
    ) {}
}
