<?php

declare(strict_types=1);

/* What the command check runs: boots an application and gives it requests. */

use Stampede\Diagnostics\SuitabilityChecker;
use Stampede\Php\PhpProgram;

require dirname(__DIR__) . '/autoload.php';
exit(SuitabilityChecker::perform(PhpProgram::facts()));
