<?php

declare(strict_types=1);

/* Node's client of the package ws, with and without compression, against Swoole\WebSocket\Server. */

namespace Stampede\Tests\E2e;

final class websocket_node_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $folder = NodePackages::folder();
        $server = new Server('websocket', ['websocket_compression' => true]);
        $command = ['timeout', '60', 'node', __DIR__ . '/apps/node_websocket.cjs', $folder, (string) $server->port];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
        $seen = json_decode(implode("\n", $output), true);
        if (!$this->check('the client comes to its end', $status === 0 && is_array($seen), implode("\n", $output))) {
            return;
        }
        $large = '1 true 150000 ' . md5(str_repeat('x', 150000));
        $extensions = [
            'plain' => '',
            'deflate' => 'permessage-deflate',
            'forgetful' => 'permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10',
        ];
        foreach ($extensions as $kind => $extension) {
            $got = $seen[$kind];
            $this->check("$kind: the extensions", str_starts_with(is_array($got['extensions']) ? implode('; ', $got['extensions']) : (string) $got['extensions'], explode(';', $extension)[0]), (string) json_encode($got['extensions']));
            $this->same("$kind: open", 'open /  true', $got['open']);
            $this->same("$kind: a text", '1 true 5 ' . md5('hello'), $got['hello']);
            $this->same("$kind: a large one", $large, $got['large']);
            $this->same("$kind: one in pieces", '1 true 9 ' . md5('in pieces'), $got['pieces']);
            $this->same("$kind: bytes", ['cba', true], $got['binary']);
            $this->same("$kind: a pong", 'are you there', $got['pong']);
            $this->same("$kind: what the server compresses", [strlen('news ') * 2000, 'news'], $got['squeezed']);
            $this->same("$kind: the close frame", 3500, $got['close']);
        }
        $this->same('a broadcast to 50', ['told 49', 49], $seen['many']);
        $this->same('another version', 426, $seen['refused']);
        $this->same('the server ends well', 0, $server->stop());
    }
}
