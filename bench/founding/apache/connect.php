<?php

declare(strict_types=1);

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);

function connect(string $host): mysqli
{
    return new mysqli($host, 'root', '', 'bench', (int) getenv('BENCH_DATABASE'));
}
