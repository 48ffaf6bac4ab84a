<?php

declare(strict_types=1);

namespace Swoole\Exception;

use RuntimeException;

/** An ArrayObject was asked for a key that it does not have. */
class ArrayKeyNotExists extends RuntimeException {}
