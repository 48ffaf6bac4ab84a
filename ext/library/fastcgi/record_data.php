<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** More input of a filter. */
class Data extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::DATA;
        $this->setContentData($contentData);
    }
}
