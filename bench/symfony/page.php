<?php

declare(strict_types=1);

/* The CPU time of the page in a kernel that is booted, without a server: what is left where nothing is done twice. usage: page.php APPLICATION PATH SECONDS, prints microseconds */

use Symfony\Component\HttpFoundation\Request;

const WARM = 300;

[, $application, $path, $seconds] = $argv;
require "$application/vendor/autoload.php";
$kernel = new App\Kernel('prod', false);
$page = static function () use ($kernel, $path): void {
    $request = Request::create($path, 'GET', [], [], [], ['PHP_AUTH_USER' => 'reader', 'PHP_AUTH_PW' => 'secret']);
    $kernel->boot();
    $response = $kernel->handle($request);
    if ($response->getStatusCode() !== 200) {
        throw new RuntimeException("The page has the status {$response->getStatusCode()}.");
    }
    $kernel->terminate($request, $response);
};
$used = static function (): float {
    $usage = getrusage();
    return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
};
for ($i = 0; $i < WARM; $i++) {
    $page();
}
$before = $used();
$end = microtime(true) + (float) $seconds;
for ($pages = 0; microtime(true) < $end; $pages++) {
    $page();
}
echo ($used() - $before) / max(1, $pages), "\n";
