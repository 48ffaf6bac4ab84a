<?php

declare(strict_types=1);

namespace Stampede\Bench;

use Stampede\Tests\E2e\Database;

/** The applications. Each works on its copy alone: what its package keeps in /etc and /var is in the copy, too. */
final class Sites
{
    private const PASSWORD = 'secret-of-bench-1';
    private const WORDPRESS = <<<'PHP'
        <?php
        define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', '127.0.0.1:PORT'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
        foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) { define($name, md5($name)); }
        define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('AUTOMATIC_UPDATER_DISABLED', true);
        define('WP_HOME', 'http://localhost'); define('WP_SITEURL', 'http://localhost');
        $table_prefix = 'wp_';
        define('ABSPATH', __DIR__ . '/');
        require_once ABSPATH . 'wp-settings.php';
        PHP;

    private ?Database $mariadb = null;

    /** @return array<string, Site> those that need no database and whose pages are cheap */
    public function small(): array
    {
        return ['Adminer' => $this->adminer(), 'phpLiteAdmin' => $this->phpliteadmin(), 'RSS-Bridge' => $this->rss_bridge()];
    }

    /** @return array<string, Site> */
    public function all(): array
    {
        return $this->small() + [
            'WordPress' => $this->wordpress(), 'MediaWiki' => $this->mediawiki(), 'DokuWiki' => $this->dokuwiki(), 'phpMyAdmin' => $this->phpmyadmin(), 'Roundcube' => $this->roundcube(),
            'SimpleSAMLphp' => $this->simplesamlphp(), 'Zabbix' => new Site('zabbix-frontend-php', '/usr/share/zabbix', ['/setup.php' => 'Welcome to']), 'phpLDAPadmin' => $this->phpldapadmin(),
        ];
    }

    private function adminer(): Site
    {
        return new Site('adminer', '/usr/share/adminer', ['/adminer/' => 'auth[server]', '/editor/' => 'auth[password]']);
    }

    private function phpliteadmin(): Site
    {
        $set_up = static function (string $copy): void {
            unlink("$copy/phpliteadmin.config.php");
            mkdir("$copy/databases");
            file_put_contents("$copy/phpliteadmin.config.php", "<?php\n\$password = '" . self::PASSWORD . "';\n\$directory = '$copy/databases';\n\$debug = false;\n");
            $database = new \SQLite3("$copy/databases/stock.sqlite");
            $database->exec('CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT)');
            foreach (range(1, 50) as $id) {
                $database->exec("INSERT INTO parts VALUES ($id, 'part $id')");
            }
        };
        $sign_in = static function (Browser $browser): void {
            $token = Browser::hidden($browser->get('/phpliteadmin.php'), 'token');
            $browser->post('/phpliteadmin.php', ['token' => $token, 'password' => self::PASSWORD, 'login' => 'true']);
        };
        return new Site('phpliteadmin', '/usr/share/phpliteadmin', ['/phpliteadmin.php' => 'Password: <input', '/phpliteadmin.php?resource=css' => 'body'], $set_up, members: new Members($sign_in, ['/phpliteadmin.php?action=row_view&table=parts' => 'part 30']));
    }

    private function rss_bridge(): Site
    {
        $set_up = static function (string $copy): void {
            copy('/etc/rss-bridge/whitelist.default.txt', "$copy/whitelist.txt");
        };
        return new Site('rss-bridge', '/usr/share/rss-bridge', ['/' => 'RSS-Bridge', '/?action=list' => '"bridges"'], $set_up);
    }

    private function wordpress(): Site
    {
        $set_up = function (string $copy): void {
            if (!is_dir("$copy/wp-content/themes")) {
                Folder::shell('rm -rf ' . escapeshellarg("$copy/wp-content") . ' && cp -rL /var/lib/wordpress/wp-content ' . escapeshellarg($copy));
            }
            file_put_contents("$copy/wp-config.php", strtr(self::WORDPRESS, ['PORT' => (string) $this->database('wordpress')]));
            self::php($copy, 'define("WP_INSTALLING", true); $_SERVER["HTTP_HOST"] = "localhost"; require "wp-load.php"; require "wp-admin/includes/upgrade.php"; wp_install("Site of bench", "admin", "a@example.org", false, "", "' . self::PASSWORD . '");');
        };
        $sign_in = static function (Browser $browser): void {
            $browser->get('/wp-login.php');
            $browser->post('/wp-login.php', ['log' => 'admin', 'pwd' => self::PASSWORD, 'wp-submit' => 'x', 'testcookie' => '1']);
        };
        $write = static function (Browser $browser, string $text): string {
            preg_match('/name="_wpnonce" value="(\w+)"/', $browser->get('/wp-admin/'), $found);
            $browser->post('/wp-admin/post.php', ['_wpnonce' => $found[1] ?? '', 'action' => 'post-quickdraft-save', 'post_title' => $text, 'content' => $text, 'post_ID' => Browser::hidden($browser->get('/wp-admin/'), 'post_ID'), 'post_type' => 'post']);
            return '/wp-admin/edit.php';
        };
        return new Site('wordpress', '/usr/share/wordpress', ['/' => 'Site of bench', '/?p=1' => 'Welcome to WordPress', '/?feed=rss2' => '</rss>'], $set_up, members: new Members($sign_in, ['/wp-admin/edit.php' => 'Hello world!'], $write));
    }

    private function mediawiki(): Site
    {
        $set_up = static function (string $copy): void {
            @unlink("$copy/LocalSettings.php");
            mkdir("$copy/data");
            self::php($copy, 'require "maintenance/install.php";', ['--dbtype', 'sqlite', '--dbpath', "$copy/data", '--confpath', $copy, '--scriptpath', '', '--server', 'http://localhost', '--pass', self::PASSWORD, 'Bench', 'Admin']);
            file_put_contents("$copy/LocalSettings.php", "\n\$wgMainCacheType = CACHE_ACCEL;\n\$wgJobRunRate = 0;\n", FILE_APPEND);
        };
        $sign_in = static function (Browser $browser): void {
            $token = json_decode($browser->get('/api.php?action=query&meta=tokens&type=login&format=json'), true)['query']['tokens']['logintoken'];
            $browser->post('/api.php?format=json', ['action' => 'clientlogin', 'username' => 'Admin', 'password' => self::PASSWORD, 'loginreturnurl' => 'http://localhost/', 'logintoken' => $token]);
        };
        $write = static function (Browser $browser, string $text): string {
            $token = json_decode($browser->get('/api.php?action=query&meta=tokens&format=json'), true)['query']['tokens']['csrftoken'];
            $browser->post('/api.php?format=json', ['action' => 'edit', 'title' => 'Written', 'text' => $text, 'token' => $token]);
            return '/index.php?title=Written';
        };
        $pages = ['/index.php?title=Main_Page' => 'MediaWiki has been installed', '/index.php?title=Special:RecentChanges' => 'Recent changes', '/api.php?action=query&meta=siteinfo&format=json' => '"sitename":"Bench"'];
        return new Site('mediawiki', '/var/lib/mediawiki', $pages, $set_up, members: new Members($sign_in, ['/index.php?title=Special:Preferences' => 'mw-prefsection-personal'], $write));
    }

    private function dokuwiki(): Site
    {
        $set_up = static function (string $copy): void {
            foreach (['/etc/dokuwiki' => 'conf', '/var/lib/dokuwiki/data' => 'data'] as $source => $name) {
                Folder::shell("cp -rL $source " . escapeshellarg("$copy/$name"));
            }
            file_put_contents("$copy/inc/preload.php", "<?php\ndefine('DOKU_CONF', '$copy/conf/');\ndefine('DOKU_FARM', false);\n");
            file_put_contents("$copy/conf/local.php", "<?php\n\$conf['title'] = 'Bench'; \$conf['useacl'] = 1; \$conf['superuser'] = '@admin'; \$conf['savedir'] = '$copy/data';\n");
            file_put_contents("$copy/conf/acl.auth.php", "*\t@ALL\t8\n");
            // Debian's package asks for phpseclib 2 and is content with 3, in which the file is not. Only a login needs it.
            file_put_contents("$copy/vendor/none.php", "<?php\n");
            self::replace("$copy/vendor/composer/autoload_static.php", ["'/usr/share/php/phpseclib/bootstrap.php'" => "'$copy/vendor/none.php'"]);
        };
        // Everybody may write; a session is all it takes.
        $begin = static function (Browser $browser): void {
            $browser->get('/doku.php?id=start');
        };
        $write = static function (Browser $browser, string $text): string {
            $token = Browser::hidden($browser->get('/doku.php?id=written&do=edit'), 'sectok');
            $browser->post('/doku.php?id=written', ['sectok' => $token, 'id' => 'written', 'rev' => '0', 'date' => '', 'changecheck' => '', 'prefix' => '.', 'suffix' => '', 'target' => 'section', 'wikitext' => $text, 'summary' => '', 'do[save]' => '1']);
            return '/doku.php?id=written';
        };
        return new Site('dokuwiki', '/usr/share/dokuwiki', ['/doku.php?id=wiki:syntax' => 'Formatting Syntax', '/doku.php?id=start&do=index' => 'Sitemap'], $set_up, members: new Members($begin, ['/doku.php?id=start&do=recent' => 'Recent Changes'], $write));
    }

    private function phpmyadmin(): Site
    {
        $set_up = function (string $copy): void {
            mkdir("$copy/tmp");
            $port = $this->database('stock');
            $mysqli = new \mysqli('127.0.0.1', 'root', '', 'stock', $port);
            $mysqli->query("CREATE USER bench@'%' IDENTIFIED BY '" . self::PASSWORD . "'");
            $mysqli->query("GRANT ALL ON stock.* TO bench@'%'");
            $mysqli->query('CREATE TABLE parts (id INT PRIMARY KEY, name VARCHAR(100))');
            file_put_contents("$copy/config.inc.php", "<?php\n\$cfg['blowfish_secret'] = '" . str_repeat('b', 32) . "';\n\$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '127.0.0.1', 'port' => '$port'];\n\$cfg['VersionCheck'] = false;\n");
            self::replace("$copy/libraries/vendor_config.php", ['/var/lib/phpmyadmin/tmp/' => "$copy/tmp/", '/etc/phpmyadmin/config.inc.php' => "$copy/config.inc.php"]);
        };
        $sign_in = static function (Browser $browser): void {
            $page = $browser->get('/index.php?route=/');
            $browser->post('/index.php?route=/', ['set_session' => Browser::hidden($page, 'set_session'), 'token' => Browser::hidden($page, 'token'), 'pma_username' => 'bench', 'pma_password' => self::PASSWORD, 'server' => '1', 'route' => '/']);
        };
        return new Site('phpmyadmin', '/usr/share/phpmyadmin', ['/index.php?route=/' => 'pma_password'], $set_up, members: new Members($sign_in, ['/index.php?route=/database/structure&db=stock' => 'parts']));
    }

    private function roundcube(): Site
    {
        $set_up = static function (string $copy): void {
            foreach (['logs', 'temp', 'config', 'db'] as $name) {
                Folder::shell('rm -rf ' . escapeshellarg("$copy/$name") . ' && mkdir ' . escapeshellarg("$copy/$name"));
            }
            (new \SQLite3("$copy/db/mail.db"))->exec((string) file_get_contents("$copy/SQL/sqlite.initial.sql"));
            foreach (['defaults.inc.php', 'mimetypes.php'] as $name) {
                copy("/etc/roundcube/$name", "$copy/config/$name");
            }
            file_put_contents("$copy/config/config.inc.php", "<?php\n\$config['db_dsnw'] = 'sqlite:///$copy/db/mail.db?mode=0666';\n\$config['imap_host'] = '127.0.0.1:1';\n\$config['des_key'] = '" . str_repeat('k', 24) . "';\n\$config['plugins'] = [];\n\$config['log_dir'] = '$copy/logs/';\n\$config['temp_dir'] = '$copy/temp/';\n");
            self::replace("$copy/program/include/iniset.php", ['/var/lib/roundcube/' => "$copy/"]);
        };
        return new Site('roundcube-core', '/var/lib/roundcube', ['/?_task=login' => 'rcmloginuser'], $set_up);
    }

    private function simplesamlphp(): Site
    {
        $set_up = static function (string $copy): void {
            foreach (['log', 'data', 'tmp'] as $name) {
                mkdir("$copy/$name");
            }
            self::replace("$copy/config/config.php", ["'simplesamlphp/'" => "'/'", '/var/log/simplesamlphp/' => "$copy/log/", '/var/lib/simplesamlphp/data/' => "$copy/data/", '/tmp/simplesaml' => "$copy/tmp", '/etc/simplesamlphp/metadata/' => "$copy/config/metadata/"]);
        };
        return new Site('simplesamlphp', '/usr/share/simplesamlphp', ['/module.php/core/frontpage_welcome.php' => 'SimpleSAMLphp', '/module.php/core/frontpage_auth.php' => 'SimpleSAMLphp'], $set_up, 'www');
    }

    private function phpldapadmin(): Site
    {
        $set_up = static function (string $copy): void {
            @unlink("$copy/config/config.php");
            copy("$copy/config/config.php.example", "$copy/config/config.php");
        };
        return new Site('phpldapadmin', '/usr/share/phpldapadmin', ['/index.php' => 'phpLDAPadmin'], $set_up, 'htdocs');
    }

    /** A database in a MariaDB of these sites. @return int its port */
    private function database(string $name): int
    {
        $this->mariadb ??= Database::mariadb(['--innodb-buffer-pool-size=128M']);
        (new \mysqli('127.0.0.1', 'root', '', '', $this->mariadb->port))->query("CREATE DATABASE $name");
        return $this->mariadb->port;
    }

    /** @param list<string> $arguments */
    private static function php(string $folder, string $code, array $arguments = []): void
    {
        Folder::shell('cd ' . escapeshellarg($folder) . ' && ' . implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-r', $code, '--', ...$arguments])));
    }

    /** @param array<string, string> $words each of which must be in the file */
    private static function replace(string $file, array $words): void
    {
        $text = (string) file_get_contents($file);
        foreach (array_keys($words) as $word) {
            if (!str_contains($text, $word)) {
                throw new \RuntimeException("$file does not have $word: the package is another version than the one that this part knows.");
            }
        }
        file_put_contents($file, strtr($text, $words));
    }
}
