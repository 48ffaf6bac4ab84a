<?php

declare(strict_types=1);

namespace Stampede\Process;

/**
 * Of a worker's pool of processes:
 *
 *     Open ---the worker is on its way out---> Resting ---its end---> Closed
 *       `------the process that forks has ended-------------------------^
 */
enum PoolState
{
    case Open;
    case Resting; // it starts processes for requests that still come, but none beforehand
    case Closed;
}
