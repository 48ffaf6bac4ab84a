<?php

declare(strict_types=1);

/* Boots an application and forks the processes of its requests, in the isolation process. */

use Stampede\Php\PhpProgram;
use Stampede\Process\ApplicationZygote;

require dirname(__DIR__) . '/autoload.php';
exit(ApplicationZygote::serve(PhpProgram::facts()));
