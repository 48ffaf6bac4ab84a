<?php

declare(strict_types=1);

namespace Stampede\Exception;

/** A process of the server has ended, or could not be started. */
final class ServerException extends LaunchException {}
