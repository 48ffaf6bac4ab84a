<?php

return [
    'name' => 'sample',
    'env' => 'local',
    'debug' => true,
    'key' => 'base64:' . base64_encode(str_repeat('k', 32)),
    'cipher' => 'AES-256-CBC',
    'timezone' => 'UTC',
    'locale' => 'en',
    'fallback_locale' => 'en',
    'maintenance' => ['driver' => 'file'],
];
