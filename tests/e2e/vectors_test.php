<?php

declare(strict_types=1);

/*
 * Calls that take their bytes in several parts (readv, writev), as libraries of extensions make them: a connection that
 * another coroutine waits for is refused to them as to read and write.
 */

namespace Stampede\Tests\E2e;

final class vectors_test extends EndToEndTest
{
    private static string $folder;
    private static string $command;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = External::folder();
        file_put_contents("$folder/vectors.c", <<<'C'
            #include "php.h"
            #include <errno.h>
            #include <sys/socket.h>
            #include <sys/uio.h>
            ZEND_BEGIN_ARG_INFO_EX(any_arguments, 0, 0, 0)
            ZEND_END_ARG_INFO()
            static PHP_FUNCTION(vectors_pair)
            {
                int ends[2];
                if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
                    RETURN_FALSE;
                }
                array_init(return_value);
                add_next_index_long(return_value, ends[0]);
                add_next_index_long(return_value, ends[1]);
            }
            static PHP_FUNCTION(vectors_write)
            {
                zend_long fd;
                zend_string *one, *other;
                if (zend_parse_parameters(ZEND_NUM_ARGS(), "lSS", &fd, &one, &other) == FAILURE) {
                    return;
                }
                struct iovec parts[2] = {{ZSTR_VAL(one), ZSTR_LEN(one)}, {ZSTR_VAL(other), ZSTR_LEN(other)}};
                RETURN_LONG(writev((int) fd, parts, 2));
            }
            static PHP_FUNCTION(vectors_read)
            {
                zend_long fd;
                static char bytes[2][65536];
                if (zend_parse_parameters(ZEND_NUM_ARGS(), "l", &fd) == FAILURE) {
                    return;
                }
                struct iovec parts[2] = {{bytes[0], 65536}, {bytes[1], 65536}};
                ssize_t count = readv((int) fd, parts, 2);
                if (count < 0) {
                    RETURN_FALSE;
                }
                RETURN_STRINGL(bytes[0], count);
            }
            static const zend_function_entry functions[] = {PHP_FE(vectors_pair, any_arguments) PHP_FE(vectors_write, any_arguments) PHP_FE(vectors_read, any_arguments) PHP_FE_END};
            static zend_module_entry vectors = {STANDARD_MODULE_HEADER, "vectors", functions, NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES};
            ZEND_DLEXPORT zend_module_entry *get_module(void) { return &vectors; }
            C);
        exec("cc -shared -fPIC $(php-config --includes) -o $folder/vectors.so $folder/vectors.c 2>&1", $output, $status);
        if ($status !== 0) {
            self::fail("the extension cannot be compiled:\n" . implode("\n", $output));
        }
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        self::$command = 'timeout -s KILL 30 ' . implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', "extension=$module", '-d', "extension=$folder/vectors.so"]));
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        array_map(unlink(...), glob(self::$folder . '/*') ?: []);
        rmdir(self::$folder);
    }

    private static function run_script(string $code): string
    {
        file_put_contents(self::$folder . '/run.php', "<?php\nSwoole\\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);\nCo\\run(function () {\n$code\n});");
        exec(self::$command . ' ' . self::$folder . '/run.php 2>&1', $printed);
        return implode("\n", $printed);
    }

    public function testASecondWriterIsRefused(): void
    {
        $printed = self::run_script(<<<'PHP'
            [$to, $from] = vectors_pair();
            $size = 4 << 20;
            $read = 0;
            go(function () use ($to, $size) {
                echo vectors_write($to, str_repeat('a', $size), 'aa') === $size + 2 ? "the first wrote all\n" : "the first failed\n";
            });
            go(function () use ($to) {
                try {
                    $count = vectors_write($to, 'b', 'b');
                    echo "the second wrote $count\n";
                } catch (Swoole\Error $error) {
                    echo "the second was refused\n";
                }
            });
            $strange = 0;
            while ($read < $size + 2) {
                $bytes = vectors_read($from);
                $read += strlen($bytes);
                $strange += strlen(trim($bytes, 'a'));
            }
            echo "$strange strange bytes\n";
            PHP);
        $lines = explode("\n", trim($printed));
        sort($lines);
        $this->same('a second writev() is refused, and the first one is whole', ['0 strange bytes', 'the first wrote all', 'the second was refused'], $lines);
    }

    public function testASecondReaderIsRefused(): void
    {
        $printed = self::run_script(<<<'PHP'
            [$to, $from] = vectors_pair();
            go(function () use ($from) {
                $bytes = vectors_read($from);
                echo "the first read $bytes\n";
            });
            go(function () use ($from) {
                try {
                    $bytes = vectors_read($from);
                    echo "the second read $bytes\n";
                } catch (Swoole\Error $error) {
                    echo "the second was refused\n";
                }
            });
            vectors_write($to, 'its own ', 'response');
            PHP);
        $this->same('a second readv() is refused, and the first one reads', "the second was refused\nthe first read its own response", trim($printed));
    }

    public function testACancelledReaderCutsItsConnection(): void
    {
        $printed = self::run_script(<<<'PHP'
            [$to, $from] = vectors_pair();
            $reader = go(function () use ($from) {
                $bytes = vectors_read($from);
                echo $bytes === false ? "the read failed\n" : "the read gave $bytes\n";
            });
            Swoole\Coroutine::cancel($reader);
            Swoole\Coroutine::join([$reader]);
            $bytes = vectors_read($to);
            echo $bytes === '' ? "the connection is cut\n" : "the connection gave $bytes\n";
            PHP);
        $this->same('no later coroutine reads the response of one that was cancelled', "the read failed\nthe connection is cut", trim($printed));
    }
}
