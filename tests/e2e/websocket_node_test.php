<?php

declare(strict_types=1);

/* Node's client of the package ws, with and without compression, against Swoole\WebSocket\Server. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';

$report = new Report();
$folder = NodePackages::folder();
$server = new Server('websocket', ['websocket_compression' => true]);
$command = ['timeout', '60', 'node', __DIR__ . '/apps/node_websocket.cjs', $folder, (string) $server->port];
exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
$seen = json_decode(implode("\n", $output), true);
if (!$report->check('the client comes to its end', $status === 0 && is_array($seen), implode("\n", $output))) {
    $report->finish();
}
$large = '1 true 150000 ' . md5(str_repeat('x', 150000));
$extensions = [
    'plain' => '',
    'deflate' => 'permessage-deflate',
    'forgetful' => 'permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10',
];
foreach ($extensions as $kind => $extension) {
    $got = $seen[$kind];
    $report->check("$kind: the extensions", str_starts_with(is_array($got['extensions']) ? implode('; ', $got['extensions']) : (string) $got['extensions'], explode(';', $extension)[0]), (string) json_encode($got['extensions']));
    $report->same("$kind: open", 'open /  true', $got['open']);
    $report->same("$kind: a text", '1 true 5 ' . md5('hello'), $got['hello']);
    $report->same("$kind: a large one", $large, $got['large']);
    $report->same("$kind: one in pieces", '1 true 9 ' . md5('in pieces'), $got['pieces']);
    $report->same("$kind: bytes", ['cba', true], $got['binary']);
    $report->same("$kind: a pong", 'are you there', $got['pong']);
    $report->same("$kind: what the server compresses", [strlen('news ') * 2000, 'news'], $got['squeezed']);
    $report->same("$kind: the close frame", 3500, $got['close']);
}
$report->same('a broadcast to 50', ['told 49', 49], $seen['many']);
$report->same('another version', 426, $seen['refused']);
$report->same('the server ends well', 0, $server->stop());
$report->finish();
