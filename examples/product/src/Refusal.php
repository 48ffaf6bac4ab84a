<?php

declare(strict_types=1);

namespace Paddock;

use RuntimeException;

/** What the user is told when something is not done, in one sentence. */
final class Refusal extends RuntimeException
{
    public function __construct(string $sentence, public readonly int $status = 422)
    {
        parent::__construct($sentence);
    }

    public static function notFound(): self
    {
        return new self('There is nothing here.', 404);
    }
}
