<?php

declare(strict_types=1);

/*
 * Another thread loads and unloads a library all the time (the C library does so for look-ups of names) while the hooks look
 * through what is loaded: neither waits for ever for a lock of the loader that the other holds.
 */

namespace Stampede\Tests\E2e;

final class loader_locks_test extends EndToEndTest
{
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = External::folder();
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        array_map(unlink(...), glob(self::$folder . '/*') ?: []);
        rmdir(self::$folder);
    }

    public function testTheWholeProgram(): void
    {
        $root = dirname(__DIR__, 2);
        $module = getenv('MODULE') ?: "$root/modules/stampede.so";
        $folder = self::$folder;
        file_put_contents("$folder/visitor.c", <<<'C'
            #include <unistd.h>
            long visitor(char *to) { return read(0, to, 1); }
            C);
        file_put_contents("$folder/loader.c", <<<'C'
            #include "php.h"
            #include <dlfcn.h>
            #include <pthread.h>
            static volatile long rounds;
            static volatile int ends;
            static pthread_t thread;
            static void *visit(void *path)
            {
                while (!ends) {
                    void *handle = dlopen(path, RTLD_LAZY);
                    if (handle != NULL) {
                        rounds++;
                        dlclose(handle);
                    }
                }
                return NULL;
            }
            ZEND_BEGIN_ARG_INFO(no_arguments, 0)
            ZEND_END_ARG_INFO()
            static PHP_FUNCTION(visitor_start)
            {
                RETURN_BOOL(pthread_create(&thread, NULL, visit, getenv("VISITOR")) == 0);
            }
            static PHP_FUNCTION(visitor_rounds) { RETURN_LONG(rounds); }
            static PHP_FUNCTION(visitor_stop)
            {
                ends = 1;
                pthread_join(thread, NULL);
            }
            static const zend_function_entry functions[] = {PHP_FE(visitor_start, no_arguments) PHP_FE(visitor_rounds, no_arguments) PHP_FE(visitor_stop, no_arguments) PHP_FE_END};
            static zend_module_entry loader = {STANDARD_MODULE_HEADER, "loader", functions, NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES};
            ZEND_DLEXPORT zend_module_entry *get_module(void) { return &loader; }
            C);
        file_put_contents("$folder/run.php", <<<'PHP'
            <?php
            visitor_start();
            for ($i = 0; $i < 1000 || visitor_rounds() < 1000; $i++) {
                Swoole\Runtime::enableCoroutine($i % 2 ? SWOOLE_HOOK_ALL : 0);
            }
            visitor_stop();
            echo 'done';
            PHP);
        exec("cc -shared -fPIC -o $folder/visitor.so $folder/visitor.c 2>&1 && cc -shared -fPIC -pthread $(php-config --includes) -o $folder/loader.so $folder/loader.c 2>&1", $output, $status);
        if ($status !== 0) {
            self::fail("the extension cannot be compiled:\n" . implode("\n", $output));
        }
        $command = array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', "extension=$module", '-d', "extension=$folder/loader.so", "$folder/run.php"]);
        exec("VISITOR=$folder/visitor.so timeout -s KILL 30 " . implode(' ', $command) . ' 2>&1', $printed);
        $this->check('the hooks and another thread that loads libraries do not stop each other', implode("\n", $printed) === 'done', implode("\n", $printed));
    }
}
