<?php

declare(strict_types=1);

namespace Swoole\Curl;

/** A handle was used as it cannot be. */
class Exception extends \Swoole\Exception {}
