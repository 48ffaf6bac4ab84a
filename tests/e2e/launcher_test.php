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
        $this->check('the command says what it found and why', str_contains($app->output(), 'a plain front controller: public/index.php') && str_contains($app->output(), 'Isolation sequential'), $app->output());
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
        $this->same('an exception in production', [500, false, true], [$status, str_contains($body, 'thrown on purpose'), str_contains($body, 'went wrong')]);
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
        $expected = array_map(static fn (string $name, string $else): string => (string) (get_cfg_var($name) === false ? $else : get_cfg_var($name)), ['opcache.enable_cli', 'opcache.jit', 'opcache.jit_buffer_size', 'opcache.max_accelerated_files'], ['1', 'tracing', '64M', '20000']);
        $this->same('opcache and its JIT are on in production, but for what php.ini says', $expected, json_decode($app->ask('/ini.php')[2], true));

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
        ] as $name => [$arguments, $sentence]) {
            file_put_contents("{$app->folder}/wrong.php", "<?php return ['worker' => 3];");
            [$status, $output] = Application::run($arguments);
            $this->check("{$name} gives one sentence", $status === 1 && str_contains($output, $sentence) && substr_count(trim($output), "\n") === 0, $output);
        }
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($taken, false);
        [$status, $output] = Application::run(['serve', $app->folder, "--listen={$address}"]);
        $this->check('a used port', $status === 1 && str_contains($output, 'in use'), $output);
        [$status, $output] = Application::run(['config', $app->folder], ['STAMPEDE_WORKERS' => '3']);
        $this->check('config tells where values come from', $status === 0 && preg_match('/workers\s*\|\s*3\s*\|\s*STAMPEDE_WORKERS/', $output) === 1, $output);
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

    public function testSlim(): void
    {
        $app = new Application('slim');
        $this->check('Slim is served', $app->serve(['--workers=1', '--log-format=json']), $app->output());
        [$status, $head, $body] = $app->ask('/hello/you?a=b', '', ['X-Given: field']);
        $this->same('a routed request', [200, 'hello you a=b field', 2], [$status, $body, preg_match_all('/^X-Many: [12]\r?$/m', $head)]);
        $this->same('an upload', [201, '[{"file":7},{"field":"value"},"\/form"]'], [($upload = $app->upload('/form'))[0], $upload[2]]);
        $this->same('a large body', 1_000_000, strlen($app->ask('/large')[2]));
        $this->same('a route that is not there', 404, $app->ask('/nothing')[0]);
        $began = microtime(true);
        $peers = array_map(fn (): Peer => new Peer("tcp://127.0.0.1:{$app->port}"), range(1, 10));
        foreach ($peers as $peer) {
            $peer->send(["GET /hello/x?wait=300000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        }
        $good = array_filter($peers, fn (Peer $peer): bool => Answer::all($peer->readToEnd(), ['GET'])[0]->status === 200);
        $this->check('ten requests that wait 0.3 s each take no 3 s in one worker', count($good) === 10 && microtime(true) - $began < 2.5);
        $line = json_decode((string) strtok(substr($app->output(), (int) strpos($app->output(), '{"time"')), "\n"), true);
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
        $this->same('a route that is not there', 404, $app->ask('/nothing')[0]);
        unset($app);
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
        unset($app);
    }

    private static function cookieOf(string $head, string $name): string
    {
        return preg_match("/^Set-Cookie: ({$name}=[^;\r]+)/mi", $head, $found) ? $found[1] : '';
    }
}
