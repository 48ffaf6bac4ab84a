<?php

declare(strict_types=1);

/* The page at /dashboard of the health address: who may look, and that it shows what the server does. With PICTURES=folder it leaves pictures of the page there. */

namespace Stampede\Tests\E2e;

final class launcher_dashboard_test extends EndToEndTest
{
    private const TOKEN = 'a-token-of-some-length';

    public function testWhoMayLook(): void
    {
        $app = new Application('slim');
        $port = Server::freePort();
        $this->check('off by default', $app->serve(['--workers=1', "--health-listen=127.0.0.1:{$port}"]), $app->output());
        $this->same('then there is none', 404, self::get($port, '/dashboard')[0]);
        $app->stop();
        $this->check('with a local address', $app->serve(['--workers=1', "--health-listen=127.0.0.1:{$port}", '--dashboard']), $app->output());
        [$status, $fields, $page] = self::get($port, '/dashboard');
        $this->same('the page', [200, true], [$status, str_contains($page, '<title>Stampede</title>')]);
        $this->check('nothing from elsewhere may be loaded', str_contains($fields, "default-src 'none'") && !str_contains($page, 'src=') && !str_contains($page, 'href='), $fields);
        $this->check('no handler stands in the markup', preg_match('/<[^>]+ on\w+=/', (string) preg_replace('/<script>.*<\/script>/s', '', $page)) === 0, $page);
        $this->same('the numbers', 'slim', basename(json_decode(self::get($port, '/dashboard/numbers')[2], true)['server']['directory']) === basename($app->folder) ? 'slim' : 'other');
        $this->same('a stranger\'s name for this machine', 403, self::get($port, '/dashboard/numbers', ['Host: evil.example'])[0]);
        $app->stop();
        $this->check('with a token', $app->serve(['--workers=1', "--health-listen=127.0.0.1:{$port}", '--dashboard', '--dashboard-token=' . self::TOKEN]), $app->output());
        $this->same('without it, or with another', [403, 403, 403], [self::get($port, '/dashboard')[0], self::get($port, '/dashboard?token=another-of-that-length')[0], self::get($port, '/dashboard/numbers', ['Authorization: Bearer x'])[0]]);
        [$status, $fields] = self::get($port, '/dashboard?token=' . self::TOKEN);
        $cookie = ['', ''];
        $this->check('it becomes a cookie', $status === 303 && preg_match('/^set-cookie: (stampede_dashboard=\w+); Path=\/dashboard; HttpOnly; SameSite=Strict/mi', $fields, $cookie) === 1 && !str_contains($fields, self::TOKEN), $fields);
        $this->same('with the cookie, or the token itself', [200, 200], [self::get($port, '/dashboard/numbers', ["Cookie: {$cookie[1]}"])[0], self::get($port, '/dashboard', ['Authorization: Bearer ' . self::TOKEN])[0]]);
        $app->stop();
        foreach ([
            'Everybody who reaches' => ['--health-listen=0.0.0.0:1', '--dashboard'],
            'needs --health-listen' => ['--dashboard'],
            'needs --dashboard' => ['--dashboard-token=' . self::TOKEN],
            '16 or more printable' => ["--health-listen=127.0.0.1:{$port}", '--dashboard', '--dashboard-token=short'],
        ] as $words => $options) {
            [$status, $text] = Application::run(['serve', $app->folder, ...$options]);
            $this->check("refused: {$words}", $status === 1 && str_contains($text, $words) && substr_count($text, "\n") === 1, $text);
        }
    }

    public function testInABrowser(): void
    {
        if (trim((string) shell_exec('command -v chromium')) === '') {
            $this->check('Chromium is there (the package chromium)', false);
            return;
        }
        $app = new Application('slim');
        $code = (string) file_get_contents("{$app->folder}/app.php");
        file_put_contents("{$app->folder}/app.php", str_replace('$app->addErrorMiddleware', "\$app->get('/fails', function () { throw new Exception('no'); });\n\$app->addErrorMiddleware", $code));
        $port = Server::freePort();
        $this->check('served', $app->serve(['--workers=3', '--env=prod', "--health-listen=127.0.0.1:{$port}", '--dashboard', '--request-timeout=120']), $app->output());
        $waiting = [];
        foreach (['/hello/slow?wait=90000000', '/hello/%3Cimg%20src=x%20onerror=document.title=1%3E?wait=90000000', '/<script>document.title=1</script>?wait=90000000', '/hello/other?wait=90000000'] as $path) {
            $peer = $waiting[] = new Peer("tcp://127.0.0.1:{$app->port}");
            $peer->send(["GET {$path} HTTP/1.1\r\nHost: localhost\r\n\r\n"]);
        }
        $browser = new Browser();
        $window = $browser->window(1600, 1000);
        $window->open("http://127.0.0.1:{$port}/dashboard");
        $this->check('requests in work are there', $window->until("document.querySelectorAll('#requests tr:not(.empty)').length >= 3"), (string) $window->evaluate('document.body.innerText'));
        for ($until = microtime(true) + 9; microtime(true) < $until;) {
            $app->ask('/hello/a');
            $app->ask('/hello/b?wait=20000');
            $app->ask('/fails');
        }
        $shows = static fn (string $id): string => (string) $window->evaluate("document.getElementById('{$id}').textContent");
        $this->check('rates, latency, errors', (float) $shows('rate') > 0 && str_ends_with($shows('latency'), ' ms') && (float) $shows('errors') > 0, $shows('rate') . ' ' . $shows('latency') . ' ' . $shows('errors'));
        $this->check('curves', $window->evaluate("document.querySelector('#rate-chart polyline') !== null"), '');
        $this->check('three workers', str_starts_with($shows('workers-count'), '3 serve'), $shows('workers-count'));
        $this->same('nothing of an address became markup', [false, 0], [$window->evaluate("document.title === '1'"), $window->evaluate("document.querySelectorAll('main img, main script').length")]);
        $this->check('it is text', str_contains((string) $window->evaluate("document.getElementById('requests').textContent"), 'onerror') || str_contains((string) $window->evaluate("document.getElementById('requests').textContent"), '%3Cimg'), (string) $window->evaluate("document.getElementById('requests').textContent"));
        $this->pictures($window, $browser, $port);
        $pid = json_decode(self::get($port, '/dashboard/numbers')[2], true)['requests'][0]['pid'];
        posix_kill($pid, SIGKILL);
        $this->check('a crash is a finding', $window->until("document.getElementById('findings').textContent.includes('crashed')", 20.0), (string) $window->evaluate('document.body.innerText'));
        getenv('PICTURES') === false || $window->picture(getenv('PICTURES') . '/dashboard-finding.png');
        unset($waiting);
        $app->stop();
        $this->check('a server that is gone is said', $window->until("document.getElementById('state').textContent === 'no answer'", 20.0), '');
    }

    /** Narrow and wide, in both colours. */
    private function pictures(BrowserWindow $laptop, Browser $browser, int $port): void
    {
        $phone = $browser->window(375, 812, true);
        $phone->open("http://127.0.0.1:{$port}/dashboard");
        $this->check('on a phone', $phone->until("document.querySelector('#rate-chart polyline') !== null", 20.0), '');
        foreach (['1600' => $laptop, '375' => $phone] as $name => $window) {
            $this->same("{$name} wide: nothing is wider than the screen", true, $window->evaluate('document.documentElement.scrollWidth <= innerWidth'));
            foreach ([false, true] as $dark) {
                $window->inTheDark($dark);
                $folder = (string) getenv('PICTURES');
                $folder === '' || $window->picture("{$folder}/dashboard-{$name}" . ($dark ? '-dark' : '') . '.png');
            }
        }
    }

    /**
     * @param list<string> $fields
     * @return array{int, string, string} status, fields, body
     */
    private static function get(int $port, string $path, array $fields = []): array
    {
        $context = stream_context_create(['http' => ['ignore_errors' => true, 'follow_location' => 0, 'header' => $fields, 'timeout' => 10]]);
        $body = (string) file_get_contents("http://127.0.0.1:{$port}{$path}", false, $context);
        preg_match('/ (\d{3})/', $http_response_header[0], $status);
        return [(int) $status[1], implode("\n", $http_response_header), $body];
    }
}
