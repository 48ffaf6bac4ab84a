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
        $app = self::app('if (isset($_GET["mb"])) { $x = str_repeat("x", $_GET["mb"] << 20); } echo json_encode([count($_COOKIE), count($_POST), count($_FILES), ini_get("memory_limit")]);');
        file_put_contents("{$app->folder}/php.ini", "memory_limit = 48M\npost_max_size = 1M\nmax_input_vars = 50\nupload_max_filesize = 3M\n");
        $this->check('it is served', $app->serve(['--workers=1', '--env=prod', "--php-ini={$app->folder}/php.ini", '--ini={"upload_max_filesize":"5M"}']), $app->output());
        $this->check('the start says which php.ini counts', str_contains($app->output(), "{$app->folder}/php.ini: memory_limit 256M (command line), upload_max_filesize 5M."), $app->output());
        $this->same('more cookies than max_input_vars', '[50,0,0,"256M"]', $app->ask('/', '', ['Cookie: ' . implode('; ', array_map(static fn (int $i): string => "c{$i}=1", range(1, 80)))])[2]);
        $this->same('a form', '[0,1,0,"256M"]', $app->ask('/', 'a=b', ['Content-Type: application/x-www-form-urlencoded'])[2]);
        $this->same('a form above post_max_size', '[0,0,0,"256M"]', $app->ask('/', 'a=' . str_repeat('b', 2 << 20), ['Content-Type: application/x-www-form-urlencoded'])[2]);
        $this->check('it is in the log', Server::until(5.0, static fn (): bool => str_contains($app->output(), 'exceeds post_max_size')), $app->output());
        $app->stop();
        $this->check('without a php.ini', $app->serve(['--workers=1', '--env=prod'], arguments: self::WITHOUT_INI), $app->output());
        $this->same('memory has a limit', [200, 500], [$app->ask('/?mb=20')[0], $app->ask('/?mb=200')[0]]);
        $app->stop();
        [$status, $output] = Application::run(['config', $app->folder, "--php-ini={$app->folder}/php.ini"]);
        $this->check('config says where settings come from', $status === 0 && preg_match('~post_max_size +\| 1M +\| ' . preg_quote($app->folder, '~') . '/php.ini~', $output) === 1, $output);
        [$status, $output] = Application::run(['serve', $app->folder, '--php-ini=/nowhere/php.ini']);
        $this->check('a php.ini that is not there', $status === 1 && str_contains($output, 'does not exist'), $output);
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

    private static function app(string $code): Application
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", "<?php {$code}");
        return $app;
    }
}
