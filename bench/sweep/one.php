<?php

declare(strict_types=1);

/* One workload in this process and its children: prints the CPU seconds that it took. usage: one.php NAME */

namespace Stampede\Bench\Sweep;

require __DIR__ . '/tools.php';

$workload = workloads()[$argv[1]];
$before = cpu();
$workload();
printf("CPU %.6f\n", cpu() - $before - Apart::$cpu);
