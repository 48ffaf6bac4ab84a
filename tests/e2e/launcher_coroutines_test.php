<?php

declare(strict_types=1);

/*
 * The isolation "coroutine" of the command stampede: thousands of requests that interleave in one worker set what is a request's own,
 * wait, and read it again, in a PSR-15 application, a plain front controller and a Symfony application; what cannot be a request's own is told of at the start.
 */

namespace Stampede\Tests\E2e;

const CLIENTS = 100;
const REQUESTS = 30; // of each client

/** Many clients at once, each with its requests one after another without waiting for a response. */
function interleave(EndToEndTest $test, Application $app, string $path = '/'): void
{
    $ask = static function (int $id, bool $last) use ($path): string {
        $body = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent {$id}\r\n"
            . "--border\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\n{$id}\r\n--border--\r\n";
        return "POST {$path}?id={$id} HTTP/1.1\r\nHost: a\r\nX-Id: {$id}\r\nCookie: id={$id}\r\nContent-Type: multipart/form-data; boundary=border\r\n"
            . ($last ? "Connection: close\r\n" : '') . 'Content-Length: ' . strlen($body) . "\r\n\r\n{$body}";
    };
    $peers = [];
    for ($client = 0; $client < CLIENTS; $client++) {
        $peers[$client] = new Peer("tcp://127.0.0.1:{$app->port}");
        $peers[$client]->send(array_map(static fn (int $i): string => $ask($client * REQUESTS + $i, $i === REQUESTS - 1), range(0, REQUESTS - 1)));
    }
    $handled = $most = 0;
    $wrong = [];
    foreach ($peers as $client => $peer) {
        foreach (Answer::all($peer->readToEnd(120.0), array_fill(0, REQUESTS, 'POST')) as $i => $answer) {
            $id = (string) ($client * REQUESTS + $i);
            $seen = json_decode($answer->body, true) ?? ['id' => $answer->body, 'most' => 0, 'wrong' => []];
            $handled++;
            $most = max($most, $seen['most']);
            $own = [$seen['id'], $answer->status, $answer->field('x-id'), preg_replace('/;[^,]*(, [^,=]*)?(?=, \w+=|$)/', '', $answer->field('set-cookie') ?? '')] === [$id, 400 + (int) $id % 7, $id, "id={$id}, also={$id}"];
            $wrong = [...$wrong, ...$seen['wrong'], ...($own ? [] : ["response: {$answer->status} {$seen['id']}"])];
        }
    }
    $test->same('all requests are handled', CLIENTS * REQUESTS, $handled);
    $test->check('many at once', $most > CLIENTS / 2, "{$most} at once");
    $test->same('each has what is its own', [], array_slice(array_count_values($wrong), 0, 5));
}

final class launcher_coroutines_test extends EndToEndTest
{
    private static Application $app;

    public static function setUpBeforeClass(): void
    {
        self::$app = $app = new Application('slim');
        file_put_contents("{$app->folder}/app.php", <<<'PHP'
            <?php

            use Psr\Http\Message\ServerRequestInterface;
            use Nyholm\Psr7\Response;

            final class Probe
            {
                private static int $now = 0;
                private static int $most = 0;

                public static function respond(ServerRequestInterface $request): Response
                {
                    self::$most = max(self::$most, ++self::$now);
                    $id = $request->getQueryParams()['id'];
                    $wrong = [...self::check($request, $id, self::wait(...)), ...self::checkMessage($request, $id), ...self::checkNatives($id)];
                    self::$now--;
                    $response = (new Response(400 + $id % 7))->withHeader('Set-Cookie', "id={$id}");
                    $response->getBody()->write(json_encode(['id' => $id, 'most' => self::$most, 'wrong' => array_values(array_unique($wrong))]));
                    return $response;
                }

                /** Sets, waits and reads again what PHP keeps for a coroutine. @return list<string> what was not as it should be */
                private static function check(ServerRequestInterface $request, string $id, Closure $wait): array
                {
                    $wrong = [];
                    $inherited = [set_error_handler(null), set_exception_handler(null), ob_get_level()];
                    if ($inherited !== [null, null, 1]) { // the buffer for what comes before the body
                        $wrong[] = 'handlers or buffers of another request';
                    }
                    $heard = [];
                    set_error_handler(static function (int $level, string $message) use (&$heard): bool {
                        $heard[] = $message;
                        return true;
                    });
                    $exceptions = static fn (Throwable $thrown): string => $id;
                    set_exception_handler($exceptions);
                    $mask = E_ALL & ~(1 << ($id % 4 + 10));
                    error_reporting($mask);
                    Swoole\Coroutine::getContext()['id'] = $id;
                    $expected = '';
                    ob_start();
                    ob_start(static fn (string $text): string => "<{$id}>{$text}");
                    for ($i = 0; $i < 3; $i++) {
                        echo $id, '.';
                        $expected .= "{$id}.";
                        trigger_error($id, E_USER_WARNING);
                        @$wait();
                        $wrong[] = error_reporting() === $mask ? '' : 'error_reporting';
                        $wrong[] = ob_get_level() === 3 && ob_get_contents() === $expected ? '' : 'output buffer';
                        $wrong[] = Swoole\Coroutine::getContext()['id'] === $id ? '' : 'context';
                    }
                    ob_end_flush();
                    $wait();
                    $wrong[] = ob_get_clean() === "<{$id}>{$expected}" ? '' : 'output callback';
                    $wrong[] = $heard === [$id, $id, $id] ? '' : 'error handler';
                    $wrong[] = set_exception_handler(null) === $exceptions ? '' : 'exception handler';
                    try {
                        throw new DomainException($id);
                    } catch (DomainException $caught) {
                        $wait();
                        $wrong[] = $caught->getMessage() === $id ? '' : 'exception';
                    } finally {
                        $wait();
                    }
                    // Left as they are, on purpose: the next request must not have them.
                    set_exception_handler($exceptions);
                    return array_filter($wrong);
                }

                /** What PHP's own functions know of a request. @return list<string> */
                private static function checkNatives(string $id): array
                {
                    session_save_path(__DIR__);
                    session_id("id{$id}");
                    session_start(['use_cookies' => 0]);
                    $_SESSION['id'] = $id;
                    header("X-Id: {$id}");
                    setcookie('also', $id);
                    ini_set('precision', (string) ($id % 30 + 1));
                    date_default_timezone_set(timezone_identifiers_list()[$id % 300]);
                    chdir($id % 2 ? '/' : '/tmp');
                    umask($id % 64);
                    set_error_handler(null);
                    @trigger_error($id);
                    $wrong = [];
                    for ($i = 0; $i < 3; $i++) {
                        self::wait();
                        $wrong += array_filter([
                            'superglobals' => [$_GET, $_POST, $_COOKIE, $_REQUEST, $_SERVER['HTTP_X_ID']] !== [['id' => $id], ['field' => $id], ['id' => $id], ['id' => $id, 'field' => $id], $id],
                            'file of a form' => file_get_contents($_FILES['file']['tmp_name']) !== "content {$id}",
                            'session' => $_SESSION !== ['id' => $id] || session_id() !== "id{$id}",
                            'header()' => headers_list() !== array_values(array_filter(headers_list(), fn (string $line): bool => $line === "X-Id: {$id}" || !str_starts_with($line, 'X-Id'))),
                            'ini_set()' => ini_get('precision') !== (string) ($id % 30 + 1),
                            'time zone' => date_default_timezone_get() !== timezone_identifiers_list()[$id % 300],
                            'working directory' => getcwd() !== ($id % 2 ? '/' : '/tmp'),
                            'umask' => umask() !== $id % 64,
                            'last error' => error_get_last()['message'] !== $id,
                        ]);
                    }
                    session_destroy();
                    return array_keys($wrong);
                }

                /** @return list<string> */
                private static function checkMessage(ServerRequestInterface $request, string $id): array
                {
                    return array_keys(array_filter([
                        'cookie' => $request->getCookieParams() !== ['id' => $id],
                        'server variables' => $request->getServerParams()['HTTP_X_ID'] !== $id || !str_ends_with($request->getServerParams()['REQUEST_URI'], "id={$id}"),
                        'parsed body' => $request->getParsedBody() !== ['field' => $id],
                        'file' => (string) $request->getUploadedFiles()['file']->getStream() !== "content {$id}",
                    ]));
                }

                private static function wait(): void
                {
                    usleep(random_int(1, 3000));
                }
            }
            return Probe::respond(...);
            PHP);
    }

    public function testAFunction(): void
    {
        $app = self::$app;
        $this->check('a function is served in coroutines', $app->serve(['--workers=1', '--isolation=coroutine', '--log-format=off', '--request-timeout=120']), $app->output());
        $this->same('what its requests share is said in one sentence', 1, preg_match('/^With the isolation coroutine the requests of a worker share static variables, .*\.$/m', $app->output()));
        interleave($this, $app);
        $app->stop();
        unset($app);
    }

    public function testAPlainFrontController(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/probe.php", <<<'PHP'
            <?php
            ['id' => $id] = $_GET;
            $now = requests_in_work(1);
            $wrong = [];
            http_response_code(400 + $id % 7);
            header("X-Id: {$id}");
            setcookie('id', $id);
            setcookie('also', $id);
            register_shutdown_function(static function () use ($id): void {
                usleep(random_int(1, 3000));
                echo json_encode(['id' => $_GET['id'], 'most' => requests_in_work(-1), 'wrong' => $GLOBALS['wrong']]);
            });
            for ($i = 0; $i < 3; $i++) {
                usleep(random_int(1, 3000));
                $seen = [$id, $_GET['id'], $_COOKIE['id'], $_POST['field'], $_SERVER['HTTP_X_ID'], $GLOBALS['id']];
                if (array_unique($seen) !== [$id] || file_get_contents($_FILES['file']['tmp_name']) !== "content {$id}" || http_response_code() !== 400 + $id % 7) {
                    $wrong[] = implode(' ', $seen);
                }
            }
            exit;
            PHP);
        file_put_contents("{$app->folder}/public/index.php", <<<'PHP'
            <?php
            require_once __DIR__ . '/../count.php';
            require __DIR__ . '/../probe.php';
            PHP);
        file_put_contents("{$app->folder}/count.php", <<<'PHP'
            <?php
            /** @return int the most requests that were in work at once */
            function requests_in_work(int $change): int
            {
                static $now = 0, $most = 0;
                $now += $change;
                return $most = max($most, $now);
            }
            PHP);
        $this->check('a plain front controller is served in coroutines', $app->serve(['--bridge=plain', '--entry=public/index.php', '--workers=1', '--isolation=coroutine', '--log-format=off']), $app->output());
        interleave($this, $app);
        $app->stop();
        unset($app);
    }

    public function testSymfony(): void
    {
        $app = new Application('symfony');
        $this->check('Symfony is served in coroutines', $app->serve(['--workers=1', '--isolation=coroutine', '--env=prod', '--log-format=off']), $app->output());
        interleave($this, $app, '/own');
        $app->stop();
        unset($app);
    }

    public function testLaravel(): void
    {
        $app = new Application('laravel');
        file_put_contents("{$app->folder}/app/Work.php", <<<'PHP'
            <?php

            namespace App;

            /** How many requests are in work at once; no boot of the application touches it. */
            final class Work
            {
                public static int $now = 0;
                public static int $most = 0;
            }
            PHP);
        file_put_contents("{$app->folder}/app/Cart.php", <<<'PHP'
            <?php

            namespace App;

            final class Cart
            {
                public static ?string $current = null;
                public string $id = '';
            }
            PHP);
        file_put_contents("{$app->folder}/routes/web.php", <<<'PHP'

            Stampede\WebRequest::isolateStatics(array_map(fn (string $class): string => "{$class}::\$current", [App\Cart::class]));
            app()->scoped(App\Cart::class);
            Route::get('/own/{id}', function (string $id, Request $request) {
                App\Work::$most = max(App\Work::$most, ++App\Work::$now);
                $fresh = [app()->bound('mine'), config('app.mine'), app()->getLocale(), app(App\Cart::class)->id, App\Cart::$current];
                app()->instance('mine', $id);
                config(['app.mine' => $id]);
                Illuminate\Support\Facades\App::setLocale("l{$id}");
                app(App\Cart::class)->id = App\Cart::$current = $id;
                $request->session()->put('id', $id);
                Illuminate\Support\Facades\Cookie::queue('mine', $id);
                setcookie('native', $id);
                $own = app();
                $wrong = $fresh === [false, null, 'en', '', null] ? [] : ['something is left: ' . json_encode($fresh)];
                for ($i = 0; $i < 3; $i++) {
                    Swoole\Coroutine::sleep(0.001 * random_int(1, 9));
                    $seen = ['request' => [request()->route('id'), Illuminate\Support\Facades\Request::query('q'), Request::capture()->query('q')], 'container' => [app('mine'), app('request')->path() === "own/{$id}" ? $id : ''],
                        'config' => [config('app.mine'), Illuminate\Support\Facades\Config::get('app.mine')], 'locale' => [substr(app()->getLocale(), 1), substr(trans()->getLocale(), 1)],
                        'scoped' => [app(App\Cart::class)->id, App\Cart::$current], 'session' => [session('id'), Illuminate\Support\Facades\Session::get('id')], 'url' => [basename(url()->current())],
                        'application' => [app() === $own && Illuminate\Container\Container::getInstance() === $own && Illuminate\Support\Facades\App::getFacadeRoot() === $own ? $id : '']];
                    foreach ($seen as $name => $values) {
                        if (array_unique($values) !== [$id]) {
                            $wrong[] = "{$name}: " . json_encode($values) . " of {$id}";
                        }
                    }
                }
                App\Work::$now--;
                return response(['id' => $id, 'most' => App\Work::$most, 'wrong' => $wrong], 200 + $id % 3);
            });
            PHP, FILE_APPEND);
        $this->check('Laravel is served in coroutines', $app->serve(['--workers=1', '--isolation=coroutine', '--env=prod', '--log-format=off']), $app->output());
        $peers = [];
        for ($client = 0; $client < 40; $client++) {
            $peers[$client] = new Peer("tcp://127.0.0.1:{$app->port}");
            $peers[$client]->send(array_map(static fn (int $i): string => 'GET /own/' . ($id = $client * 10 + $i) . "?q={$id} HTTP/1.1\r\nHost: a\r\n" . ($i === 9 ? "Connection: close\r\n" : '') . "\r\n", range(0, 9)));
        }
        $handled = $most = 0;
        $wrong = [];
        foreach ($peers as $client => $peer) {
            foreach (Answer::all($peer->readToEnd(120.0), array_fill(0, 10, 'GET')) as $i => $answer) {
                $id = (string) ($client * 10 + $i);
                $seen = json_decode($answer->body, true) ?? ['id' => substr($answer->body, 0, 500), 'most' => 0, 'wrong' => []];
                $handled++;
                $most = max($most, $seen['most']);
                $cookies = $answer->field('set-cookie') ?? '';
                $own = [$seen['id'], $answer->status, str_contains($cookies, "native={$id}")] === [$id, 200 + (int) $id % 3, true];
                $wrong = [...$wrong, ...$seen['wrong'], ...($own ? [] : ["response: {$answer->status} {$seen['id']} {$cookies}"])];
            }
        }
        $this->same('all requests are handled', 400, $handled);
        $this->check('many at once', $most > 20, "{$most} at once");
        $this->same('each has what is its own', [], array_slice(array_values(array_unique($wrong)), 0, 5));
        $this->same('an address that is not there', 404, $app->ask('/nothing')[0]);
        $app->stop();

        $entry = (string) file_get_contents("{$app->folder}/bootstrap/app.php");
        foreach (['throws' => "\$GLOBALS['boots'] = (\$GLOBALS['boots'] ?? 0) + 1;\n\$GLOBALS['boots'] < 2 || throw new LogicException('booted twice');\n", 'ends the process' => "function declared_by_the_boot(): void {}\n"] as $how => $code) {
            file_put_contents("{$app->folder}/bootstrap/app.php", str_replace('return Application::', "{$code}return Application::", $entry));
            $this->check("one whose second boot {$how} does not start", !$app->serve(['--workers=1', '--isolation=coroutine', '--log-format=off']), $app->output());
            $this->check("and a sentence says why ({$how})", str_contains($app->output(), 'needs an application that can be booted more than once in a process; use --isolation=sequential'), $app->output());
            $app->stop();
        }
        unset($app);
    }

    public function testWhatCannotBeIsolated(): void
    {
        $app = new Application('plain');
        $this->check('nothing is said of other isolations', $app->serve(['--isolation=sequential']) && !str_contains($app->output(), 'of a worker share'), $app->output());
        $app->stop();
        unset($app);
    }
}
