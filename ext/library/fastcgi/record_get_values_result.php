<?php

declare(strict_types=1);

namespace Swoole\FastCGI\Record;

use Swoole\FastCGI;

/** What the application says about itself. */
class GetValuesResult extends Params
{
    /** @param array<string, mixed> $values */
    public function __construct(array $values)
    {
        parent::__construct($values);
        $this->type = FastCGI::GET_VALUES_RESULT;
    }
}
