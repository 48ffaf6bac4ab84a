<?php

declare(strict_types=1);

/* The process that serves: the supervisor, from which all others of the server are forked. */

use Stampede\Php\PhpProgram;
use Stampede\Server\ServerProcess;

require dirname(__DIR__) . '/autoload.php';
exit(ServerProcess::run(PhpProgram::facts()));
