<?php

declare(strict_types=1);

/* What of an application's folder is sent and run: hostile paths to the command stampede, and to nginx as "stampede nginx" configures it. */

namespace Stampede\Tests\E2e;

final class public_files_test extends EndToEndTest
{
    private const SECRET = 'this is not for everybody';
    private const OPEN = 'this is for everybody';

    private const PRIVATE_FILES = [
        '.env', '.env.local', '.git/config', '.git/HEAD', '.gitignore', '.htaccess', '.htpasswd', '.user.ini', '.svn/entries', '.DS_Store', '.idea/workspace.xml', '.hidden/x.txt', 'sub/.env', 'sub/.git/config',
        '.hidden/style.css', 'composer.json', 'composer.lock', 'composer.phar', 'sub/composer.json', 'auth.json', 'yarn.lock', 'symfony.lock', 'db.sqlite', 'db.sqlite3', 'db.sqlite-wal', 'data.db', 'data.db-journal', 'old.mdb', 'dump.sql',
        'dump.sql.gz', 'dump.sql.zip', 'backup.dump', 'redis.rdb', 'debug.log', 'prod.log', 'prod.log.1', 'error_log', 'error_log-2024', 'access_log', 'sub/dev.log', 'index.php~', 'index.php.bak', 'index.php.old', 'index.php.orig',
        'index.php.save', 'index.php.swp', 'index.php.txt', 'index.php.dist', 'index.php_', 'index.phps', 'index.phtml', 'x.inc', 'users.s3db', 'server.pem', 'id_rsa', 'php_errorlog', 'x.inc.bak', 'x.pht', 'x.phar', 'x.module', 'x.install', 'x.engine', 'x.theme', 'page.tpl', 'page.twig',
        'config.ini', 'settings.ini.php.old', 'config.bak', 'config.css.bak', 'config.orig', 'config.save', 'config.swp', 'config.swo', 'config.old', 'config.copy', 'config.dist', 'config.sample', 'config.tmp', 'style.css~', '#style.css#',
        'site.env', 'prod.env.local', 'server.key', 'config.neon', 'patch.rej', 'denied/style.css', 'denied/deep/style.css', 'denied/x.txt', 'denied/x.png', 'required/app.js',
    ];

    /** Where the application's folder is the document root, these as well. */
    private const PRIVATE_OF_FOLDERS = [
        'config/db.yaml', 'config/services.xml', 'config/app.json', 'config/x.txt', 'package.json', 'package-lock.json', 'phpunit.xml', 'web.config', 'README.md', 'LICENSE', 'Makefile', 'Dockerfile', 'docker-compose.yml', 'src/x.html', 'templates/mail.html',
        'gulpfile.js', 'webpack.mix.js', 'vite.config.js', 'translations/de.po', 'translations/de.mo', 'data/users.csv', 'data/users.json', 'data/x', 'backup.zip', 'backup.tar.gz', 'backup.tgz', 'site.7z', 'id_rsa', 'cert.pem', 'bin/run.sh', 'x.py', 'notes.txt', 'style.css.map',
    ];

    private const OPEN_FILES = ['style.css', 'sub/app.js', 'sub/deep/x.png', 'x.svg', 'x.woff2', 'sub/UPPER.CSS', 'robots.txt', 'granted/denied.css', '.well-known/token'];

    public function testFilesThatBrowsersKeep(): void
    {
        $app = new Application('plain');
        mkdir("{$app->folder}/public/build");
        file_put_contents("{$app->folder}/public/build/app.css", 'a {}');
        file_put_contents("{$app->folder}/public/other.css", 'b {}');
        file_put_contents("{$app->folder}/public/index.php", '<?php echo $_SERVER["REMOTE_ADDR"], " ", $_SERVER["REQUEST_SCHEME"];');
        $this->check('it is served', $app->serve(['--workers=1', '--cache=/build/*:1y', '--cache=*.txt:5m', '--trusted-proxies=127.0.0.1']), $app->output());
        [$status, $head, $body] = $app->ask('/build/app.css');
        $this->check('a file that a pattern names', $status === 200 && $body === 'a {}' && str_contains($head, 'Cache-Control: public, max-age=31536000, immutable'), $head);
        preg_match('/ETag: (\S+)/', $head, $tag);
        [$status, $head] = $app->ask('/build/app.css', fields: ["If-None-Match: {$tag[1]}"]);
        $this->check('also where it has not changed', $status === 304 && str_contains($head, 'Cache-Control: public, max-age=31536000, immutable'), $head);
        $this->check('another file', !str_contains($app->ask('/other.css')[1], 'Cache-Control'));
        $this->same('a proxy that is trusted', '10.1.2.3 https', $app->ask('/', fields: ['X-Forwarded-For: 10.1.2.3', 'X-Forwarded-Proto: https'])[2]);
        $app->stop();
        $this->same('a pattern that is none', [1, true], [($refused = Application::run(['serve', $app->folder, '--cache=build']))[0], str_contains($refused[1], 'says nothing about caching')]);
    }

    public function testAPublicFolder(): void
    {
        $app = new Application('plain');
        $this->fill("{$app->folder}/public");
        file_put_contents("{$app->folder}/outside.php", '<?php echo "RAN outside";');
        $this->compare($app, "{$app->folder}/public", self::PRIVATE_FILES, [...self::OPEN_FILES, 'notes.txt', 'x.json', 'x.pdf'], []);
    }

    public function testTheApplicationsFolder(): void
    {
        $app = new Application('plain');
        exec('rm -rf ' . escapeshellarg("{$app->folder}/public") . '/* && rmdir ' . escapeshellarg("{$app->folder}/public"));
        $this->fill($app->folder);
        foreach (self::PRIVATE_OF_FOLDERS as $name) {
            self::write("{$app->folder}/{$name}", self::SECRET);
        }
        self::write("{$app->folder}/vendor/package/eval.php", '<?php echo "RAN vendor";');
        self::write("{$app->folder}/vendor/package/style.css", self::OPEN);
        file_put_contents("{$app->folder}/stampede.php", '<?php echo ""; return [];');
        $this->compare($app, $app->folder, [...self::PRIVATE_FILES, ...self::PRIVATE_OF_FOLDERS], [...self::OPEN_FILES, 'vendor/package/style.css'], ['/vendor/package/eval.php', '/stampede.php']);
    }

    private function fill(string $root): void
    {
        foreach (self::PRIVATE_FILES as $name) {
            self::write("{$root}/{$name}", self::SECRET);
        }
        foreach ([...self::OPEN_FILES, 'notes.txt', 'x.json', 'x.pdf'] as $name) {
            self::write("{$root}/{$name}", self::OPEN);
        }
        file_put_contents("{$root}/index.php", '<?php echo "front ", $_SERVER["SCRIPT_NAME"], " ", ($_SERVER["PATH_INFO"] ?? "") ?: "-";');
        self::write("{$root}/admin/panel.php", '<?php echo "RAN ", $_SERVER["SCRIPT_NAME"], " ", ($_SERVER["PATH_INFO"] ?? "") ?: "-";');
        foreach (['.hidden/run.php', '.git/run.php', '.hidden/index.php', 'sub/.hidden/run.php', 'denied/run.php'] as $name) {
            self::write("{$root}/{$name}", '<?php echo "RAN what is hidden";');
        }
        file_put_contents("{$root}/.htaccess", "# RewriteEngine on\n");
        file_put_contents("{$root}/denied/.htaccess", "Order allow,deny\nDeny from all\n");
        file_put_contents("{$root}/required/.htaccess", "<IfModule mod_authz_core.c>\n  Require all denied\n</IfModule>\n");
        file_put_contents("{$root}/granted/.htaccess", "<Files denied.php>\nRequire all denied\n</Files>\n");
        foreach (['to-env.css' => '.env', 'to-source.txt' => 'index.php', 'to-git.css' => '.git/config', 'to-log.css' => 'prod.log'] as $link => $target) {
            symlink($target, "{$root}/{$link}");
        }
        symlink('style.css', "{$root}/to-style.css");
        symlink('sub', "{$root}/to-folder");
        symlink('.git', "{$root}/to-hidden");
        posix_mkfifo("{$root}/pipe.css", 0644);
    }

    /** As distributions package applications: parts of them lie elsewhere. */
    public function testLinksOutOfTheDocumentRoot(): void
    {
        $app = new Application('plain');
        $elsewhere = External::folder();
        self::write("{$elsewhere}/lib/style.css", self::OPEN);
        self::write("{$elsewhere}/lib/tool.php", '<?php echo "RAN ", $_SERVER["SCRIPT_NAME"], " ", basename(__DIR__);');
        self::write("{$elsewhere}/.secret/style.css", self::SECRET);
        self::write("{$elsewhere}/dump.sql", self::SECRET);
        foreach (['lib' => 'lib', 'one.css' => 'lib/style.css', 'one.php' => 'lib/tool.php', 'shown' => '.secret', 'dump.css' => 'dump.sql'] as $link => $target) {
            symlink("{$elsewhere}/{$target}", "{$app->folder}/public/{$link}");
        }
        $links = ['/lib/style.css' => self::OPEN, '/one.css' => self::OPEN, '/lib/tool.php' => 'RAN /lib/tool.php lib', '/one.php' => 'RAN /one.php lib'];
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $this->same('links are followed', $links, array_combine(array_keys($links), array_map(static fn (string $path): string => $app->ask($path)[2], array_keys($links))));
        $this->same('not to what is private there', [false, false], array_map(static fn (string $path): bool => str_contains($app->ask($path)[2], self::SECRET), ['/shown/style.css', '/dump.css']));
        $app->stop();
        $this->check('it is served without them', $app->serve(['--workers=1', '--env=prod', '--links=inside']), $app->output());
        $this->same('no link leads out', [], array_filter(array_keys($links), static fn (string $path): bool => in_array($app->ask($path)[2], $links, true)));
        exec('rm -rf ' . escapeshellarg($elsewhere));
    }

    public function testADenialThatComesLater(): void
    {
        $app = new Application('plain');
        self::write("{$app->folder}/public/later/style.css", self::OPEN);
        $this->check('it is served', $app->serve(['--workers=1']), $app->output());
        $this->same('a file', self::OPEN, $app->ask('/later/style.css')[2]);
        self::write("{$app->folder}/public/later/.htaccess", "Require all denied\n");
        $this->check('is not sent once an .htaccess denies it', Server::until(10.0, static fn (): bool => $app->ask('/later/style.css')[2] !== self::OPEN));
        unlink("{$app->folder}/public/later/.htaccess");
        $this->check('and is sent again without that', Server::until(10.0, static fn (): bool => $app->ask('/later/style.css')[2] === self::OPEN));
    }

    /**
     * @param list<string> $private names of files
     * @param list<string> $open
     * @param list<string> $closed paths of scripts that do not run
     */
    private function compare(Application $app, string $root, array $private, array $open, array $closed): void
    {
        exec('chmod -R a+rX ' . escapeshellarg($app->folder));
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $port = Server::freePort();
        $nginx = External::nginx($port, Application::run(['nginx', $app->folder, "--listen=127.0.0.1:{$app->port}", "--port={$port}"])[1]);
        $paths = self::hostilePaths($private);
        $this->check('there are 200 paths', count($paths) >= 200, (string) count($paths));
        $leaks = $differences = [];
        foreach ($paths as $path) {
            [$status, $body] = self::ask($app->port, $path);
            if (str_contains($body, self::SECRET) || str_contains($body, '<?php') || str_contains($body, 'RAN what') || str_contains($body, 'RAN outside') || str_contains($body, 'RAN vendor')) {
                $leaks[] = $path;
            }
            [$ofNginx, $bodyOfNginx] = self::ask($port, $path);
            // nginx has its own page where it refuses a path itself.
            if ($ofNginx !== $status || ($status !== 400 && $bodyOfNginx !== $body)) {
                $differences[] = "{$path}: {$status} and {$ofNginx}";
            }
        }
        $this->same('a pipe is no file', [200, 'front /index.php -'], self::ask($app->port, '/pipe.css'));
        $this->same('nothing private is sent or run', [], $leaks);
        $this->same('nginx in front gives the same', [], $differences);
        foreach ([$app->port, $port] as $each) {
            $got = array_combine($open, array_map(static fn (string $name): string => self::ask($each, "/{$name}")[1], $open));
            $this->same('what is for everybody is sent', array_fill_keys($open, self::OPEN), $got);
            $this->same('a link to a file, and through a folder', [self::OPEN, self::OPEN], [self::ask($each, '/to-style.css')[1], self::ask($each, '/to-folder/app.js')[1]]);
            $this->same('scripts of packages and the settings do not run', array_fill_keys($closed, 404), array_combine($closed, array_map(static fn (string $path): int => self::ask($each, $path)[0], $closed)));
            $this->same('a script, with what follows its name', [[200, 'RAN /admin/panel.php -'], [200, 'RAN /admin/panel.php /a b']], [self::ask($each, '/admin/panel.php'), self::ask($each, '/admin/panel.php/x/../a%20b')]);
            $this->same('dot segments are gone before a script is chosen', [[200, 'front /index.php -'], [200, 'front /index.php -'], [200, 'RAN /admin/panel.php -']],
                [self::ask($each, '/admin/panel.php/../../'), self::ask($each, '/admin/panel.php/..%2f..%2f'), self::ask($each, '/x/%2e%2e/admin/./panel.php')]);
            $this->check('a path is decoded once, as the proxy in front does it before its rules', self::ask($each, '/%61dmin/panel.php')[1] === 'RAN /admin/panel.php -' && !str_contains(self::ask($each, '/%2561dmin/panel.php')[1], 'RAN'), self::ask($each, '/%2561dmin/panel.php')[1]);
            $this->same('above the root is 400', [400, 400, 400, 400], array_map(static fn (string $path): int => self::ask($each, $path)[0], ['/../x', '/admin/panel.php/../../../', '/%2e%2e%2f', '/a%00.css']));
        }
    }

    /**
     * @param list<string> $names
     * @return list<string>
     */
    private static function hostilePaths(array $names): array
    {
        $paths = array_map(static fn (string $name): string => '/' . implode('/', array_map(rawurlencode(...), explode('/', $name))), $names);
        foreach (['.env', 'users.s3db', 'server.pem', 'id_rsa', 'composer.json', 'prod.log', 'dump.sql', 'index.php.bak', 'x.inc'] as $name) {
            $encoded = sprintf('%%%02x', ord($name[0])) . substr($name, 1);
            array_push($paths, "//{$name}", "/./{$name}", "/sub/../{$name}", "/sub/%2e%2e/{$name}", "/sub%2f..%2f{$name}", "/{$encoded}", "/%25" . substr($encoded, 1), "/sub%252f..%252f{$name}", "/{$name}.", "/{$name}%20", "/{$name}..", '/' . strtoupper($name), "/{$name}/", "/{$name}/x.css", "/{$name}%2fx.css",
                "/{$name};x.css", "/{$name}?x.css", "/{$name}%3fx.css", "/{$name}%00.css", "/index.php/{$name}", "/index.php/../{$name}", "/style.css/../{$name}", "/to-folder/../{$name}", "/..%2f{$name}", "/sub/..%5c{$name}");
        }
        return [...$paths, '/INDEX.PHP', '/index.PHP', '/index.php.', '/index.php%20', '/index.phP/x', '/to-env.css', '/to-source.txt', '/to-git.css', '/to-log.css', '/to-hidden/config', '/to-hidden/run.php',
            '/.hidden/run.php', '/.git/run.php', '/.hidden/', '/.hidden', '/sub/.hidden/run.php', '/.hidden/run.php/../../', '/.hidden/run.php/x', '/%2ehidden/run.php', '/x/../.hidden/run.php', '/denied/run.php', '/denied/run.php/x', '/denied/', '/denied/../denied/x.png',
            '/denied%2fx.png', '/outside.php', '/../outside.php', '/%2e%2e/outside.php', '/..%2foutside.php', '/style.css/x.php', '/style.css%00.php', '/sub/deep/x.png/x.php', '/.well-known/../.env', '/.well-known/../.hidden/run.php', '/.well-known/.env'];
    }

    private static function write(string $file, string $content): void
    {
        is_dir(dirname($file)) || mkdir(dirname($file), 0755, true);
        file_put_contents($file, $content);
    }

    /** @return array{int, string} */
    private static function ask(int $port, string $path): array
    {
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $peer->send(["GET {$path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"], 10.0);
        $answers = Answer::all($peer->readToEnd(10.0), ['GET']);
        return $answers === [] ? [0, ''] : [$answers[0]->status, $answers[0]->body];
    }
}
