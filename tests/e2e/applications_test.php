<?php

declare(strict_types=1);

/* Published applications, as Debian packages them, under the command stampede without options and behind nginx with PHP-FPM: both give the same pages. */

namespace Stampede\Tests\E2e;

final class applications_test extends EndToEndTest
{
    private const CONFIG = <<<'PHP'
        <?php
        define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', '127.0.0.1:PORT'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
        foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) { define($name, md5($name)); }
        define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('AUTOMATIC_UPDATER_DISABLED', true);
        $table_prefix = 'wp_';
        define('ABSPATH', __DIR__ . '/');
        require_once ABSPATH . 'wp-settings.php';
        PHP;
    private const FORM = 'Content-Type: application/x-www-form-urlencoded';

    public function testWordPress(): void
    {
        $database = Database::mariadb();
        (new \mysqli('127.0.0.1', 'root', '', '', $database->port))->query('CREATE DATABASE wordpress');
        $app = self::copyOf('/usr/share/wordpress');
        @unlink("{$app->folder}/wp-content");
        is_dir("{$app->folder}/wp-content") || exec('cp -rL /var/lib/wordpress/wp-content ' . escapeshellarg($app->folder));
        file_put_contents("{$app->folder}/wp-config.php", strtr(self::CONFIG, ['PORT' => (string) $database->port]));
        [$port, $fpm, $nginx] = External::fpm($app->folder, 'app.test');
        $this->check('WordPress is found and served', $app->serve() && str_contains($app->output(), 'a WordPress site'), $app->output());
        $form = 'weblog_title=Site&user_name=admin&admin_password=secret-1&admin_password2=secret-1&pw_weak=1&admin_email=a@example.org&blog_public=0&Submit=x&language=';
        [$status, , $body] = self::ask($app->port, '/wp-admin/install.php?step=2', $form, [self::FORM]);
        $this->check('it is installed', $status === 200 && str_contains($body, 'Success!'), $body);
        foreach ([1, 2] as $time) {
            foreach (['/', '/?p=1', '/wp-login.php', '/?feed=rss2', '/?rest_route=/wp/v2/posts', '/xmlrpc.php', '/wp-admin/', '/no/such/page', '/missing.php', '/wp-includes/css/buttons.css', '/wp-config.php'] as $path) {
                $this->same("{$path}, time {$time}", self::seen(self::ask($port, $path)), self::seen(self::ask($app->port, $path)));
            }
        }
        $cookies = [];
        foreach (['nginx with PHP-FPM' => $port, 'Stampede' => $app->port] as $name => $of) {
            [$status, $head] = self::ask($of, '/wp-login.php', 'log=admin&pwd=secret-1&wp-submit=x&testcookie=1', [self::FORM, 'Cookie: wordpress_test_cookie=WP%20Cookie%20check']);
            preg_match_all('/^Set-Cookie: ([^=]+=[^;]+)/mi', $head, $set);
            $this->check("a login at {$name}", $status === 302 && count($set[1]) >= 3, "{$status} {$head}");
            $cookies[$of] = 'Cookie: ' . implode('; ', $set[1]);
        }
        foreach (['/wp-admin/', '/wp-admin/edit.php', '/wp-admin/post-new.php', '/wp-admin/options-general.php'] as $path) {
            // What a login stands for, a session of its own each, is in links and hidden fields.
            $sizes = array_map(static fn (int $of): array => [($page = self::ask($of, $path, '', [$cookies[$of]]))[0], intdiv(strlen($page[2]), 2000)], [$port, $app->port]);
            $this->same("{$path} after it", $sizes[0], $sizes[1]);
        }
        $call = '<?xml version="1.0"?><methodCall><methodName>wp.newPost</methodName><params><param><value><int>1</int></value></param><param><value>admin</value></param><param><value>secret-1</value></param><param><value><struct>'
            . '<member><name>post_title</name><value>Written here</value></member><member><name>post_status</name><value>publish</value></member></struct></value></param></params></methodCall>';
        [, , $body] = self::ask($app->port, '/xmlrpc.php', $call, ['Content-Type: text/xml']);
        $this->check('a post is written', preg_match('~<string>\d+</string>~', $body) === 1, $body);
        $this->check('and read behind both', str_contains(self::ask($port, '/?feed=rss2')[2], 'Written here') && str_contains(self::ask($app->port, '/?feed=rss2')[2], 'Written here'));
        $app->stop();
    }

    public function testAdminer(): void
    {
        $app = self::copyOf('/usr/share/adminer');
        [$port, $fpm, $nginx] = External::fpm($app->folder, 'app.test');
        $this->check('Adminer is served', $app->serve(), $app->output());
        foreach ([1, 2] as $time) {
            foreach (['/adminer/', '/adminer/index.php?server=127.0.0.1%3A1&username=x', '/adminer/static/default.css', '/externals/jush/jush.css'] as $path) {
                $this->same("{$path}, time {$time}", self::seen(self::ask($port, $path)), self::seen(self::ask($app->port, $path)));
            }
        }
        $this->same('what its developers run on their machine is not there', [404, 404, 404, 404], array_map(static fn (string $path): int => $app->ask($path)[0], ['/lang.php', '/lang.php/x', '/coverage.php', '/plugins/plugin.php']));
        $app->stop();
    }

    private static function copyOf(string $folder): Application
    {
        $app = new Application('scripts');
        exec('rm -rf ' . escapeshellarg($app->folder) . '/* && cp -rL ' . escapeshellarg($folder) . '/. ' . escapeshellarg($app->folder) . ' 2>/dev/null; chmod -R a+rX ' . escapeshellarg($app->folder));
        return $app;
    }

    /**
     * @param list<string> $fields
     * @return array{int, string, string}
     */
    private static function ask(int $port, string $path, string $body = '', array $fields = []): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $method = $body === '' ? 'GET' : 'POST';
        $length = $body === '' ? [] : ['Content-Length: ' . strlen($body)];
        $peer->send(["{$method} {$path} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n" . implode('', array_map(static fn (string $field): string => "{$field}\r\n", [...$fields, ...$length])) . "\r\n{$body}"], 30.0);
        $bytes = $peer->readToEnd(60.0);
        $answer = Answer::all($bytes, [$method])[0] ?? null;
        return $answer === null ? [0, $bytes, ''] : [$answer->status, explode("\r\n\r\n", $bytes, 2)[0], $answer->body];
    }

    /**
     * @param array{int, string, string} $answer
     * @return array{int, string} without what is new in each page
     */
    private static function seen(array $answer): array
    {
        [$status, , $body] = $answer;
        if (($status === 404 || $status === 403) && (str_contains($body, '<center>nginx') || str_starts_with($body, 'There is no') || str_starts_with($body, 'This is not'))) {
            return [$status, 'of the server'];
        }
        return [$status, (string) preg_replace(["/'\\d+:\\d+'/", '/value=.\d+:\d+./', '/nonce="[^"]*"/', '/"nonce":"\w+"/', '/_wpnonce=\w+/', '/127\.0\.0\.1:\d+/'], '', $body)];
    }
}
