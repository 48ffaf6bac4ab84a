<?php

declare(strict_types=1);

namespace Stampede\Server;

/**
 * Whether the server has come to serve:
 *
 *     Starting ---the first worker accepts connections---> Serving
 *        |                                                    |
 *        `--the boot fails, a worker ends--> Failed <---------' (its state file or health address cannot be had)
 */
enum Phase: int
{
    case Starting = 0;
    case Serving = 1;
    case Failed = 2;
}
