<?php

declare(strict_types=1);

namespace Paddock\Notes;

/** A file of a note; its content lies in Files under its id. */
final readonly class File
{
    public const OTHER = 'application/octet-stream';

    public function __construct(public string $id, public string $name, public string $type, public int $size) {}

    /** Only what the server has recognised as an image is shown in pages. */
    public function isImage(): bool
    {
        return $this->type !== self::OTHER;
    }

    public function sizeForPeople(): string
    {
        return $this->size < 1024 * 1024 ? max(1, (int) round($this->size / 1024)) . ' KiB' : sprintf('%.1f MiB', $this->size / 1024 / 1024);
    }

    /** @return array<string, int|string> */
    public function facts(): array
    {
        return ['id' => $this->id, 'name' => $this->name, 'type' => $this->type, 'size' => $this->size, 'url' => "/api/files/{$this->id}"];
    }
}
