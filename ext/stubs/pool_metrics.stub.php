<?php

/** @generate-function-entries */

namespace Stampede;

/** Connection pools of the class have so many places, connections and waiting coroutines more than before, for the metrics. */
function count_pools(string $class, int $places, int $connections, int $waiting): void {}

/** A coroutine has waited so many seconds for a connection of a pool of the class. */
function count_pool_wait(string $class, float $seconds): void {}
