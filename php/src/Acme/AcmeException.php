<?php

declare(strict_types=1);

namespace Stampede\Acme;

use RuntimeException;

/** The authority refuses something or cannot be reached; its message is a sentence for the log. */
final class AcmeException extends RuntimeException
{
    /**
     * @param string $type of the problem, as RFC 8555 names it, without its prefix; empty: none was told
     * @param int $retryAfter seconds that the authority wants to be left alone; 0: it does not say
     */
    public function __construct(string $message, public readonly string $type = '', public readonly int $retryAfter = 0)
    {
        parent::__construct($message);
    }
}
