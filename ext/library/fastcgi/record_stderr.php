<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of what the application reports. */
class Stderr extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDERR;
        $this->setContentData($contentData);
    }
}
