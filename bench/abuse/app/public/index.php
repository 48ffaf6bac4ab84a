<?php

declare(strict_types=1);

/* For servers that begin anew with each request. */

require __DIR__ . '/../vendor/autoload.php';
(require __DIR__ . '/../app.php')->run();
