<?php

declare(strict_types=1);

namespace Stampede\Exception;

/** The application does not boot, is not what its entry promises, or fails the requests before it serves. */
final class BootException extends LaunchException {}
