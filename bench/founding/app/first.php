<?php

declare(strict_types=1);

function first_part(): string
{
    return 'the first part';
}
