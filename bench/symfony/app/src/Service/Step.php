<?php

declare(strict_types=1);

namespace App\Service;

/** What the page asks of the last services of each chain. */
interface Step
{
    public function sum(): int;
}
