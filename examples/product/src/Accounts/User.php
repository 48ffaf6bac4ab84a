<?php

declare(strict_types=1);

namespace Paddock\Accounts;

final readonly class User
{
    public function __construct(public string $id, public string $name) {}

    /** @param array<string, mixed>|null $row */
    public static function from(?array $row): ?self
    {
        return $row === null ? null : new self($row['id'], $row['name']);
    }
}
