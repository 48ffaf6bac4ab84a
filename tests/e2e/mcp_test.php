<?php

declare(strict_types=1);

/* examples/mcp: the protocol as an assistant speaks it, rightly and wrongly, and a thousand of them at once. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

const CLIENTS = 1000;
const BOTH = 'Accept: application/json, text/event-stream';

$report = new Report();
$example = dirname(__DIR__, 2) . '/examples/mcp';
$folder = External::folder();
mkdir("{$folder}/sub");
file_put_contents("{$folder}/first.md", "# First\nA horse, and another Horse.\n");
file_put_contents("{$folder}/sub/second.md", "# Second\nNothing of that kind.\n");
file_put_contents("{$folder}/secret.txt", "a horse\n");
for ($i = 0; $i < 800; $i++) {
    file_put_contents("{$folder}/sub/page{$i}.md", "Page {$i}\n");
}
$php = [...phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')), '-d', 'memory_limit=512M'];
$port = Server::freePort();
$server = new Companion([...$php, "{$example}/server.php", "127.0.0.1:{$port}", $folder]);
$server->waitForPort($port);

$send = static function (string $method, string $body, array $fields) use ($port): Peer {
    $peer = new Peer("tcp://127.0.0.1:{$port}");
    $length = $body === '' ? '' : 'Content-Length: ' . strlen($body) . "\r\n";
    $peer->send(["{$method} /mcp HTTP/1.1\r\nHost: localhost:{$port}\r\nConnection: close\r\n{$length}" . implode('', array_map(static fn (string $field): string => "{$field}\r\n", $fields)) . "\r\n{$body}"]);
    return $peer;
};
/** @return array{int, array<string, mixed>|null, string} status, JSON, head */
$ask = static function (string $method, string $body = '', array $fields = [BOTH]) use ($send): array {
    $bytes = $send($method, $body, $fields)->readToEnd(30.0);
    $answer = Answer::all($bytes, [$method])[0] ?? null;
    return [$answer->status ?? 0, json_decode($answer->body ?? '', true), explode("\r\n\r\n", $bytes)[0]];
};
$open = static function () use ($ask): string {
    [, , $head] = $ask('POST', '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}}');
    return preg_match('/^Mcp-Session-Id: ([0-9a-f]{32})\r?$/m', $head, $found) === 1 ? "Mcp-Session-Id: {$found[1]}" : '';
};
$rpc = static fn (string $session, string $method, string $params = '{}'): array => $ask('POST', "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"{$method}\", \"params\": {$params}}", [BOTH, $session]);

// ---- a session
[$status, $json] = $ask('POST', '{"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}}');
$report->same('initialize: the version that was asked for', [200, 'a', '2025-03-26', 'pages'], [$status, $json['id'], $json['result']['protocolVersion'], $json['result']['serverInfo']['name']]);
$report->same('a version that is not known: the newest', '2025-06-18', $ask('POST', '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}}')[1]['result']['protocolVersion']);
$session = $open();
$report->check('a session has an id', $session !== '');
$report->same('a notification', 202, $ask('POST', '{"jsonrpc": "2.0", "method": "notifications/initialized"}', [BOTH, $session])[0]);
$report->same('the tools', ['list_pages', 'read_page', 'search_pages'], array_column($rpc($session, 'tools/list')[1]['result']['tools'], 'name'));
$report->same('a page', "# First\nA horse, and another Horse.\n", $rpc($session, 'tools/call', '{"name": "read_page", "arguments": {"page": "first.md"}}')[1]['result']['content'][0]['text']);
$report->same('a search', 'first.md:2: A horse, and another Horse.', $rpc($session, 'tools/call', '{"name": "search_pages", "arguments": {"words": "HORSE"}}')[1]['result']['content'][0]['text']);
$report->same('a resource', "# Second\nNothing of that kind.\n", $rpc($session, 'resources/read', '{"uri": "page:///sub/second.md"}')[1]['result']['contents'][0]['text']);
foreach (['../../../etc/passwd', 'secret.txt', '/etc/passwd', 'sub'] as $name) {
    $report->same("no page: {$name}", -32602, $rpc($session, 'tools/call', json_encode(['name' => 'read_page', 'arguments' => ['page' => $name]]))[1]['error']['code'] ?? null);
}
$report->same('a method, a tool, an argument that is not there', [-32601, -32602, -32602], array_map(static fn (array $given): int => $rpc($session, ...$given)[1]['error']['code'] ?? 0, [['nothing/at_all'], ['tools/call', '{"name": "nothing"}'], ['tools/call', '{"name": "read_page"}']]));
$report->same('ping', [], $rpc($session, 'ping')[1]['result']);

// ---- what is no request of the protocol
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
    $report->same($name, $status, $ask('POST', ...$given)[0]);
}
$report->same('another method', 405, $ask('PUT', '{}')[0]);

// ---- progress and cancelling
$body = static fn (int $id): string => "{\"jsonrpc\": \"2.0\", \"id\": {$id}, \"method\": \"tools/call\", \"params\": {\"name\": \"search_pages\", \"arguments\": {\"words\": \"horse\"}, \"_meta\": {\"progressToken\": \"p\"}}}";
$bytes = $send('POST', $body(8), [BOTH, $session])->readToEnd(60.0);
$report->check('a call with progress is a stream', str_contains($bytes, 'Content-Type: text/event-stream') && str_contains($bytes, '"progressToken":"p","progress":802,"total":802'), $bytes);
$report->check('its last event is the result', preg_match('/.*data: (\{.*\})\n\n/s', $bytes, $found) === 1 && (json_decode($found[1], true)['result']['content'][0]['text'] ?? '') === 'first.md:2: A horse, and another Horse.', substr($bytes, -400));
// The call lasts a second or so: on a busy machine the cancellation may come too late, and the next one is tried.
for ($try = 0; $try < 10 && ($try === 0 || str_contains($peer->received(), '"result"')); $try++) {
    $peer = $send('POST', $body(9), [BOTH, $session]);
    $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"progress":3,'));
    $cancelled = $ask('POST', '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}', [BOTH, $session])[0];
    $peer->readToEnd(60.0);
}
$report->same('its cancellation', 202, $cancelled);
$report->check('ends it without a result', !str_contains($peer->received(), '"result"') && $peer->ended(), substr($peer->received(), -300));

// ---- the server speaks
$stream = $send('GET', '', ['Accept: text/event-stream', $session]);
$stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'text/event-stream'));
file_put_contents("{$folder}/new.md", "new\n");
$report->check('a client that listens hears of a changed page', str_contains($stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'list_changed'), 30.0), '{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}'));
$report->same('DELETE ends the session', [204, 404], [$ask('DELETE', '', [$session])[0], $rpc($session, 'ping')[0]]);
$report->check('and its stream', str_contains($stream->readToEnd(10.0), "0\r\n\r\n") && $stream->ended());

// ---- many
$listeners = new Companion([...$php, "{$example}/listeners.php", '127.0.0.1', (string) $port, (string) CLIENTS]);
$report->same('a thousand clients of one worker', 'all', $listeners->firstLine(90.0));
Server::until(1.0, static fn (): bool => false); // ordinary requests beside silent streams
file_put_contents("{$folder}/new.md", "newer\n");
$report->same('each is told', 0, $listeners->waitForEnd(90.0));
$result = json_decode(substr($listeners->output(), 4), true);
$report->check('while ordinary requests are served at once', ($result['told'] ?? 0) === CLIENTS && $result['requests'] > 10 && $result['p50'] < 50.0 && $result['p99'] < 1000.0, $listeners->output());
echo "# {$listeners->output()}";
$report->check('nothing has failed on the way', !str_contains($server->output(), 'Stack trace'), $server->output());
$session = $open();
$stream = $send('GET', '', ['Accept: text/event-stream', $session]);
$stream->readUntil(static fn (string $bytes): bool => str_contains($bytes, 'text/event-stream'));
$server->signal(SIGTERM);
$report->check('a server that ends ends its streams', str_contains($stream->readToEnd(20.0), "0\r\n\r\n"), $stream->received());
$report->same('and itself', 0, $server->waitForEnd(20.0));
exec('rm -rf ' . escapeshellarg($folder));
$report->finish();
