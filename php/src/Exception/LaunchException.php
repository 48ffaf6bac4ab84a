<?php

declare(strict_types=1);

namespace Stampede\Exception;

use RuntimeException;

/** What cannot be done and what to do about it, in one sentence for the user. */
abstract class LaunchException extends RuntimeException {}
