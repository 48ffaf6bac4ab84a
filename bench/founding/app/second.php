<?php

declare(strict_types=1);

function second_part(): string
{
    return 'the second part';
}
