<?php

declare(strict_types=1);

/*
 * Stampede refuses to load beside another module named swoole, whichever of the two php.ini names first, and refuses dl().
 * A module of that name with nothing in it is compiled for the test.
 */

namespace Stampede\Tests\E2e;

final class module_conflict_test extends EndToEndTest
{
    private static string $folder;
    private static string $module;

    public static function setUpBeforeClass(): void
    {
        $folder = self::$folder = External::folder();
        self::$module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        file_put_contents("$folder/other.c", <<<'C'
            #include "php.h"
            static zend_module_entry other = {STANDARD_MODULE_HEADER, "swoole", NULL, NULL, NULL, NULL, NULL, NULL, "6.2.0", STANDARD_MODULE_PROPERTIES};
            ZEND_DLEXPORT zend_module_entry *get_module(void) { return &other; }
            C);
        exec("cc -shared -fPIC $(php-config --includes) -o $folder/other.so $folder/other.c 2>&1", $output, $status);
        if ($status !== 0) {
            self::fail("the other module cannot be compiled:\n" . implode("\n", $output));
        }
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        array_map(unlink(...), glob(self::$folder . '/*') ?: []);
        rmdir(self::$folder);
    }

    public function testOneModuleBesideAnotherIsRefused(): void
    {
        [$folder, $module] = [self::$folder, self::$module];
        $sentence = 'remove one of the two from php.ini';
        foreach ([[$module, "$folder/other.so"], ["$folder/other.so", $module]] as [$first, $second]) {
            [$status, $said] = self::php('-d', "extension=$first", '-d', "extension=$second", '-r', 'echo "started";');
            $order = basename($first) . ' first';
            $this->check("$order: PHP does not start", $status !== 0 && !str_contains($said, 'started'), "status $status: $said");
            $this->check("$order: it says what to do", substr_count($said, $sentence) === 1, $said);
        }
    }

    public function testEachOfThemAloneLoads(): void
    {
        [$folder, $module] = [self::$folder, self::$module];
        [$status, $said] = self::php('-d', "extension=$folder/other.so", '-r', 'echo phpversion("swoole");');
        $this->check('the other module alone loads', $status === 0 && $said === '6.2.0', $said);
        [$status, $said] = self::php('-d', "extension=$module", '-r', 'echo phpversion("swoole");');
        $this->check('Stampede alone loads', $status === 0 && $said === '6.2.1', $said);
    }

    public function testDlIsRefused(): void
    {
        [$folder, $module] = [self::$folder, self::$module];
        copy($module, "$folder/stampede.so");
        [$status, $said] = self::php('-d', "extension_dir=$folder", '-d', 'enable_dl=1', '-r', 'dl("stampede"); echo "went on";');
        $this->check('dl() is refused', $status !== 0 && str_contains($said, 'cannot be loaded by dl()'), "status $status: $said");
    }

    public function testPhpInformsAboutIt(): void
    {
        $module = self::$module;
        foreach (['stampede' => 'Implements the API of', 'swoole' => 'swoole.use_shortname'] as $name => $row) {
            [$status, $said] = self::php('-d', "extension=$module", '--ri', $name);
            $this->check("php --ri $name", $status === 0 && str_contains($said, $row), $said);
        }
    }

    /** @return array{int, string} exit status and everything it printed */
    private static function php(string ...$arguments): array
    {
        $command = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', 'display_errors=1', ...$arguments]));
        exec("$command 2>&1", $output, $status);
        return [$status, implode("\n", $output)];
    }
}
