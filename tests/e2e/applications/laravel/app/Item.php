<?php

declare(strict_types=1);

namespace App;

use Illuminate\Database\Eloquent\Model;

final class Item extends Model
{
    protected static function booted(): void
    {
        static::saving(static fn (): bool => true);
    }
}
