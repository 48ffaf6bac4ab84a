<?php

declare(strict_types=1);

return [
    'isolation' => 'coroutine',
    'endpoints' => 'endpoints.php',
    'max-body' => '40M', // four files of a note
    'request-timeout' => 30,
];
