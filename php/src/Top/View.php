<?php

declare(strict_types=1);

namespace Stampede\Top;

/** What the user has chosen to see. */
final class View
{
    public Order $order = Order::Age;
    public string $filter = '';
    public int $selected = 0;
    public string $prompt = ''; // in the place of the line of keys
}
