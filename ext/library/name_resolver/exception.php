<?php

declare(strict_types=1);

namespace Swoole\NameResolver;

class Exception extends \RuntimeException
{
}
