<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** Asks the application about itself. */
class GetValues extends Params
{
    /** @param list<string> $keys */
    public function __construct(array $keys)
    {
        parent::__construct(array_fill_keys($keys, ''));
        $this->type = FastCGI::GET_VALUES;
    }
}
