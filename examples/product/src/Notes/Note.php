<?php

declare(strict_types=1);

namespace Paddock\Notes;

final readonly class Note
{
    /** @param list<File> $files */
    public function __construct(
        public string $id,
        public string $text,
        public int $version,
        public int $created,
        public int $changed,
        public bool $deleted,
        public array $files = [],
    ) {}

    /** @return array<string, mixed> for programs */
    public function facts(): array
    {
        $facts = ['id' => $this->id, 'version' => $this->version];
        return $this->deleted ? $facts + ['deleted' => true] : $facts + [
            'text' => $this->text,
            'created' => date(DATE_ATOM, $this->created),
            'changed' => date(DATE_ATOM, $this->changed),
            'files' => array_map(static fn (File $file): array => $file->facts(), $this->files),
        ];
    }
}
