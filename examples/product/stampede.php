<?php

declare(strict_types=1);

return [
    'isolation' => 'coroutine',
    'endpoints' => 'endpoints.php',
    'max-body' => '40M', // four files of a note
    'ini' => ['post_max_size' => '40M', 'upload_max_filesize' => '16M'], // the application says itself that a file is too large
    'request-timeout' => 30,
];
