<?php

declare(strict_types=1);

/* The command stampede where strangers can reach it: PHP's limits and messages, logs, hosts, what development shows. */

namespace Stampede\Tests\E2e;

final class launcher_exposed_test extends EndToEndTest
{
    private const WITHOUT_INI = ['-n', '-d', 'extension=posix.so', '-d', 'extension=ctype.so', '-d', 'extension=tokenizer.so'];

    public function testMessagesOfPhp(): void
    {
        $app = self::app('if (isset($_GET["file"])) { fopen($_GET["file"], "r"); } echo "end";');
        foreach (['prod' => '<b>Warning</b>:  fopen(&lt;i&gt;x): Failed', 'dev' => ''] as $environment => $hidden) {
            foreach (['sequential', 'process', 'coroutine'] as $isolation) {
                $this->check("{$isolation} in {$environment} is served", $app->serve(['--workers=1', "--env={$environment}", "--isolation={$isolation}"], arguments: self::WITHOUT_INI), $app->output());
                $body = $app->ask('/?file=%3Ci%3Ex')[2];
                $this->check("{$isolation} in {$environment}: what the client sent is no HTML", !str_contains($body, '<i>x') && str_ends_with($body, 'end'), $body);
                $this->same("{$isolation}: errors are shown in development alone", $environment === 'dev', str_contains($body, '&lt;i&gt;x'));
                $app->stop();
            }
        }
    }

    public function testLimitsOfPhp(): void
    {
        $app = self::app('if (isset($_GET["mb"])) { $x = str_repeat("x", $_GET["mb"] << 20); } echo json_encode([count($_COOKIE), count($_POST), count($_FILES), ini_get("memory_limit")]), $_FILES["file"]["error"] ?? "";');
        file_put_contents("{$app->folder}/php.ini", "memory_limit = 48M\npost_max_size = 1M\nmax_input_vars = 50\nupload_max_filesize = 3M\n");
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--php-ini={$app->folder}/php.ini", '--ini={"upload_max_filesize":"5M"}']), $app->output());
        $this->check('the start says which php.ini counts', str_contains($app->output(), "{$app->folder}/php.ini: memory_limit 256M (command line), upload_max_filesize 5M."), $app->output());
        $this->same('more cookies than max_input_vars', '[50,0,0,"256M"]', $app->ask('/', '', ['Cookie: ' . implode('; ', array_map(static fn (int $i): string => "c{$i}=1", range(1, 80)))])[2]);
        $this->same('a form', '[0,1,0,"256M"]', $app->ask('/', 'a=b', ['Content-Type: application/x-www-form-urlencoded'])[2]);
        $this->same('a form above post_max_size', '[0,0,0,"256M"]', $app->ask('/', 'a=' . str_repeat('b', 2 << 20), ['Content-Type: application/x-www-form-urlencoded'])[2]);
        $this->same('a file', '[0,1,1,"256M"]0', $app->upload('/')[2]);
        $this->check('it is in the log', Server::until(5.0, static fn (): bool => preg_match('/exceeds (post_max_size|the limit of)/', $app->output()) === 1), $app->output());
        $app->stop();
        $this->check('with small files alone', $app->serve(['--workers=1', '--env=prod', '--ini={"upload_max_filesize":"5"}']), $app->output());
        $this->same('a file above upload_max_filesize', '[0,1,1,"256M"]' . UPLOAD_ERR_INI_SIZE, $app->upload('/')[2]);
        $app->stop();
        $this->check('without a php.ini', $app->serve(['--workers=1', '--env=prod'], arguments: self::WITHOUT_INI), $app->output());
        $this->same('memory has a limit', [200, 500], [$app->ask('/?mb=20')[0], $app->ask('/?mb=200')[0]]);
        $app->stop();
        [$status, $output] = Application::run(['config', $app->folder, "--php-ini={$app->folder}/php.ini"]);
        $this->check('config says where settings come from', $status === 0 && preg_match('~post_max_size +\| 1M +\| ' . preg_quote($app->folder, '~') . '/php.ini~', $output) === 1, $output);
        [$status, $output] = Application::run(['serve', $app->folder, '--php-ini=/nowhere/php.ini']);
        $this->check('a php.ini that is not there', $status === 1 && str_contains($output, 'does not exist'), $output);
    }

    public function testAnApplicationInProductionThatIsServedInDevelopment(): void
    {
        $app = self::app('echo "page";');
        file_put_contents("{$app->folder}/.env", "A=b\nAPP_ENV=production\n");
        foreach ([[[], true], [['--env=prod'], false], [['--env=dev'], false]] as [$options, $warns]) {
            $this->check('it is served', $app->serve(['--workers=1', ...$options]), $app->output());
            $this->same('the start says so: ' . implode(' ', $options), $warns, str_contains((string) preg_replace('/\s+/', ' ', $app->output()), "APP_ENV in {$app->folder}/.env says that the application is in production"));
            $app->stop();
        }
    }

    public function testMemoryOfCommandsBesideRequests(): void
    {
        $app = self::app('echo ini_get("memory_limit");');
        file_put_contents("{$app->folder}/limit.php", '<?php file_put_contents(__DIR__ . "/limit", ini_get("memory_limit")); sleep(60);');
        file_put_contents("{$app->folder}/stampede.php", '<?php return ["background" => ["limit" => ["php", "limit.php"]], "ini" => ["memory_limit" => "77M"]];');
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod'], arguments: [...self::WITHOUT_INI]), $app->output());
        $this->same('requests have the limit of the section', '77M', $app->ask('/')[2]);
        $this->check('a command has that of the command line', Server::until(10.0, static fn (): bool => @file_get_contents("{$app->folder}/limit") === '128M'), (string) @file_get_contents("{$app->folder}/limit"));
    }

    public function testTextOfClientsInTheLog(): void
    {
        $app = self::app('match ($_GET["how"]) { "throw" => throw new RuntimeException($_GET["t"]), "warn" => fopen($_GET["t"], "r"), "log" => error_log($_GET["t"]), "fatal" => trigger_error($_GET["t"], E_USER_ERROR) };');
        $text = "L1\n\e[31mRED\e]0;title\x07\u{85}\n{\"time\":\"2020\",\"status\":200,\"path\":\"/fake\"}\n";
        foreach (['json', 'text'] as $format) {
            foreach (['sequential', 'process'] as $isolation) {
                $this->check("{$format}, {$isolation}: served", $app->serve(['--workers=1', '--env=prod', "--log-format={$format}", "--isolation={$isolation}"], settings: ['display_errors=0', 'log_errors=1']), $app->output());
                foreach (['throw', 'warn', 'log', 'fatal'] as $how) {
                    $app->ask("/?how={$how}&t=" . rawurlencode($text));
                }
                $app->ask('/?how=throw', '', []);
                file_put_contents("{$app->folder}/public/long.php", '<?php throw new RuntimeException(str_repeat("long ", 100000));');
                $app->ask('/long.php');
                $this->check('all is there', Server::until(10.0, static fn (): bool => substr_count($app->output(), 'L1') >= 4 && substr_count($app->output(), '(cut)') >= 1), substr($app->output(), 0, 4000));
                $output = $app->output();
                $this->same('no control character', 0, preg_match('/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/', $output));
                $this->check('a long message is cut', max(array_map(strlen(...), explode("\n", $output))) < 20_000);
                $lines = array_filter(explode("\n", $output), static fn (string $line): bool => str_contains($line, '/fake'));
                $forged = array_filter($lines, static fn (string $line): bool => ($format === 'json' ? json_decode($line)?->path ?? '' : '') === '/fake' || str_starts_with($line, '{"time":"2020'));
                $this->same('no line is the client\'s', [], $forged);
                if ($format === 'json') {
                    $messages = array_filter(array_map(static fn (string $line): mixed => json_decode($line, true), $lines), static fn (mixed $object): bool => is_array($object) && isset($object['level'], $object['message']));
                    $this->same('each message is one object', count($lines), count($messages));
                }
                $app->stop();
            }
        }
    }

    public function testHostsInDevelopment(): void
    {
        $app = self::app('echo "page";');
        $ask = static fn (string $host): int => $app->raw("GET / HTTP/1.1\r\nHost: {$host}\r\nConnection: close\r\n\r\n")[0];
        $this->check('it is served', $app->serve(['--workers=1', '--server-name=app.example.org']), $app->output());
        $own = ['localhost', "localhost:{$app->port}", '127.0.0.1', '127.1.2.3:80', '[::1]:8000', 'shop.localhost', 'shop.test', 'web', 'LOCALHOST', 'localhost.', 'app.example.org'];
        $this->same('hosts of this machine', array_fill_keys($own, 200), array_combine($own, array_map($ask, $own)));
        $foreign = ['evil.example', 'evil.example:8000', '127.0.0.1.evil.example', 'localhost.evil.example', 'test.evil.com', '10.0.0.1', 'evil.local'];
        $this->same('foreign hosts', array_fill_keys($foreign, 403), array_combine($foreign, array_map($ask, $foreign)));
        $this->same('pages of development are no others', 403, $app->raw("GET /.stampede/page.js HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")[0]);
        $app->stop();
        $this->check('in production', $app->serve(['--workers=1', '--env=prod']), $app->output());
        $this->same('each host is served', 200, $ask('evil.example'));
        $app->stop();
        $port = Server::freePort();
        $this->check('beyond this machine', $app->serve(['--workers=1', "--listen=0.0.0.0:{$port}"]), $app->output());
        $this->check('the start says who sees source code', str_contains($app->output(), "0.0.0.0:{$port} can be reached by others") && str_contains($app->output(), '--env=prod'), $app->output());
        $this->same('each host is served there', 200, $ask('shop.example'));
    }

    public function testSecretsOnThePageOfErrors(): void
    {
        $app = self::app('throw new RuntimeException("failed");');
        $this->check('it is served', $app->serve(['--workers=1']), $app->output());
        $hidden = ['login[password]', 'user[profile][pwd]', 'pass', 'passwd', 'access_key', 'sid', 'PHPSESSID', 'code', 'signature', 'csrf', '_token', 'apiKey', 'card', 'a[0][secret]', 'sessionId', 'X-Amz-Signature', 'stripe_card_number', 'pin'];
        $query = implode('&', array_map(static fn (string $name): string => "{$name}=hidden-value", $hidden));
        $fields = ['X-CSRF-Token', 'X-Session-Id', 'X-Auth', 'Authorization', 'Proxy-Authorization', 'X-Api-Key'];
        [$status, , $page] = $app->ask("/?{$query}&shown=shown-value", $query, ['Content-Type: application/x-www-form-urlencoded', 'Cookie: a=hidden-value', "Referer: http://user:hidden-value@localhost/x?token=hidden-value&shown=1", ...array_map(static fn (string $field): string => "{$field}: hidden-value", $fields)]);
        $this->check('values of secrets are hidden', $status === 500 && !str_contains($page, 'hidden-value'), (string) preg_replace('~<style>.*</style>~s', '', $page));
        $this->check('others are shown', str_contains($page, 'shown-value') && str_contains($page, 'shown=1'));
        $this->check('the stack begins with the application', preg_match('~<ol>(.*?)</ol>~s', $page, $stack) === 1 && !str_contains($stack[1], 'php/src/'), $stack[1] ?? $page);
    }

    public function testReasonsOfFailures(): void
    {
        $app = self::app('match ($_GET["how"] ?? "") { "handler" => (static function () { set_exception_handler(static function () { http_response_code(500); echo "page of its own"; }); throw new LogicException("caught by the handler"); })(), "status" => http_response_code(500), default => throw new LogicException("not caught") };');
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod']), $app->output());
        foreach (['handler' => 'caught by the handler', 'status' => 'has responded with 500 itself', '' => 'not caught'] as $how => $reason) {
            $this->same("{$how}: 500", 500, $app->ask("/?how={$how}")[0]);
            $this->check("{$how}: the reason is in the log", Server::until(5.0, static fn (): bool => str_contains($app->output(), $reason)), $app->output());
        }
        $this->check('no call of the launcher is in a stack', !str_contains($app->output(), '/php/src/'), $app->output());
    }

    public function testMisspeltWords(): void
    {
        $app = self::app('echo 1;');
        $cases = [
            [['serve', $app->folder, '--worker=2'], 'There is no option "--worker" (did you mean "--workers"?).'],
            [['serv', $app->folder, '--env=production'], 'The option "env" must be one of dev, prod, test, not "production" (did you mean "prod"?).'],
            [['sttaus'], 'There is no command "sttaus" (did you mean "status"?).'],
            [['status', $app->folder, '--format=jsn'], 'The option "format" must be one of text, json, not "jsn" (did you mean "json"?).'],
            [['serve', $app->folder, '--workers'], 'The "--workers" option requires a value.'],
        ];
        foreach ($cases as [$arguments, $sentence]) {
            [$status, $output] = Application::run($arguments);
            $this->same(implode(' ', $arguments), [1, $sentence], [min(1, $status), trim($output)]);
        }
        $this->same('a variable', [1, 'There is no option for the variable STAMPEDE_WORKER (did you mean "STAMPEDE_WORKERS"?).'], self::trimmed(Application::run(['config', $app->folder], ['STAMPEDE_WORKER' => '2'])));
        $this->same('one that is nobody\'s', 0, Application::run(['config', $app->folder], ['STAMPEDE_PORT' => 'tcp://10.0.0.1:80', 'STAMPEDE_SERVICE_HOST' => '10.0.0.1'])[0]);
        file_put_contents("{$app->folder}/stampede.php", '<?php return ["worker" => 2];');
        [$status, $output] = Application::run(['config', $app->folder]);
        $this->check('a key', $status === 1 && str_contains($output, 'unknown key "worker" (did you mean "workers"?)') && substr_count(trim($output), "\n") === 0, $output);
    }

    public function testAFileThatIsNotSent(): void
    {
        $app = new Application('plain');
        exec('rm -rf ' . escapeshellarg("{$app->folder}/public"));
        file_put_contents("{$app->folder}/index.php", '<?php http_response_code(404); echo "no page";');
        file_put_contents("{$app->folder}/data.json", '{}');
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', '--log-format=text']), $app->output());
        $app->ask('/nothing.json');
        $app->ask('/.env');
        $this->check('nothing is said of what is not there', !str_contains($app->output(), '--document-root'), $app->output());
        $this->same('a file of the application\'s folder', 404, $app->ask('/data.json')[0]);
        $app->ask('/data.json');
        $this->check('the log says once why it is not sent', Server::until(5.0, static fn (): bool => substr_count($app->output(), '/data.json is a file, but is not sent') === 1) && substr_count($app->output(), '--document-root=FOLDER') === 1, $app->output());
    }

    /**
     * @param array{int, string} $result
     * @return array{int, string}
     */
    private static function trimmed(array $result): array
    {
        return [$result[0], trim($result[1])];
    }

    private static function app(string $code): Application
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", "<?php {$code}");
        return $app;
    }
}
