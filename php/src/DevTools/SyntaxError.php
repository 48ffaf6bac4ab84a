<?php

declare(strict_types=1);

namespace Stampede\DevTools;

/** Why a PHP file cannot be compiled. */
final readonly class SyntaxError
{
    public function __construct(public string $path, public string $sentence) {}
}
