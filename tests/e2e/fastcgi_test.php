<?php

declare(strict_types=1);

/* Swoole\Coroutine\FastCGI against a real php-fpm: the client, and the proxy behind a server of ours. */

namespace Stampede\Tests\E2e;

final class fastcgi_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $fpm = glob('/usr/sbin/php-fpm*') ?: [];
        if ($fpm === []) {
            self::fail('There is no php-fpm: tools/ensure-packages test installs it.');
        }
        $folder = External::folder();
        $root = "$folder/root";
        mkdir("$root/sub", 0755, true);
        copy(__DIR__ . '/apps/fastcgi_script.php', "$root/index.php");
        file_put_contents("$root/plain.txt", "plain text\n");
        file_put_contents("$root/.secret.txt", 'secret');
        file_put_contents("$folder/outside.txt", 'outside');
        $port = Server::freePort();
        $user = posix_getuid() === 0 ? "user = nobody\ngroup = nogroup\n" : '';
        file_put_contents("$folder/fpm.conf", <<<CONF
            [global]
            error_log = $folder/fpm.log
            daemonize = no
            [www]
            listen = 127.0.0.1:$port
            $user
            pm = static
            pm.max_children = 3
            php_admin_value[post_max_size] = 64M
            php_admin_value[upload_max_filesize] = 64M
            CONF);
        $server = new External([end($fpm), '-F', '-n', '-y', "$folder/fpm.conf", ...(posix_getuid() === 0 ? ['-R'] : [])], $folder, "tcp://127.0.0.1:$port");
        External::checks($this, 'fastcgi', ['port' => $port, 'root' => $root]);
    }
}
