<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * The number of workers that the running server has from now on, from 1 to worker_num (the number of places it was
 * started with; worker_start_num of them have a worker at first). Workers above the number finish their requests and
 * end, in max_wait_time; the others are started. From any process of the server: the supervisor does it at once when it
 * calls, otherwise a moment later. False, with a warning, when the number is not possible or no server runs.
 */
function set_workers(int $number): bool {}
