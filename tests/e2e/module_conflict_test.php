<?php

declare(strict_types=1);

/*
 * Stampede refuses to load beside another module named swoole, whichever of the two php.ini names first, and refuses dl().
 * A module of that name with nothing in it is compiled for the test.
 */

$root = dirname(__DIR__, 2);
$module = getenv('MODULE') ?: "$root/modules/stampede.so";
$folder = sys_get_temp_dir() . '/stampede-conflict-' . getmypid();
mkdir($folder);
register_shutdown_function(static function () use ($folder): void {
    array_map(unlink(...), glob("$folder/*") ?: []);
    rmdir($folder);
});
file_put_contents("$folder/other.c", <<<'C'
    #include "php.h"
    static zend_module_entry other = {STANDARD_MODULE_HEADER, "swoole", NULL, NULL, NULL, NULL, NULL, NULL, "6.2.0", STANDARD_MODULE_PROPERTIES};
    ZEND_DLEXPORT zend_module_entry *get_module(void) { return &other; }
    C);
exec("cc -shared -fPIC $(php-config --includes) -o $folder/other.so $folder/other.c 2>&1", $output, $status);
if ($status !== 0) {
    echo "Bail out! the other module cannot be compiled: ", implode("\n", $output), "\n0 passed, 1 failed\n";
    exit(1);
}

/** @return array{int, string} exit status and everything it printed */
function php(string ...$arguments): array
{
    $command = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', 'display_errors=1', ...$arguments]));
    exec("$command 2>&1", $output, $status);
    return [$status, implode("\n", $output)];
}

$passed = $failed = 0;
$check = static function (string $name, bool $ok, string $seen) use (&$passed, &$failed): void {
    $ok ? $passed++ : $failed++;
    echo $ok ? 'ok' : 'not ok', " $name\n", $ok ? '' : "# $seen\n";
};

$sentence = 'remove one of the two from php.ini';
foreach ([[$module, "$folder/other.so"], ["$folder/other.so", $module]] as [$first, $second]) {
    [$status, $said] = php('-d', "extension=$first", '-d', "extension=$second", '-r', 'echo "started";');
    $order = basename($first) . ' first';
    $check("$order: PHP does not start", $status !== 0 && !str_contains($said, 'started'), "status $status: $said");
    $check("$order: it says what to do", substr_count($said, $sentence) === 1, $said);
}
[$status, $said] = php('-d', "extension=$folder/other.so", '-r', 'echo phpversion("swoole");');
$check('the other module alone loads', $status === 0 && $said === '6.2.0', $said);
[$status, $said] = php('-d', "extension=$module", '-r', 'echo phpversion("swoole");');
$check('Stampede alone loads', $status === 0 && $said === '6.2.1', $said);
copy($module, "$folder/stampede.so");
[$status, $said] = php('-d', "extension_dir=$folder", '-d', 'enable_dl=1', '-r', 'dl("stampede"); echo "went on";');
$check('dl() is refused', $status !== 0 && str_contains($said, 'cannot be loaded by dl()'), "status $status: $said");
foreach (['stampede' => 'Implements the API of', 'swoole' => 'swoole.use_shortname'] as $name => $row) {
    [$status, $said] = php('-d', "extension=$module", '--ri', $name);
    $check("php --ri $name", $status === 0 && str_contains($said, $row), $said);
}

echo "$passed passed, $failed failed\n";
exit($failed === 0 ? 0 : 1);
