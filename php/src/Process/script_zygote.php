<?php

declare(strict_types=1);

/* Forks the processes that run scripts. */

use Stampede\Php\PhpProgram;
use Stampede\Process\ScriptZygote;

require dirname(__DIR__) . '/autoload.php';
exit(ScriptZygote::serve(PhpProgram::facts()));
