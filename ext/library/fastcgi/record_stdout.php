<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the response. */
class Stdout extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDOUT;
        $this->setContentData($contentData);
    }
}
