<?php

return [
    'workers' => 1,
    'endpoints' => 'endpoints.php',
];
