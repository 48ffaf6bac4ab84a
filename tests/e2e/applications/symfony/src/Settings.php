<?php

declare(strict_types=1);

namespace App;

/** A service whose constructor sets what PHP keeps for a request. */
final class Settings
{
    public $context;

    public function __construct()
    {
        date_default_timezone_set('Asia/Tokyo');
        bcscale(7);
        ini_set('precision', '9');
        set_include_path('/of/a/service');
        libxml_use_internal_errors(true);
        stream_wrapper_register('made', self::class);
    }
}
