<?php

declare(strict_types=1);

/* examples/mcp: the protocol as an assistant speaks it, rightly and wrongly, and a thousand of them at once. */

namespace Stampede\Tests\E2e;

const CLIENTS = 1000;
const BOTH = 'Accept: application/json, text/event-stream';

final class mcp_test extends EndToEndTest
{
    private static string $folder;
    private static array $php;
    private static string $example;
    private static int $port;
    private static Companion $server;

    public static function setUpBeforeClass(): void
    {
        self::$example = $example = dirname(__DIR__, 2) . '/examples/mcp';
        self::$folder = $folder = External::folder();
        mkdir("{$folder}/sub");
        file_put_contents("{$folder}/first.md", "# First\nA horse, and another Horse.\n");
        file_put_contents("{$folder}/sub/second.md", "# Second\nNothing of that kind.\n");
        file_put_contents("{$folder}/secret.txt", "a horse\n");
        for ($i = 0; $i < 800; $i++) {
            file_put_contents("{$folder}/sub/page{$i}.md", "Page {$i}\n");
        }
        self::$php = $php = [...phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')), '-d', 'memory_limit=512M'];
        self::$port = $port = Server::freePort();
        self::$server = $server = new Companion([...$php, "{$example}/server.php", "127.0.0.1:{$port}", $folder]);
        $server->waitForPort($port);
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testASession(): void
    {
        $folder = self::$folder;
        [$status, $json] = self::ask('POST', '{"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}}');
        $this->same('initialize: the version that was asked for', [200, 'a', '2025-03-26', 'pages'], [$status, $json['id'], $json['result']['protocolVersion'], $json['result']['serverInfo']['name']]);
        $this->same('a version that is not known: the newest', '2025-06-18', self::ask('POST', '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}}')[1]['result']['protocolVersion']);
        $session = self::open();
        $this->check('a session has an id', $session !== '');
        $this->same('a notification', 202, self::ask('POST', '{"jsonrpc": "2.0", "method": "notifications/initialized"}', [BOTH, $session])[0]);
        $this->same('the tools', ['list_pages', 'read_page', 'search_pages'], array_column(self::rpc($session, 'tools/list')[1]['result']['tools'], 'name'));
        $this->same('a page', "# First\nA horse, and another Horse.\n", self::rpc($session, 'tools/call', '{"name": "read_page", "arguments": {"page": "first.md"}}')[1]['result']['content'][0]['text']);
        $this->same('a search', 'first.md:2: A horse, and another Horse.', self::rpc($session, 'tools/call', '{"name": "search_pages", "arguments": {"words": "HORSE"}}')[1]['result']['content'][0]['text']);
        $this->same('a resource', "# Second\nNothing of that kind.\n", self::rpc($session, 'resources/read', '{"uri": "page:///sub/second.md"}')[1]['result']['contents'][0]['text']);
        foreach (['../../../etc/passwd', 'secret.txt', '/etc/passwd', 'sub'] as $name) {
            $this->same("no page: {$name}", -32602, self::rpc($session, 'tools/call', json_encode(['name' => 'read_page', 'arguments' => ['page' => $name]]))[1]['error']['code'] ?? null);
        }
        $this->same('a method, a tool, an argument that is not there', [-32601, -32602, -32602], array_map(static fn (array $given): int => self::rpc($session, ...$given)[1]['error']['code'] ?? 0, [['nothing/at_all'], ['tools/call', '{"name": "nothing"}'], ['tools/call', '{"name": "read_page"}']]));
        $this->same('ping', [], self::rpc($session, 'ping')[1]['result']);

        $list = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';
        foreach ([
            'without a session' => [400, [$list, [BOTH]]],
            'a session that is not known' => [404, [$list, [BOTH, 'Mcp-Session-Id: ' . str_repeat('0', 32)]]],
            'no JSON' => [400, ['{"jsonrpc"', [BOTH, $session]]],
            'several at once' => [400, ["[{$list}]", [BOTH, $session]]],
            'without a version of JSON-RPC' => [400, ['{"id": 1, "method": "ping"}', [BOTH, $session]]],
            'JSON alone is accepted' => [406, [$list, ['Accept: application/json', $session]]],
            'a version of the protocol that is not known' => [400, [$list, [BOTH, $session, 'MCP-Protocol-Version: 1999-01-01']]],
            'a page of another site' => [403, [$list, [BOTH, $session, 'Origin: https://evil.example']]],
        ] as $name => [$status, $given]) {
            $this->same($name, $status, self::ask('POST', ...$given)[0]);
        }
        $this->same('another method', 405, self::ask('PUT', '{}')[0]);
        $this->same('a page of another site whose name leads to this machine', 403, self::ask('POST', $list, [BOTH, $session, 'Origin: http://evil.example:' . self::$port], 'evil.example')[0]);

        $body = static fn (int $id): string => "{\"jsonrpc\": \"2.0\", \"id\": {$id}, \"method\": \"tools/call\", \"params\": {\"name\": \"search_pages\", \"arguments\": {\"words\": \"horse\"}, \"_meta\": {\"progressToken\": \"p\"}}}";
        $bytes = self::send('POST', $body(8), [BOTH, $session])->readToEnd(60.0);
        $this->check('a call with progress is a stream', str_contains($bytes, 'Content-Type: text/event-stream') && str_contains($bytes, '"progressToken":"p","progress":802,"total":802'), $bytes);
        $this->check('its last event is the result', preg_match('/.*data: (\{.*\})\n\n/s', $bytes, $found) === 1 && (json_decode($found[1], true)['result']['content'][0]['text'] ?? '') === 'first.md:2: A horse, and another Horse.', substr($bytes, -400));
        // The call lasts a second or so: on a busy machine the cancellation may come too late, and the next one is tried.
        for ($try = 0; $try < 10 && ($try === 0 || str_contains($peer->received(), '"result"')); $try++) {
            $peer = self::send('POST', $body(9), [BOTH, $session]);
            $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"progress":3,'));
            $cancelled = self::ask('POST', '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}', [BOTH, $session])[0];
            $peer->readToEnd(60.0);
        }
        $this->same('its cancellation', 202, $cancelled);
        $this->check('ends it without a result', !str_contains($peer->received(), '"result"') && $peer->ended(), substr($peer->received(), -300));

        $stream = self::send('GET', '', ['Accept: text/event-stream', $session]);
        $stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'text/event-stream'));
        file_put_contents("{$folder}/new.md", "new\n");
        $this->check('a client that listens hears of a changed page', str_contains($stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'list_changed'), 30.0), '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}'));
        $this->same('DELETE ends the session', [204, 404], [self::ask('DELETE', '', [$session])[0], self::rpc($session, 'ping')[0]]);
        $this->check('and its stream', str_contains($stream->readToEnd(10.0), "0\r\n\r\n") && $stream->ended());
    }

    public function testMany(): void
    {
        [$php, $example, $port, $folder, $server] = [self::$php, self::$example, self::$port, self::$folder, self::$server];
        $listeners = new Companion([...$php, "{$example}/listeners.php", '127.0.0.1', (string) $port, (string) CLIENTS]);
        $this->same('a thousand clients of one worker', 'all', $listeners->firstLine(90.0));
        Server::until(1.0, static fn (): bool => false); // ordinary requests beside silent streams
        file_put_contents("{$folder}/new.md", "newer\n");
        $this->same('each is told', 0, $listeners->waitForEnd(90.0));
        $result = json_decode(substr($listeners->output(), 4), true);
        $this->check('while ordinary requests are served at once', ($result['told'] ?? 0) === CLIENTS && $result['requests'] > 10 && $result['p50'] < 50.0 && $result['p99'] < 1000.0, $listeners->output());
        $this->remark(rtrim($listeners->output()));
        $this->check('nothing has failed on the way', !str_contains($server->output(), 'Stack trace'), $server->output());
        $session = self::open();
        $stream = self::send('GET', '', ['Accept: text/event-stream', $session]);
        $stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'text/event-stream'));
        $server->signal(SIGTERM);
        $this->check('a server that ends ends its streams', str_contains($stream->readToEnd(20.0), "0\r\n\r\n"), $stream->received());
        $this->same('and itself', 0, $server->waitForEnd(20.0));
    }

    private static function send(string $method, string $body, array $fields, string $host = 'localhost'): Peer
    {
        $port = self::$port;
        $peer = new Peer("tcp://127.0.0.1:{$port}");
        $length = $body === '' ? '' : 'Content-Length: ' . strlen($body) . "\r\n";
        $peer->send(["{$method} /mcp HTTP/1.1\r\nHost: {$host}:{$port}\r\nConnection: close\r\n{$length}" . implode('', array_map(static fn (string $field): string => "{$field}\r\n", $fields)) . "\r\n{$body}"]);
        return $peer;
    }

    /** @return array{int, array<string, mixed>|null, string} status, JSON, head */
    private static function ask(string $method, string $body = '', array $fields = [BOTH], string $host = 'localhost'): array
    {
        $bytes = self::send($method, $body, $fields, $host)->readToEnd(30.0);
        $answer = Answer::all($bytes, [$method])[0] ?? null;
        return [$answer->status ?? 0, json_decode($answer->body ?? '', true), explode("\r\n\r\n", $bytes)[0]];
    }

    private static function open(): string
    {
        [, , $head] = self::ask('POST', '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}}');
        return preg_match('/^Mcp-Session-Id: ([0-9a-f]{32})\r?$/m', $head, $found) === 1 ? "Mcp-Session-Id: {$found[1]}" : '';
    }

    private static function rpc(string $session, string $method, string $params = '{}'): array
    {
        return self::ask('POST', "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"{$method}\", \"params\": {$params}}", [BOTH, $session]);
    }
}
