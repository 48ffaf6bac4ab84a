<?php

declare(strict_types=1);

/* examples/product, as a visitor, a member, a program with a token and an attacker see it: on SQLite, and on database servers with Redis. */

namespace Stampede\Tests\E2e;

const PASSWORD = 'a horse in the rain';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WORKERS = 2;
const LIVE = 10.0; // seconds; less than the 15 after which a stream looks by itself

function member(Application $app, string $name): Visitor
{
    $visitor = new Visitor($app);
    $visitor->get('/register');
    $visitor->post('/register', ['name' => $name, 'password' => PASSWORD]);
    $visitor->get('/');
    return $visitor;
}

function token_of(Visitor $member): string
{
    $member->get('/tokens');
    return preg_match('~<code id="token">([^<]+)</code>~', $member->post('/tokens', ['name' => 'a test'])[2], $found) === 1 ? $found[1] : '';
}

/** @return array{int, mixed} status and what the JSON says */
function program(Application $app, string $token, string $method, string $path, string $body = ''): array
{
    [$status, , $text] = $app->ask($path, $body, ["Authorization: Bearer {$token}", ...($body === '' ? [] : ['Content-Type: application/json'])], $method);
    return [$status, json_decode($text, true)];
}

function events_of(Application $app, string $field, string $query = ''): Peer
{
    $peer = new Peer("tcp://127.0.0.1:{$app->port}");
    $peer->send(["GET /changes{$query} HTTP/1.1\r\nHost: localhost\r\n{$field}\r\n\r\n"]);
    $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, "\r\n\r\n"));
    return $peer;
}

function gets(Peer $stream, string $text, float $seconds = LIVE): bool
{
    return str_contains($stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, $text), $seconds), $text);
}

/** Connections until every worker has one. @template T @param callable(): T $open @return list<T> */
function in_every_worker(Application $app, callable $open): array
{
    $counts = static fn (): array => array_column(json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'], 'connections');
    $before = $counts();
    $connections = [];
    $covered = false;
    while (!$covered && count($connections) < 15) {
        $connections[] = $open();
        $covered = min(array_map(static fn (int $now, int $then): int => $now - $then, $counts(), $before)) > 0;
    }
    return $covered ? $connections : [];
}

function check_accounts(EndToEndTest $test, Application $app): void
{
    $visitor = new Visitor($app);
    [$status, $head] = $visitor->get('/register');
    $test->check('a visitor\'s cookie is kept from scripts and other sites', $status === 200 && preg_match('/^Set-Cookie: paddock=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax\r?$/m', $head) === 1, $head);
    $test->same('a short password', 422, $visitor->post('/register', ['name' => 'ann', 'password' => 'short'])[0]);
    $test->same('a name with a tag', 422, $visitor->post('/register', ['name' => '<b>ann', 'password' => PASSWORD])[0]);
    $test->same('a form of another session', 403, $visitor->post('/register', ['name' => 'ann', 'password' => PASSWORD, 'form_token' => str_repeat('0', 64)])[0]);
    $visitor->get('/register');
    $before = $visitor->cookieField();
    $test->same('a registration leads to the notes', 303, $visitor->post('/register', ['name' => 'Ann', 'password' => PASSWORD])[0]);
    $test->check('with another cookie than before', $visitor->cookieField() !== $before);
    $test->check('the member is known, in small letters', str_contains($visitor->get('/')[2], '<a class="who" href="/account">ann</a>'));
    $other = new Visitor($app);
    $other->get('/register');
    $test->same('a name that is taken', 409, $other->post('/register', ['name' => 'ANN', 'password' => PASSWORD])[0]);
    $test->same('pages of members lead a visitor to the login', 303, $other->get('/tokens')[0]);
    $other->get('/login');
    $statuses = array_map(static fn (): int => $other->post('/login', ['name' => 'ann', 'password' => 'wrong password'])[0], range(1, 7));
    $test->same('wrong passwords: the sixth is not looked at', [403, 403, 403, 403, 403, 429, 429], $statuses);
    $test->same('nor is the right one then', 429, $other->post('/login', ['name' => 'ann', 'password' => PASSWORD])[0]);
    $test->same('a name that is not there: the same words', 403, ($unknown = $other->post('/login', ['name' => 'nobody', 'password' => PASSWORD]))[0]);
    $test->check('and no hint', str_contains($unknown[2], 'Name or password is wrong.'), $unknown[2]);
    $bob = member($app, 'bob');
    $stolen = $bob->cookieField();
    $test->same('logout', 303, $bob->post('/logout')[0]);
    $test->check('the cookie from before is worth nothing', !str_contains($app->ask('/', '', [$stolen])[2], 'class="who"'));
    $bob->get('/login');
    $test->same('login', 303, $bob->post('/login', ['name' => ' Bob ', 'password' => PASSWORD])[0]);
    $elsewhere = new Visitor($app);
    $elsewhere->get('/login');
    $elsewhere->post('/login', ['name' => 'bob', 'password' => PASSWORD]);
    $bob->get('/account');
    $test->same('another password needs the present one', [403, 422], [$bob->post('/account', ['present' => 'guessed wrongly', 'next' => 'a new horse, rain'])[0], $bob->post('/account', ['present' => PASSWORD, 'next' => 'short'])[0]]);
    $test->same('another password', 303, $bob->post('/account', ['present' => PASSWORD, 'next' => 'a new horse, rain'])[0]);
    $test->same('logs out everywhere else', [200, 303], [$bob->get('/account')[0], $elsewhere->get('/account')[0]]);
    $elsewhere->get('/login');
    $test->same('counts from then on', [403, 303], array_map(static fn (string $password): int => $elsewhere->post('/login', ['name' => 'bob', 'password' => $password])[0], [PASSWORD, 'a new horse, rain']));
}

function check_notes(EndToEndTest $test, Application $app): void
{
    $carl = member($app, 'carl');
    $attack = '<script>alert(1)</script> "><img src=x onerror=alert(2)> https://example.org/?a=1&b="onmouseover="x';
    [$status, , $json] = $carl->post('/notes', ['text' => $attack]);
    $note = json_decode($json, true);
    $test->same('a note', [201, $attack], [$status, $note['text'] ?? null]);
    [, $head, $page] = $carl->get('/');
    $test->check('its text is text', !str_contains($page, '<script>alert') && !str_contains($page, '<img src=x') && str_contains($page, '&lt;script&gt;alert(1)'), $page);
    $test->check('an address in it is a link and nothing more', str_contains($page, '<a href="https://example.org/?a=1&amp;b=" rel='), $page);
    $test->check('scripts of others would not run', str_contains($head, "script-src 'self'") && !str_contains($head, 'unsafe'), $head);
    $test->same('a request of another site', 403, $carl->post('/notes', ['text' => 'x', 'form_token' => ''])[0]);
    $test->same('nothing at all', 422, $carl->post('/notes', ['text' => " \n "])[0]);
    $test->same('too long', 422, $carl->post('/notes', ['text' => str_repeat('x', 10_001)])[0]);
    $test->same('another method', 405, $app->ask('/notes', '', [$carl->cookieField()])[0]);
    $dora = member($app, 'dora');
    foreach (['a note of another member cannot be read' => $dora->get("/notes/{$note['id']}"), 'nor changed' => $dora->post("/notes/{$note['id']}", ['text' => 'mine']), 'nor deleted' => $dora->post("/notes/{$note['id']}/delete")] as $name => [$status]) {
        $test->same($name, 404, $status);
    }
    $test->same('its owner changes it', 303, $carl->post("/notes/{$note['id']}", ['text' => 'changed'])[0]);
    $test->check('then it is so', str_contains($carl->get('/')[2], '<p class="text">changed</p>'));
    for ($i = 1; $i <= 31; $i++) {
        $carl->post('/notes', ['text' => "number {$i}."]);
    }
    $page = $carl->get('/')[2];
    $test->check('a page has 30, and leads to older ones', substr_count($page, '<article') === 30 && preg_match('~href="(/\?before=\d+)"~', $page, $older) === 1 && substr_count($carl->get($older[1])[2], '<article') === 2);
}

function check_files(EndToEndTest $test, Application $app): void
{
    $eve = member($app, 'eve');
    $pixel = (string) base64_decode(PIXEL, true);
    [$status, , $json] = $eve->post('/notes', [], ['../../a "wild" <i>.png' => $pixel, 'page.html' => '<script>alert(1)</script>', 'C:\\fake.png' => 'no image', '..' => 'dots']);
    $note = json_decode($json, true);
    $test->same('four files: safe names, types by their content', [201, [['a wild <i>.png', 'image/png'], ['page.html', 'application/octet-stream'], ['fake.png', 'application/octet-stream'], ['file', 'application/octet-stream']]], [$status, array_map(static fn (array $file): array => [$file['name'], $file['type']], $note['files'] ?? [])]);
    $test->check('a name is text in the page', str_contains($eve->get('/')[2], 'alt="a wild &lt;i&gt;.png"'));
    [$image, $page] = array_map(static fn (array $file): array => $app->ask("/files/{$file['id']}", '', [$eve->cookieField()]), array_slice($note['files'] ?? [], 0, 2));
    $test->same('an image comes back as it was', [200, $pixel], [$image[0], $image[2]]);
    $test->check('and is shown', str_contains($image[1], 'Content-Type: image/png') && str_contains($image[1], 'Content-Disposition: inline'), $image[1]);
    $test->check('anything else is saved, and cannot run', str_contains($page[1], 'Content-Type: application/octet-stream') && str_contains($page[1], 'Content-Disposition: attachment') && str_contains($page[1], 'sandbox') && str_contains($page[1], 'nosniff'), $page[1]);
    $test->same('a fifth file', 422, $eve->post("/notes/{$note['id']}", ['text' => 'x'], ['five.txt' => 'x'])[0]);
    $test->same('a file that is too large', 413, $eve->post('/notes', [], ['large.bin' => str_repeat('x', (8 << 20) + 1)])[0]);
    $kept = static fn (): array => glob("{$app->folder}/var/files/*/*") ?: [];
    $test->same('what was refused is not kept', 4, count($kept()));
    $test->same('files are for nobody else', 404, member($app, 'fred')->get("/files/{$note['files'][0]['id']}")[0]);
    $eve->get('/');
    $test->same('a note is deleted', 204, $eve->post("/notes/{$note['id']}/delete")[0]);
    $test->same('its files, too', [404, []], [$eve->get("/files/{$note['files'][0]['id']}")[0], $kept()]);
}

function check_programs(EndToEndTest $test, Application $app): void
{
    $gina = member($app, 'gina');
    $token = token_of($gina);
    $test->check('a token is shown once', $token !== '' && !str_contains($gina->get('/tokens')[2], $token));
    $test->same('without a token', 401, $app->ask('/api/notes', '', [$gina->cookieField()])[0]);
    $test->same('with a wrong one', 401, program($app, substr($token, 0, -1) . (str_ends_with($token, 'A') ? 'B' : 'A'), 'GET', '/api/notes')[0]);
    [$status, $note] = program($app, $token, 'POST', '/api/notes', '{"text": "by a program \u00e9"}');
    $test->same('a note', [201, 'by a program é', 1], [$status, $note['text'] ?? null, $note['version'] ?? null]);
    $test->same('what is no JSON', 400, program($app, $token, 'POST', '/api/notes', '{"text": ')[0]);
    $test->same('a changed note', [200, 'anew'], [($changed = program($app, $token, 'PUT', "/api/notes/{$note['id']}", '{"text": "anew"}'))[0], $changed[1]['text'] ?? null]);
    $test->same('what came after a version', [[2, 'anew']], array_map(static fn (array $note): array => [$note['version'], $note['text']], program($app, $token, 'GET', '/api/notes?since=1')[1]['notes']));
    $test->same('a path that is not there, a method that is not', [404, 405], [program($app, $token, 'GET', '/api/nothing')[0], program($app, $token, 'PATCH', '/api/notes')[0]]);
    $form = "--border\r\nContent-Disposition: form-data; name=\"files[]\"; filename=\"hay.txt\"\r\n\r\nhay\r\n--border--\r\n";
    [$status, , $json] = $app->ask("/api/notes/{$note['id']}/files", $form, ["Authorization: Bearer {$token}", 'Content-Type: multipart/form-data; boundary=border'], 'POST');
    $file = json_decode($json, true)['files'][0] ?? ['name' => $json, 'url' => '/'];
    $test->same('a file', [201, 'hay.txt', 'hay'], [$status, $file['name'], $app->ask($file['url'], '', ["Authorization: Bearer {$token}"])[2]]);
    $stream = events_of($app, "Authorization: Bearer {$token}", '?since=0');
    $test->check('its events have what it missed', gets($stream, '"text":"anew"') && str_contains($stream->received(), "event: note\nid: 3\n"), $stream->received());
    $test->same('a deleted note', [204, 404], [program($app, $token, 'DELETE', "/api/notes/{$note['id']}")[0], program($app, $token, 'GET', "/api/notes/{$note['id']}")[0]]);
    $test->check('its events tell', gets($stream, '"version":4,"deleted":true'), $stream->received());
    $test->same('a request for events with a wrong token', true, gets(events_of($app, 'Authorization: Bearer paddock_wrong'), 'event: signed-out'));
    preg_match('~/tokens/[\w-]+/delete~', $gina->get('/tokens')[2], $found);
    $gina->post($found[0] ?? '/');
    $test->same('a deleted token', 401, program($app, $token, 'GET', '/api/notes')[0]);
}

function check_live(EndToEndTest $test, Application $app): void
{
    $hugo = member($app, 'hugo');
    $token = token_of($hugo);
    $streams = in_every_worker($app, static fn (): Peer => events_of($app, $hugo->cookieField()));
    $test->check('windows at every worker', $streams !== []);
    program($app, $token, 'POST', '/api/notes', '{"text": "to all windows"}');
    $test->same('a saved note comes to all of them, as it is shown', array_fill(0, count($streams), true), array_map(static fn (Peer $stream): bool => gets($stream, '<p class=\"text\">to all windows<'), $streams));
    program($app, $token, 'POST', '/api/notes', '{"text": "second"}');
    program($app, $token, 'POST', '/api/notes', '{"text": "third"}');
    $resumed = events_of($app, "{$hugo->cookieField()}\r\nLast-Event-ID: 1");
    $test->check('a window that comes back gets what it missed, in order', gets($resumed, 'third') && strpos($resumed->received(), 'second') < strpos($resumed->received(), 'third') && !str_contains($resumed->received(), 'to all windows'), $resumed->received());

    $address = "tcp://127.0.0.1:{$app->port}";
    $fields = "{$hugo->cookieField()}\r\nOrigin: http://a\r\n";
    $sockets = in_every_worker($app, static fn (): WebSocketPeer => new WebSocketPeer($address, '/drafts', $fields));
    if (!$test->check('sockets at every worker', $sockets !== [])) {
        return;
    }
    $sockets[0]->send('{"text": "being wri"}');
    $test->same('a draft comes to the other windows', array_fill(0, count($sockets) - 1, '{"text":"being wri"}'), array_map(static fn (WebSocketPeer $socket): ?string => $socket->text(), array_slice($sockets, 1)));
    $sockets[1]->send('{"text": "and back"}');
    $test->same('the one that wrote hears of the others alone', '{"text":"and back"}', $sockets[0]->text());
    $ivan = new WebSocketPeer($address, '/drafts', member($app, 'ivan')->cookieField() . "\r\n");
    $sockets[1]->send('{"text": ""}');
    $sockets[0]->text();
    $test->same('nobody else does', null, $ivan->text(0.2));
    $closed = static fn (WebSocketPeer $socket): int => unpack('n', $socket->frameOf()[1] ?? "\0\0")[1];
    $test->same('a socket without a cookie; one of another site is not even opened', [4401, 0], [$closed(new WebSocketPeer($address, '/drafts')), $closed(new WebSocketPeer($address, '/drafts', "{$hugo->cookieField()}\r\nOrigin: http://evil.example\r\n"))]);
    $sockets[0]->send('no JSON');
    $test->same('what is no draft', 1008, $closed($sockets[0]));

    $hugo->get('/');
    $hugo->post('/logout');
    program($app, $token, 'POST', '/api/notes', '{"text": "after the logout"}');
    $test->check('a window that is logged out gets no more', gets($streams[0], 'event: signed-out') && !str_contains($streams[0]->received(), 'after the logout'), $streams[0]->received());
}

function check_without_redis(EndToEndTest $test, Application $app, Database $redis): void
{
    $jack = member($app, 'jack');
    $token = token_of($jack);
    $stream = events_of($app, $jack->cookieField());
    $redis->stop();
    $test->same('without Redis notes are saved', 201, program($app, $token, 'POST', '/api/notes', '{"text": "meanwhile"}')[0]);
    $test->check('and windows find them by themselves', gets($stream, 'meanwhile', 40.0));
    program($app, $token, 'POST', '/api/notes', '{"text": "before it is back"}');
    $redis->start();
    $test->check('and as soon as Redis is back', gets($stream, 'before it is back'));
    $test->check('with Redis again they come at once', Server::until(20.0, static function () use ($app, $token, $stream): bool {
        program($app, $token, 'POST', '/api/notes', '{"text": "at once again"}');
        return str_contains($stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'at once again'), 0.2), 'at once again');
    }));
}

final class product_test extends EndToEndTest
{
    public function testWithSqlite(): void
    {
        $this->checkWith('sqlite', null);
    }

    public function testWithMariadb(): void
    {
        $this->checkWith('mariadb', Database::mariadb(...));
    }

    public function testWithPostgresql(): void
    {
        $this->checkWith('postgresql', Database::postgres(...));
    }

    public function testAnotherKindOfDatabaseGivesASentence(): void
    {
        putenv('DATABASE_URL=oracle://somewhere/x');
        $app = new Application('examples/product');
        $this->check('another kind of database gives a sentence', !$app->serve() && str_contains($app->output(), 'DATABASE_URL must begin with sqlite://, mariadb:// or postgresql://.'), $app->output());
        unset($app);
    }

    private function checkWith(string $kind, ?callable $start): void
    {
        $database = $start === null ? null : $start();
        $redis = $database === null ? null : Database::redis();
        if ($kind === 'mariadb') {
            exec("mariadb --no-defaults --socket={$database->folder}/sock --user=root --execute='CREATE DATABASE paddock'");
        }
        $user = $kind === 'mariadb' ? 'root' : 'postgres';
        $name = $kind === 'mariadb' ? 'paddock' : 'postgres';
        putenv('DATABASE_URL' . ($database === null ? '' : "={$kind}://{$user}@127.0.0.1:{$database->port}/{$name}?redis=127.0.0.1:{$redis->port}"));
        $app = new Application('examples/product');
        if ($this->check("{$kind}: examples/product is served", $app->serve(['--workers=' . WORKERS, '--env=prod']), $app->output())) {
            check_accounts($this, $app);
            check_notes($this, $app);
            check_files($this, $app);
            check_programs($this, $app);
            check_live($this, $app);
            $this->check("{$kind}: nothing has failed on the way", !str_contains($app->output(), 'Stack trace') && !str_contains($app->output(), 'could not be sent'), substr($app->output(), -2000));
            if ($redis !== null) {
                check_without_redis($this, $app, $redis);
            }
        }
        $began = microtime(true);
        $app->stop();
        $this->check("{$kind}: it ends in time", microtime(true) - $began < 15.0);
        unset($app, $database, $redis);
    }
}
