<?php

declare(strict_types=1);

/*
 * /?set changes every setting that can be changed while a script runs, and all that functions set for the process; / tells the values of all of them.
 */

require_once __DIR__ . '/functions.php';

if (isset($_GET['set'])) {
    change_settings();
    call_functions();
    echo 'changed';
} elseif (isset($_GET['back'])) {  // what a library does around a call
    $before = ini_set('error_reporting', '0');
    $level = error_reporting();
    usleep(random_int(100, 3000));
    echo json_encode([$level, error_reporting(), ini_get('error_reporting')]);
    ini_set('error_reporting', (string) $before);
} else {
    echo json_encode(present_values(), JSON_PARTIAL_OUTPUT_ON_ERROR);
}
