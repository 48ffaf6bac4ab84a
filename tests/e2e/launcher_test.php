<?php

declare(strict_types=1);

/* The command stampede serves real applications as they are: plain scripts, Slim, Symfony, Laravel. */

namespace Stampede\Tests\E2e;

final class launcher_test extends EndToEndTest
{
    public function testPlainScripts(): void
    {
        $app = new Application('plain');
        $this->check('a plain application is found and served', $app->serve(['--workers=1', '--request-timeout=1', '--env=prod']), $app->output());
        $this->check('the command says what it found and why', str_contains($app->output(), 'a plain front controller: public/index.php') && str_contains($app->output(), 'Isolation process'), $app->output());
        [$status, $head, $body] = $app->ask('/some/path?a[]=1&b=2', '', ['Cookie: given=by the client']);
        $data = json_decode(explode('|', $body)[0], true) ?? [];
        $this->same('superglobals', [200, ['a' => ['1'], 'b' => '2'], 'by the client', '/some/path?a[]=1&b=2', '/index.php'], [$status, $data['get'] ?? null, $data['cookie'] ?? null, $data['uri'] ?? null, $data['script'] ?? null]);
        $this->check('header(), setcookie(), shutdown functions', str_contains($head, 'X-Application: plain') && str_contains($head, 'Set-Cookie: seen=yes%20it%20is') && str_ends_with($body, '|end'), "{$head}\n{$body}");
        $session = self::cookieOf($head, 'PHPSESSID');
        $second = json_decode(explode('|', $app->ask('/', 'x=y', ['Content-Type: application/x-www-form-urlencoded', "Cookie: {$session}"])[2])[0] ?? '', true);
        $second = json_decode(explode('|', $app->ask('/', 'x=y', ['Content-Type: application/x-www-form-urlencoded', "Cookie: {$session}"])[2])[0], true);
        $this->same('a form, php://input, the session; no variable stays', [['x' => 'y'], 'x=y', 3, 1], [$second['post'] ?? null, $second['input'] ?? null, $second['visits'] ?? null, $second['global'] ?? null]);
        $upload = json_decode(explode('|', $app->upload('/form')[2])[0], true);
        $this->same('an uploaded file can be moved', [['field' => 'value'], ['file'], true, 'content', ''], [$upload['post'] ?? null, $upload['files'] ?? null, $upload['moved'] ?? null, @file_get_contents("{$app->folder}/uploaded"), $upload['input'] ?? null]);
        file_put_contents("{$app->folder}/public/proxy.php", '<?php echo json_encode([$_SERVER["HTTP_PROXY"] ?? null, getenv("HTTP_PROXY"), $_SERVER["HTTP_PROXY_NAME"] ?? null]);');
        $this->same('the field Proxy is not taken for the proxy of the application\'s own clients', '[null,false,"kept"]', $app->ask('/proxy.php', '', ['Proxy: http://evil.example', 'Proxy-Name: kept'])[2]);
        $this->same('exit', [404, 'not here|end'], [($gone = $app->ask('/exit'))[0], $gone[2]]);
        $this->same('exit with a text prints it', [200, 'a text|end'], [($gone = $app->ask('/exit-text'))[0], $gone[2]]);
        $this->same('streamed parts', "part 1\npart 2\npart 3\n|end", $app->ask('/stream')[2]);
        $before = $data['state'] ?? null;
        $app->ask('/settings');
        $after = json_decode(explode('|', $app->ask('/')[2])[0], true)['state'] ?? null;
        $this->same('settings, locale, time zone, folder and umask are the next request\'s own', $before, $after);
        [$status, , $body] = $app->ask('/throw');
        $this->same('an exception in production: what was printed, as with PHP-FPM', [500, 'a part|end'], [$status, $body]);
        $this->same('a script of its own below the document root', [200, 'another script /other.php /more'], [($other = $app->ask('/other.php/more'))[0], $other[2]]);
        $this->same('a static file', [200, "body { color: green }\n"], [($css = $app->ask('/style.css'))[0], $css[2]]);
        $this->same('no source code, nothing above the document root', [false, false], [str_contains($app->ask('/index.php')[2], '<?php'), str_contains($app->ask('/../functions.php')[2], 'function used')]);
        $this->same('a fatal error ends its request alone', [500, 200], [$app->ask('/fatal')[0], $app->ask('/')[0]]);
        $began = microtime(true);
        $this->same('a request that waits too long', 504, $app->ask('/slow')[0]);
        $this->check('it ends at its limit', microtime(true) - $began < 5.0);
        $app->ask('/busy');
        $this->check('one that computes too long ends as well, and the application goes on', $app->ask('/')[0] === 200 && microtime(true) - $began < 15.0, $app->output());

        file_put_contents("{$app->folder}/public/ini.php", '<?php echo json_encode(array_map(ini_get(...), ["opcache.enable_cli", "opcache.jit", "opcache.jit_buffer_size", "opcache.max_accelerated_files"]));');
        $expected = array_map(static fn (string $name, string $else): string => (string) (get_cfg_var($name) === false ? $else : get_cfg_var($name)), ['opcache.enable_cli', 'opcache.jit', 'opcache.jit_buffer_size', 'opcache.max_accelerated_files'], ['1', 'tracing', '0', '20000']);
        $this->same('opcache is on in production, but for what php.ini says', $expected, json_decode($app->ask('/ini.php')[2], true));

        $isKept = 'echo json_encode(!function_exists("opcache_is_script_cached") || !ini_get("opcache.enable_cli") || opcache_is_script_cached(__FILE__));';
        foreach (['written' => static fn (): array => [0], 'deployed' => static fn (): array => Application::run(['reload', $app->folder])] as $name => $load) {
            file_put_contents("{$app->folder}/public/{$name}.php", "<?php {$isKept}");
            $load();
            $this->check("opcache keeps a file that was {$name} after the start", Server::until(15.0, static fn (): bool => $app->ask("/{$name}.php")[2] === 'true'));
        }

        [$status, $output] = Application::run(['status', $app->folder, '--format=json']);
        $facts = json_decode($output, true);
        $this->same('status', [0, true, $app->pid(), ["http://127.0.0.1:{$app->port}/"], 'plain'], [$status, $facts['running'] ?? null, $facts['pid'] ?? null, $facts['urls'] ?? null, $facts['kind'] ?? null]);
        $this->check('status: workers with their numbers', ($facts['places'][0]['requests'] ?? 0) > 0 && $facts['places'][0]['rss'] > 1 << 20 && $facts['places'][0]['state'] === 'serving', $output);
        [$status, $output] = Application::run(['status', $app->folder]);
        $this->check('status as text', $status === 0 && preg_match('/^ *0 +\d+ +serving +\d+ .* MiB +0:00:\d\d *$/m', $output) === 1, $output);
        file_put_contents("{$app->folder}/functions.php", str_replace('version 1', 'version 2', (string) file_get_contents("{$app->folder}/functions.php")));
        Application::run(['reload', $app->folder]);
        $this->check('reload brings the new code', Server::until(10.0, fn (): bool => str_contains($app->ask('/')[2], 'version 2')));
        [$status, $output] = Application::run(['serve', $app->folder, '--listen=127.0.0.1:0']);
        $this->check('a second server of the same folder is refused', $status === 1 && str_contains($output, 'is served already'), $output);
        [$status] = Application::run(['stop', $app->folder]);
        $this->same('stop', [0, false], [$status, $app->alive()]);
        $this->same('status then', 1, Application::run(['status', $app->folder])[0]);
    }

    public function testExitOfFrontControllers(): void
    {
        $this->inEachIsolation([
            'caught' => 'try { echo "a"; exit("text"); } catch (Throwable) { echo "caught"; } finally { echo "finally"; }',
            'nested' => 'ob_start(); array_map(function ($status) { try { exit($status); } finally { ob_end_clean(); } }, [json_encode(["b" => 1])]);',
            'number' => 'register_shutdown_function(fn () => print("the end")); exit(3);',
            'late' => 'register_shutdown_function(function () { try { exit("last"); } catch (Throwable) { echo "caught"; } }); register_shutdown_function(fn () => print("never")); echo "first, ";',
        ], function (Application $app): void {
            $this->same('no catch and no finally sees exit', [200, 'atext'], self::briefly($app->ask('/caught.php')));
            $this->same('its text is printed where it stands, also in a function that PHP calls', [200, '{"b":1}'], self::briefly($app->ask('/nested.php')));
            $this->same('a number is not printed', [200, 'the end'], self::briefly($app->ask('/number.php')));
            $this->same('exit in a shutdown function', [200, 'first, last'], self::briefly($app->ask('/late.php')));
        });
    }

    public function testExceptionHandlersOfFrontControllers(): void
    {
        $this->inEachIsolation([
            'handled' => 'set_exception_handler(function (Throwable $thrown) { http_response_code(503); echo "told: ", $thrown->getMessage(); }); echo "a part, "; throw new DomainException("failed");',
            'again' => 'set_exception_handler(fn () => throw new LogicException("failed again")); throw new DomainException("failed");',
            'exits' => 'set_exception_handler(fn () => exit("the end")); throw new DomainException("failed");',
        ], function (Application $app): void {
            $this->same('the handler of exceptions makes the response', [503, 'a part, told: failed'], self::briefly($app->ask('/handled.php')));
            $this->same('unless it throws', [500, true], [($answer = $app->ask('/again.php'))[0], str_contains($answer[2], 'failed again')]);
            $this->same('it may exit', [200, 'the end'], self::briefly($app->ask('/exits.php')));
        });
    }

    public function testClientsThatLeaveFrontControllers(): void
    {
        $app = new Application('plain');
        foreach (['ends' => '', 'stays' => 'ignore_user_abort(true);'] as $name => $code) {
            file_put_contents("{$app->folder}/public/{$name}.php", "<?php {$code} " . 'register_shutdown_function(fn () => file_put_contents(__DIR__ . "/told", (string) connection_status()));
                while (($left ??= 0) < 3) { echo "part\n"; @ob_flush(); flush(); usleep(10_000); $left += connection_aborted(); } file_put_contents(__DIR__ . "/knows", $left);');
        }
        file_put_contents("{$app->folder}/public/status.php", '<?php echo connection_status();');
        foreach (['sequential', 'coroutine'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}"]), $app->output());
            foreach (['ends' => false, 'stays' => true] as $name => $goesOn) {
                $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["GET /{$name}.php HTTP/1.1\r\nHost: a\r\n\r\n"]);
                $this->check('a client leaves', str_contains($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'part')), 'part'));
                $peer->close();
                $told = "{$app->folder}/public/told";
                $this->check('its script learns of it when it prints', Server::until(10.0, static fn (): bool => is_file($told) && file_get_contents($told) === '1'));
                $this->same($goesOn ? 'and goes on, as it has asked for' : 'and ends', $goesOn, is_file("{$app->folder}/public/knows"));
                @unlink($told);
                @unlink("{$app->folder}/public/knows");
            }
            $this->same('the next request has a client', [200, '0'], self::briefly($app->ask('/status.php')));
            $app->stop();
        }
    }

    public function testHeaderFieldsOfFrontControllers(): void
    {
        $this->inEachIsolation([
            'nothing' => 'header_register_callback(fn () => header("X-Late: yes")); http_response_code(404);',
            'flush' => 'header_register_callback(fn () => header("X-Late: yes")); flush(); echo "text";',
            'names' => 'header("X-Many: 1"); header("x-many: 2", false); header("X-MANY: 3", false);',
            'line' => 'header("HTTP/1.1 404 Nothing Here"); echo "text";',
            'line-later' => 'header("HTTP/1.1 404 Nothing Here"); http_response_code(410);',
            'line-code' => 'header("HTTP/1.0 503 Back Soon", true, 503); header("Status: 200 OK");',
            'status' => 'header("status: 404 Nothing Here"); echo "text";',
            'status-number' => 'http_response_code(302); header("Location: /"); header("Status: 301");',
            'status-odd' => 'header("Status: 99"); header("Status: 40x", false);',
            'type-removed' => 'header("Content-Type: text/csv"); header_remove();',
            'type-none' => 'ini_set("default_mimetype", "");',
            'type-kept' => 'header("X-Other: 1"); header_remove();',
        ], function (Application $app, string $isolation): void {
            foreach (['/nothing.php' => [404, ''], '/flush.php' => [200, 'text']] as $path => $expected) {
                $head = ($answer = $app->ask($path))[1];
                $this->same("{$path}: a type, and what is added when the header is complete", [...$expected, true, true], [...self::briefly($answer), str_contains($head, "\r\nX-Late: yes"), str_contains($head, 'text/html; charset=UTF-8')]);
            }
            $lines = ['line' => '404 Nothing Here', 'line-later' => $isolation === 'process' ? '404 Nothing Here' : '410 Gone', 'line-code' => '503 Back Soon', 'status' => '404 Nothing Here', 'status-number' => '301 Moved Permanently', 'status-odd' => '200 OK'];
            foreach ($lines as $name => $line) {
                [, $head] = $app->ask("/{$name}.php");
                $this->same("{$name}: the first line, and no field Status", [$line, false], [preg_match('/^HTTP\/1.1 (.*?)\r?$/m', $head, $found) ? $found[1] : '', stripos($head, "\nStatus:") !== false]);
            }
            foreach (['type-removed' => 0, 'type-none' => 0, 'type-kept' => 1] as $name => $types) {
                $this->same("{$name}: a field Content-Type where PHP has one", $types, preg_match_all('/^Content-Type:/mi', $app->ask("/{$name}.php")[1]));
            }
            $this->same('a field has all its values, however its name is spelled', ['1', '2', '3'], preg_match_all('/^X-Many: (\d)\r?$/mi', $app->ask('/names.php')[1], $found) ? $found[1] : []);
        });
    }

    public function testWhatFrontControllersKnowOfARequest(): void
    {
        $this->inEachIsolation([
            'filter' => 'echo json_encode([filter_input(INPUT_GET, "a"), filter_input(INPUT_POST, "b", FILTER_VALIDATE_INT), filter_input(INPUT_POST, "c", FILTER_VALIDATE_INT), filter_input(INPUT_GET, "list", FILTER_DEFAULT, FILTER_REQUIRE_ARRAY),
                filter_input(INPUT_GET, "none"), filter_input(INPUT_GET, "none", FILTER_VALIDATE_INT, ["options" => ["default" => 9]]), filter_input(INPUT_COOKIE, "d"), filter_input(INPUT_SERVER, "REQUEST_METHOD"),
                filter_input_array(INPUT_POST, ["b" => FILTER_VALIDATE_INT, "none" => FILTER_DEFAULT]), filter_has_var(INPUT_GET, "a"), filter_has_var(INPUT_GET, "b")]);',
            'form' => 'echo json_encode([$_POST, $_FILES, $_REQUEST, file_get_contents("php://input")]);',
            'cookies' => 'echo json_encode([$_COOKIE, $_SERVER["HTTP_COOKIE"]]);',
            'server' => 'echo json_encode([$_SERVER["PATH_TRANSLATED"] ?? null, $_SERVER["PHP_AUTH_DIGEST"] ?? null]);',
            'fields' => 'echo json_encode([array_intersect_key(getallheaders(), ["X-Given-Name" => 1, "Content-Type" => 1]), apache_request_headers() === getallheaders()]);',
        ], function (Application $app): void {
            $form = ['Content-Type: application/x-www-form-urlencoded'];
            $this->same('filter_input() and its kin', '["1",7,false,["2","3"],null,9,"x","POST",{"b":7,"none":null},true,false]', $app->ask('/filter.php?a=1&list[]=2&list[]=3', 'b=7&c=eight', [...$form, 'Cookie: d=x'])[2]);
            $this->same('a form of another method is not read', '[[],[],{"q":"1"},"a=1"]', $app->ask('/form.php?q=1', 'a=1', $form, 'PUT')[2]);
            $this->same('names of cookies', '[{"a":{"b":"1","c":"x y+%"},"d_e":"2","f":"3"},"a[b]=1; a[c]=x%20y+%25; d.e=2; f=3; f=4"]', $app->ask('/cookies.php', '', ['Cookie: a[b]=1; a[c]=x%20y+%25; d.e=2; f=3; f=4'])[2]);
            $this->same('a plus sign is one', '[{"a":"x+y"},"a=x+y"]', $app->ask('/cookies.php', '', ['Cookie: a=x+y'])[2]);
            $this->same('nothing of the program that serves', '[null,"username=\"x\""]', $app->ask('/server.php', '', ['Authorization: Digest username="x"'])[2]);
            $this->same('getallheaders()', [['Content-Type' => 'text/plain', 'X-Given-Name' => '1'], true], self::sortedFields($app->ask('/fields.php', 'text', ['X-Given-Name: 1', 'content-type: text/plain'])[2]));
        });
    }

    public function testFoldersWithAPageOfTheirOwn(): void
    {
        $app = new Application('plain');
        foreach (['pages', 'both', '.hidden'] as $folder) {
            mkdir("{$app->folder}/public/{$folder}");
            file_put_contents("{$app->folder}/public/{$folder}/index.html", "<p>page of {$folder}</p>");
        }
        file_put_contents("{$app->folder}/public/both/index.php", '<?php echo "script";');
        symlink('/etc', "{$app->folder}/public/outside");
        foreach (['sequential', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}"]), $app->output());
            [$status, $head, $body] = $app->ask('/pages/');
            $this->same('index.html', [200, '<p>page of pages</p>', true], [$status, $body, str_contains($head, 'Content-Type: text/html')]);
            $this->same('index.php comes first', [200, 'script'], self::briefly($app->ask('/both/')));
            $this->same('without its slash', [301, '/pages/?a=b'], [($answer = $app->ask('/pages?a=b'))[0], preg_match('/^Location: (.*?)\r?$/mi', $answer[1], $found) ? $found[1] : '']);
            $this->same('a folder without a page of its own is not listed', 403, $app->ask('/outside/')[0]);
            foreach (['/', '/.hidden/', '/nothing/'] as $path) {
                $this->same("{$path} is the front controller's", '/index.php', json_decode(explode('|', $app->ask($path)[2])[0], true)['script'] ?? null);
            }
            $this->same('a form to a page without a script is refused, as by nginx', 405, $app->ask('/pages/', 'a=b', ['Content-Type: application/x-www-form-urlencoded'])[0]);
            $app->stop();
        }
        rename("{$app->folder}/public/index.php", "{$app->folder}/index.php");
        rename("{$app->folder}/public", "{$app->folder}/pages");
        rename("{$app->folder}/pages/pages", "{$app->folder}/pages/sub");
        file_put_contents("{$app->folder}/pages/index.txt", 'not for everybody');
        $this->check('the document root is the folder itself: served', $app->serve(['--workers=1']), $app->output());
        $this->same('a text of it is not sent', false, str_contains($app->ask('/pages/index.txt')[2], 'not for everybody'));
        $this->same('its pages are', [200, '<p>page of pages</p>'], self::briefly($app->ask('/pages/sub/')));
        $app->stop();
        $this->check('it is named as the document root: served', $app->serve(['--workers=1', '--document-root=.']), $app->output());
        $this->same('its texts are sent then', [200, 'not for everybody'], self::briefly($app->ask('/pages/index.txt')));
    }

    public function testPagesOfShutdownFunctions(): void
    {
        $this->inEachIsolation([
            'page' => 'ob_start(); echo "a part"; register_shutdown_function(function () { $e = error_get_last(); http_response_code(503); header("Retry-After: 60"); echo $e["type"], " ", strtok($e["message"], "\n"), " ", basename($e["file"]), ":", $e["line"]; }); throw new LogicException("on purpose");',
            'silent' => 'echo "a part"; register_shutdown_function(function () { header("X-Late: yes"); }); throw new LogicException("on purpose");',
            'plain' => 'echo json_encode([error_get_last(), ob_get_level()]);',
        ], function (Application $app, string $isolation): void {
            $isAsWithFpm = $isolation === 'process';
            [$status, $head, $body] = $app->ask('/page.php');
            $this->same('what shutdown functions print after an exception is the response, and what was printed before is not', [$isAsWithFpm ? 500 : 503, true, ($isAsWithFpm ? 'a part' : '') . "1 Uncaught LogicException: on purpose in {$app->folder}/public/page.php:1 page.php:1"], [$status, str_contains($head, 'Retry-After: 60'), $body]);
            [$status, , $body] = $app->ask('/silent.php');
            $this->same('where they print nothing there is the page of errors', $isAsWithFpm ? [500, false, true] : [500, true, false], [$status, str_contains($body, 'went wrong'), str_contains($body, 'a part')]);
            $this->same('the next request knows nothing of it', [200, '[null,1]'], self::briefly($app->ask('/plain.php')));
            $this->same('the log has the exception', true, str_contains($app->output(), 'LogicException: on purpose'));
        }, ['--env=prod']);
    }

    public function testWhatPgConnectKeeps(): void
    {
        $database = Database::postgres();
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/begin.php", <<<PHP
            <?php
            set_error_handler(function (int \$number, string \$text): void { echo \$text; });
            \$connection = pg_connect('host=127.0.0.1 port={$database->port} user=postgres');
            echo pg_transaction_status(\$connection) === PGSQL_TRANSACTION_IDLE ? 'idle' : 'in the transaction of another request';
            pg_query(\$connection, 'BEGIN');
            PHP);
        foreach (['sequential', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}"]), $app->output());
            $this->same('a connection ends with its request', ['idle', 'idle'], [$app->ask('/begin.php')[2], $app->ask('/begin.php')[2]]);
            $app->stop();
        }
    }

    public function testFoldersWithAFrontControllerOfTheirOwn(): void
    {
        $this->inEachIsolation(['admin/index' => 'echo json_encode([$_SERVER["SCRIPT_NAME"], $_SERVER["PHP_SELF"], $_SERVER["REQUEST_URI"], getcwd() === __DIR__]);'], function (Application $app): void {
            $this->same('a folder', [200, '["\/admin\/index.php","\/admin\/index.php","\/admin\/?a=b",true]'], self::briefly($app->ask('/admin/?a=b')));
            foreach (['/admin?a=b' => '/admin/?a=b', '//admin' => '/admin/'] as $path => $location) {
                $this->same("{$path}: without its slash", [301, $location], [($answer = $app->ask($path))[0], preg_match('/^Location: (.*?)\r?$/mi', $answer[1], $found) ? $found[1] : '']);
            }
            foreach (['/admin/nothing', '/admin/../', '/nothing/'] as $path) {
                $this->same("{$path} is the front controller's", '/index.php', json_decode(explode('|', $app->ask($path)[2])[0], true)['script'] ?? null);
            }
            $this->same('a path above the root is none', 400, $app->ask('/../public/')[0]);
        });
    }

    /**
     * @param array<string, string> $scripts code by the name of the file in the document root
     * @param list<string> $options
     */
    private function inEachIsolation(array $scripts, \Closure $check, array $options = []): void
    {
        $app = new Application('plain');
        foreach ($scripts as $name => $code) {
            is_dir(dirname($file = "{$app->folder}/public/{$name}.php")) || mkdir(dirname($file));
            file_put_contents($file, "<?php {$code}");
        }
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', "--isolation={$isolation}", ...$options]), $app->output());
            $check($app, $isolation);
            $check($app, $isolation); // nothing is left of the first time
            $app->stop();
        }
    }

    /** @return array<mixed> */
    private static function sortedFields(string $json): array
    {
        $all = json_decode($json, true) ?? [[], false];
        ksort($all[0]);
        return $all;
    }

    /**
     * @param array{int, string, string} $answer
     * @return array{int, string} status and body
     */
    private static function briefly(array $answer): array
    {
        return [$answer[0], $answer[2]];
    }

    public function testDevelopment(): void
    {
        $app = new Application('plain');
        $this->check('development shows where it failed', $app->serve(['--workers=1', '--watch']) && preg_match('/thrown on purpose.*index\.php.*class="here"/s', $app->ask('/throw')[2]) === 1);
        file_put_contents("{$app->folder}/functions.php", '<?php function used(): string { return "version 3"; }');
        $this->check('a changed file is noticed', Server::until(10.0, fn (): bool => str_contains($app->ask('/')[2], 'version 3')), $app->output());
        file_put_contents("{$app->folder}/functions.php", '<?php function used(: string {');
        $this->check('a syntax error is shown, the code before goes on', Server::until(10.0, fn (): bool => str_contains($app->output(), 'Not reloaded')) && str_contains($app->ask('/')[2], 'version 3'), $app->output());
        $app->stop();
    }

    public function testInTheBackground(): void
    {
        $app = new Application('plain');
        $serve = ['serve', $app->folder, '--daemon', '--workers=1', "--listen=127.0.0.1:{$app->port},127.0.0.1:0"];
        [$status, $output] = Application::run([...$serve, '--bridge=psr15', '--entry=public/other.php']);
        $this->check('an application that does not boot is told of, as in the foreground', $status === 1 && str_contains($output, 'does not boot') && substr_count($output, 'returns nothing') === 1, "{$status}: {$output}");
        [$status, $output] = Application::run($serve);
        $this->check('the command ends when the application is served, on both addresses', $status === 0 && str_contains($output, "Listening on http://127.0.0.1:{$app->port}/, http://127.0.0.1:"), "{$status}: {$output}");
        $this->same('it is', 200, $app->ask('/')[0]);
        [$status, $output] = Application::run($serve);
        $this->check('a second one is refused', $status === 1 && substr_count($output, 'is served already') === 1, "{$status}: {$output}");
        $this->same('reload and stop', [0, 0, 1], [Application::run(['reload', $app->folder])[0], Application::run(['stop', $app->folder])[0], Application::run(['status', $app->folder])[0]]);
    }

    public function testAFolderByTheNameOfALink(): void
    {
        $app = new Application('plain');
        $current = "{$app->folder}-current";
        $next = "{$app->folder}-next";
        file_put_contents("{$app->folder}/functions.php", '<?php function used(): string { return "version 4"; }');
        exec('cp -r ' . escapeshellarg($app->folder) . ' ' . escapeshellarg($next));
        file_put_contents("{$next}/functions.php", '<?php function used(): string { return "version 5"; }');
        file_put_contents("{$next}/public/style.css", "body { color: blue }\n");
        symlink($app->folder, $current);
        $this->check('a folder by the name of a link', $app->serve(['--workers=3', '--server={"worker_start_num":1}'], $current) && str_contains($app->ask('/')[2], 'version 4'), $app->output());
        unlink($current);
        symlink($next, $current);
        $this->same('the link leads elsewhere: the server is still known by its name', 0, Application::run(['reload', $current])[0]);
        $this->check('a reload follows the link', Server::until(10.0, fn (): bool => str_contains($app->ask('/')[2], 'version 5')), $app->ask('/')[2]);
        $this->same('a script of its own below a root with a link', [200, 'another script /other.php /more'], [($other = $app->ask('/other.php/more'))[0], $other[2]]);
        $this->same('files, too', "body { color: blue }\n", $app->ask('/style.css')[2]);

        $states = static fn (): array => array_column(json_decode(Application::run(['status', $current, '--format=json'])[1], true)['places'], 'state');
        $this->check('one of three places has a worker', Server::until(10.0, static fn (): bool => $states() === ['serving', 'off', 'off']), json_encode($states()));
        [$status, $output] = Application::run(['scale', '2', $current]);
        $this->same('scale', [0, "Process {$app->pid()} has 2 of 3 workers from now on.\n"], [$status, $output]);
        $this->check('it is done', Server::until(10.0, static fn (): bool => $states() === ['serving', 'serving', 'off']), json_encode($states()));
        foreach (['4' => 'from 1 to 3', 'x' => 'a whole number'] as $number => $sentence) {
            [$status, $output] = Application::run(['scale', (string) $number, $current]);
            $this->check("scale {$number}: refused", $status === 1 && str_contains($output, $sentence), $output);
        }
        $app->stop();
        exec('rm -rf ' . escapeshellarg($next) . ' ' . escapeshellarg($current));
    }

    public function testMistakesAndCommandsWithoutAServer(): void
    {
        $app = new Application('plain');
        foreach ([
            'a wrong key' => [['serve', $app->folder, '--config=' . $app->folder . '/wrong.php'], 'did you mean "workers"'],
            'a wrong value' => [['serve', $app->folder, '--workers=many'], 'The option "workers" must be "auto" or a whole number from 1'],
            'a wrong choice' => [['serve', $app->folder, '--isolation=corutine'], 'did you mean "coroutine"'],
            'a folder that is not there' => [['serve', "{$app->folder}/nothing"], 'does not exist'],
            'a folder without an application' => [['serve', sys_get_temp_dir() . '/..'], 'No application was found'],
            'a wrong address' => [['serve', $app->folder, '--listen=nowhere:99999'], 'is no address to listen on'],
            'a wrong address for the workers' => [['serve', $app->folder, '--worker-listen=127.0.0.1:65535', '--workers=2'], 'There is no port 65535 + 1'],
            'an entry that is not there' => [['serve', $app->folder, '--entry=nothing.php'], 'does not exist'],
            'an address without a text' => [['serve', $app->folder, '--listen='], 'The option "listen" must be ADDRESS:PORT'],
            'addresses that are only a comma' => [['serve', $app->folder, '--listen=,'], 'The option "listen" must be ADDRESS:PORT'],
            'more workers than a server can have' => [['serve', $app->folder, '--workers=1000000'], 'a whole number from 1 to 1024'],
            'no workers' => [['serve', $app->folder, '--workers=0'], 'a whole number from 1 to 1024'],
            'a size beyond any number' => [['serve', $app->folder, '--max-body=99999999999G'], 'must be a size such as'],
            'settings without names' => [['serve', $app->folder, '--server=[1]'], 'must be a JSON object of settings'],
            'a health check that is no path' => [['serve', $app->folder, '--health-check=up'], 'must be a path that begins with "/"'],
            'a warm-up that is no path' => [['serve', $app->folder, '--isolation=process', '--warm-up=up'], 'must be a path that begins with "/"'],
        ] as $name => [$arguments, $sentence]) {
            file_put_contents("{$app->folder}/wrong.php", "<?php return ['worker' => 3];");
            [$status, $output] = Application::run($arguments);
            $this->check("{$name} gives one sentence", $status === 1 && str_contains($output, $sentence) && substr_count(trim($output), "\n") === 0, $output);
        }
        foreach ([
            'throws' => ['throw new DomainException("no secret");', 'cannot be used: DomainException: no secret (', 1],
            'has a syntax error' => ['return [;', 'cannot be used: ParseError: syntax error', 1],
            'has a fatal error' => ['nowhere();', 'cannot be used: Error: Call to undefined function nowhere()', 1],
            'exits' => ['exit;', 'ends the command: it must return an array', 1],
            'returns what is no setting' => ['return ["server" => ["x" => STDIN]];', 'The option "server" cannot be written as JSON', 1],
        ] as $name => [$code, $sentence, $expected]) {
            file_put_contents("{$app->folder}/wrong.php", "<?php {$code}");
            [$status, $output] = Application::run(['status', $app->folder, '--format=json', '--config=' . $app->folder . '/wrong.php']);
            $this->check("a configuration that {$name} gives one sentence", $status === $expected && str_contains($output, $sentence) && substr_count(trim($output), "\n") === 0, $output);
        }
        file_put_contents("{$app->folder}/prints.php", "<?php echo 'printed'; return [];");
        $command = implode(' ', array_map(escapeshellarg(...), Application::command(['status', $app->folder, '--format=json', "--config={$app->folder}/prints.php"])));
        $this->same('one that prints does not disturb JSON', ['running' => false], json_decode((string) shell_exec("{$command} 2>/dev/null"), true));
        $this->otherUsers($app->folder);
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($taken, false);
        [$status, $output] = Application::run(['serve', $app->folder, "--listen={$address}"]);
        $this->check('a used port', $status === 1 && str_contains($output, 'in use'), $output);
        foreach ([
            '{"max_connectoin":5}' => 'The option "server" has a setting "max_connectoin" that does not exist (did you mean "max_connection"?).',
            '{"backlog":"x"}' => 'The settings of the server cannot be used: the option [backlog] must be an integer.',
            '{"worker_num":2}' => 'The option "server" must not have the setting "worker_num": use the option "workers".',
            '{"ssl_cert_file":"/nowhere"}' => 'use the option "tls-certificate".',
            '{"ssl_ciphers":"x"}' => 'has no effect: no address of --listen begins with https://.',
        ] as $settings => $sentence) {
            [$status, $output] = Application::run(['serve', $app->folder, "--server={$settings}"]);
            $this->check("settings {$settings} are refused", $status === 1 && str_ends_with($output, "{$sentence}\n"), $output);
        }
        [$status, $output] = Application::run(['config', $app->folder], ['STAMPEDE_WORKERS' => '3']);
        $this->check('config tells where values come from', $status === 0 && preg_match('/workers\s*\|\s*3\s*\|\s*STAMPEDE_WORKERS/', $output) === 1, $output);
        [, $output] = Application::run(['config', $app->folder]);
        $this->check('config tells what "auto" is here', preg_match('/workers\s*\|\s*auto, here [1-9]\d*\s*\|\s*default/', $output) === 1, $output);
        $ini = External::folder();
        file_put_contents("{$ini}/own.ini", "opcache.enable_cli=0\nopcache.jit_buffer_size=1M\n");
        [$status, $output] = Application::run(['config', $app->folder, '--env=prod'], ['PHP_INI_SCAN_DIR' => ":{$ini}"]);
        $this->check('php.ini is stronger than the settings for production', $status === 0 && preg_match('/opcache.enable_cli\s*\|\s*0/', $output) === 1 && preg_match('/opcache.jit_buffer_size\s*\|\s*1M/', $output) === 1, $output);
        [$status] = Application::run(['init', $app->folder]);
        $this->check('init writes a file that can be read', $status === 0 && (require "{$app->folder}/stampede.php") === [] && Application::run(['init', $app->folder])[0] === 1);
        [$status, $output] = Application::run(['nginx', $app->folder, '--listen=127.0.0.1:8000', '--port=' . Server::freePort()]);
        $conf = External::folder();
        file_put_contents("{$conf}/nginx.conf", "pid {$conf}/pid; error_log {$conf}/log; events {} http {\naccess_log off;\n{$output}\n}");
        exec('nginx -t -c ' . escapeshellarg("{$conf}/nginx.conf") . ' 2>&1', $lines, $tested);
        $this->check('nginx understands what is written for it', $status === 0 && $tested === 0, implode("\n", $lines));
        file_put_contents("{$app->folder}/public/index.php", '<?php return;');
        $this->check('an application that does not boot ends the command with a sentence', !$app->serve(['--bridge=psr15', '--entry=public/index.php']) && str_contains($app->output(), 'does not boot'), $app->output());
        unset($app);
    }

    private function otherUsers(string $folder): void
    {
        if (posix_geteuid() !== 0) {
            return;
        }
        chmod("{$folder}/public/index.php", 0);
        $bound = ['setpriv', '--inh-caps=-dac_override,-dac_read_search', '--bounding-set=-dac_override,-dac_read_search']; // by the permissions of files
        exec(implode(' ', array_map(escapeshellarg(...), [...$bound, ...Application::command(['check', $folder])])) . ' 2>&1', $lines, $status);
        chmod("{$folder}/public/index.php", 0644);
        $this->same('a front controller that cannot be read', [1, "The entry file {$folder}/public/index.php cannot be read: mind its permissions, and those of the folders above it."], [$status, implode("\n", $lines)]);
        $process = proc_open(['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', 'sleep', '60'], [['file', '/dev/null', 'r']], $pipes);
        $pid = proc_get_status($process)['pid'];
        $user = posix_getpwnam('nobody')['uid'];
        Server::until(10.0, static fn (): bool => @fileowner("/proc/{$pid}") === $user);
        $file = "{$folder}/theirs.json";
        file_put_contents($file, json_encode(['pid' => $pid]));
        chown($file, 'nobody');
        foreach (['status', 'stop', 'reload'] as $command) {
            [$status, $output] = Application::run([$command, $folder, "--pid-file={$file}"]);
            $this->check("{$command}: another user's server is told of", $status === 1 && str_contains($output, "is served by process {$pid} of the user nobody"), "{$status}: {$output}");
        }
        proc_terminate($process, SIGKILL);
        proc_close($process);
        $this->same('it is not, once it has ended', [1, true], [($gone = Application::run(['status', $folder, "--pid-file={$file}"]))[0], str_contains($gone[1], 'is not served')]);
    }

    public function testSlim(): void
    {
        $app = new Application('slim');
        $this->check('Slim is served', $app->serve(['--workers=1', '--log-format=json']), $app->output());
        [$status, $head, $body] = $app->ask('/hello/you?a=b', '', ['X-Given: field']);
        $this->same('a routed request', [200, 'hello you a=b field', 2], [$status, $body, preg_match_all('/^X-Many: [12]\r?$/m', $head)]);
        $this->same('an upload', [201, '[{"file":7},{"field":"value"},"\/form"]'], [($upload = $app->upload('/form'))[0], $upload[2]]);
        $this->same('a large body', 1_000_000, strlen($app->ask('/large')[2]));
        $this->same('a warning is for the handler that the boot has set', 500, $app->ask('/warning')[0]);
        $this->same('HEAD does not tell of an empty body', false, str_contains($app->ask('/large', method: 'HEAD')[1], 'Content-Length: 0'));
        $this->same('a route that is not there', 404, $app->ask('/nothing')[0]);
        $this->same('exit', [200, 'printed'], self::briefly($app->ask('/exit')));
        $began = microtime(true);
        $peers = array_map(fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 10));
        foreach ($peers as $peer) {
            $peer->send(["GET /hello/x?wait=300000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        }
        $good = array_filter($peers, fn (Peer $peer): bool => Answer::all($peer->readToEnd(), ['GET'])[0]->status === 200);
        $this->check('ten requests that wait 0.3 s each take no 3 s in one worker', count($good) === 10 && microtime(true) - $began < 2.5);
        $line = json_decode(preg_match('/^\{"time":"[^"]*","level":"info","worker":0,"method".*$/m', $app->output(), $found) === 1 ? $found[0] : '', true);
        $this->same('the log is JSON', ['GET', '/hello/you', 200], [$line['method'] ?? null, $line['path'] ?? null, $line['status'] ?? null]);
        unset($app);
    }

    public function testSymfony(): void
    {
        $app = new Application('symfony');
        $this->check('Symfony is served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $this->check('its kind is found', str_contains($app->output(), 'a Symfony application'), $app->output());
        foreach ([1, 2] as $time) {
            $this->same("services are reset between requests ({$time})", ['hello' => 'you', 'mode' => 'web=1&worker=1', 'services' => 1], json_decode($app->ask('/hello/you')[2], true));
        }
        $this->same('a streamed response', "part 1\npart 2\npart 3\n", $app->ask('/stream')[2]);
        $this->same('a file', (string) file_get_contents("{$app->folder}/src/Kernel.php"), $app->ask('/file')[2]);
        $this->same('a part of a file', [206, substr((string) file_get_contents("{$app->folder}/src/Kernel.php"), 2, 5)], [($part = $app->ask('/file', '', ['Range: bytes=2-6']))[0], $part[2]]);
        $this->same('an uploaded file', ['size' => 7, 'name' => 'a.txt', 'fields' => ['field' => 'value']], json_decode($app->upload('/form')[2], true));
        [, $head, $body] = $app->ask('/visits');
        $session = self::cookieOf($head, 'PHPSESSID');
        $this->same('a session', ['visits 1', 'visits 2', 'visits 1'], [$body, $app->ask('/visits', '', ["Cookie: {$session}"])[2], $app->ask('/visits')[2]]);
        $this->check('each request begins without one', str_contains(strtolower($app->ask('/visits')[1]), 'x-before: none'));
        $this->same('a route that is not there', 404, $app->ask('/nothing')[0]);
        $this->exits($app);
        $app->ask('/late/reset');
        $this->same('a service that cannot be reset does not fail the next request', [200, 1], [($next = $app->ask('/hello/you'))[0], json_decode($next[2], true)['services'] ?? 0]);
        $this->check('and the log says it', str_contains($app->output(), 'A service could not be reset after its request'), $app->output());
        foreach (['return', 'exit', 'throw', 'return'] as $end) {
            $app->ask("/transaction/{$end}");
            $this->same("a transaction that a request has left open is ended ({$end}), and what was printed comes before the body", '00 before', $app->ask('/transaction/return')[2]);
        }
        unset($app);
    }

    public function testResponsesOfSymfony(): void
    {
        $app = new Application('symfony');
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}: served", $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}"]), $app->output());
            foreach (['bare' => 'second', 'clean' => 'second', 'exit' => 'first second third', 'usual' => 'first second'] as $kind => $body) {
                $this->same("a stream ({$kind})", [200, $body, true], [($answer = $app->ask("/streamed/{$kind}"))[0], $answer[2], !str_contains($app->output(), 'second')]);
            }
            [$status, , $body] = $app->ask('/streamed/throw');
            $this->same('one that throws before anything has left: a page of errors', [500, false], [$status, str_starts_with($body, 'first')]);
            $this->same('one that throws later does not look like the whole', false, $this->isWhole($app, '/streamed/throw-later'));
            $this->same('an Error is for the listeners of the kernel, too', [500, true], [($answer = $app->ask('/error'))[0], str_contains($answer[2], 'Oops! An Error Occurred')]);
            $this->same('the words of a status', 1, preg_match('~^HTTP/1.1 299 Own Words\r?$~m', $app->ask('/words')[1]));
            $size = filesize("{$app->folder}/src/Kernel.php");
            $this->same('HEAD of a file tells its length, that of a page none', [(string) $size, ''], array_map(fn (string $path): string => preg_match('/^Content-Length: (\d+)/mi', $app->ask($path, method: 'HEAD')[1], $found) ? $found[1] : '', ['/file', '/hello/you']));
            $app->stop();
        }
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $this->check("isolation {$isolation}, development: served", $app->serve(['--workers=1', "--isolation={$isolation}"]), $app->output());
            $this->same('a warning is an exception', [500, 500, 200], [$app->ask('/warning')[0], $app->ask('/warning')[0], $app->ask('/hello/you')[0]]);
            $app->stop();
        }
        $this->check('served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $this->same('a warning in production', [200, 'after '], self::briefly($app->ask('/warning')));
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET /streamed/endless HTTP/1.1\r\nHost: a\r\n\r\n"]);
        Server::until(10.0, static fn (): bool => is_file("{$app->folder}/loops"));
        unset($peer);
        $this->same('the client of a stream has left: it ends', 200, $app->ask('/hello/you')[0]);
        $this->check('before its own end', (int) file_get_contents("{$app->folder}/loops") < 1999);
        unset($app);
    }

    private function isWhole(Application $app, string $path): bool
    {
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET {$path} HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $bytes = $peer->readToEnd(30.0);
        return !str_contains($bytes, 'first') || str_ends_with($bytes, "\r\n0\r\n\r\n");
    }

    public function testLaravel(): void
    {
        $app = new Application('laravel');
        $this->check('Laravel is served', $app->serve(['--workers=1']), $app->output());
        foreach (['one', 'two'] as $name) {
            $this->same("what a request binds and sets is gone with it ({$name})", ['hello' => $name, 'query' => ['a' => $name], 'same' => true, 'url' => 'http://localhost/x', 'bound' => false, 'setting' => null], json_decode($app->ask("/hello/{$name}?a={$name}")[2], true));
        }
        [, $head, $body] = $app->ask('/visits');
        $session = self::cookieOf($head, 'visits');
        $this->same('its session', ['visits 1', 'visits 2', 'visits 1'], [$body, $app->ask('/visits', '', ["Cookie: {$session}"])[2], $app->ask('/visits')[2]]);
        $this->same('a route that is not there', 404, $app->ask('/nothing')[0]);
        $this->same('superglobals and header()', [200, '{"given":"x y"}', true], [...self::briefly($answer = $app->ask('/native?given=x+y')), str_contains($answer[1], 'X-Native: yes')]);
        $this->exits($app);
        foreach (['exit' => '0', 'return' => '00 before'] as $end => $text) {
            $this->same("a transaction that a request has left open is ended ({$end})", [$text, $text], [$app->ask("/transaction/{$end}")[2], $app->ask("/transaction/{$end}")[2]]);
        }
        $app->stop();
        $app->serve(['--workers=1', '--isolation=process']);
        $this->exits($app);
        $app->stop();
        foreach (['sequential', 'coroutine'] as $isolation) {
            $app->serve(['--workers=1', "--isolation={$isolation}", '--request-timeout=1']);
            $app->ask('/hello/first');
            $peers = array_map(fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(0, 4));
            foreach ($peers as $i => $peer) {
                $peer->send(['GET ' . ($i === 0 ? '/fatal' : "/hello/{$i}") . " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            }
            $bodies = array_map(static fn (Peer $peer): array => [($answer = Answer::all($peer->readToEnd(), ['GET'])[0])->status, json_decode($answer->body, true)], $peers);
            $this->same("isolation {$isolation}: a fatal error is 500", 500, $bodies[0][0]);
            foreach (range(1, 4) as $i) {
                $this->same("what its request has set is not there in one that waited ({$i})", [200, ['hello' => (string) $i, 'bound' => false, 'setting' => null]], [$bodies[$i][0], array_intersect_key((array) $bodies[$i][1], ['hello' => 1, 'bound' => 1, 'setting' => 1])]);
            }
            foreach (['throw', 'exit', 'sleep', 'loop'] as $how) {
                $this->same("a destructor of the container, {$how}", [200, 'made'], self::briefly($app->ask("/destructs/{$how}")));
                $began = microtime(true);
                [$status, , $body] = $app->ask('/hello/next');
                $this->same("a destructor of the container, {$how}, takes nothing of its request into the next one", [200, ['bound' => false, 'setting' => null]], [$status, array_intersect_key((array) json_decode($body, true), ['bound' => 1, 'setting' => 1])]);
                $this->check('which is not held for longer than the time limits of two destructors', microtime(true) - $began < 10.0);
            }
            $app->stop();
        }
        $services = null;
        foreach (['process', 'sequential', 'coroutine'] as $isolation) {
            $app->serve(['--workers=1', "--isolation={$isolation}"]);
            $this->same("isolation {$isolation}: a warning is for the handler of the application", 500, $app->ask('/warning')[0]);
            $this->same('queries of one request are in its log', ['1', '1'], [$app->ask('/queries')[2], $app->ask('/queries')[2]]);
            $services ??= $app->ask('/services')[2];
            $this->same('services that the boot has made are each request\'s as after the boot', [$services, $services], [$app->ask('/services')[2], $app->ask('/services')[2]]);
            $app->stop();
        }
        $this->check('what they are', str_starts_with($services, '["en","en",false,0,false,'), $services);
        unset($app);
    }

    /** What an application of a framework has printed when it exits. */
    private function exits(Application $app): void
    {
        foreach ([1, 2] as $time) {
            [$status, $head, $body] = $app->ask('/exit');
            $this->same("exit in a controller ({$time})", [202, "a,b\n", true, true], [$status, $body, str_contains($head, 'text/csv'), str_contains($head, 'X-Native: yes')]);
            [$status, $head, $body] = $app->ask('/dd');
            $this->same("dd() ({$time})", [200, true, true], [$status, str_contains($head, 'text/html'), str_contains($body, '<pre class=sf-dump')]);
            $this->same("what comes next ({$time})", 200, $app->ask('/visits')[0]);
            $this->same("what shutdown functions print after exit is in the response ({$time})", [200, "exited late\nFORGED \x1b[31m"], self::briefly($app->ask('/late/exit')));
            $this->same("what they print after a response is not ({$time})", [200, 'returned'], self::briefly($app->ask('/late/return')));
        }
        $this->check('but one message of the log', Server::until(5.0, static fn (): bool => str_contains($app->output(), 'Printed after the response: late')) && !str_contains($app->output(), "\nFORGED") && !str_contains($app->output(), "\x1b"), $app->output());
    }

    private static function cookieOf(string $head, string $name): string
    {
        return preg_match("/^Set-Cookie: ({$name}=[^;\r]+)/mi", $head, $found) ? $found[1] : '';
    }
}
