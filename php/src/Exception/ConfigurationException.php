<?php

declare(strict_types=1);

namespace Stampede\Exception;

/** An option, a file or an address that the user has named cannot be used. */
final class ConfigurationException extends LaunchException {}
