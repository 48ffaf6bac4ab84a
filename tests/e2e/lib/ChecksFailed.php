<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

use PHPUnit\Framework\AssertionFailedError;

/** The end of a test of which checks have failed; each has been counted and printed. */
final class ChecksFailed extends AssertionFailedError
{
}
