<?php

declare(strict_types=1);

namespace Stampede\Launcher;

/** Why a PHP file cannot be compiled. */
final readonly class SyntaxFault
{
    public function __construct(public string $path, public string $sentence) {}
}
