<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;
use Swoole\FastCGI\Record;

/** A piece of the request's body. */
class Stdin extends Record
{
    public function __construct(string $contentData)
    {
        $this->type = FastCGI::STDIN;
        $this->setContentData($contentData);
    }
}
