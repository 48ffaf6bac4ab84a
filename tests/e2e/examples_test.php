<?php

declare(strict_types=1);

/* The example applications, served by the command stampede as their pages say. */

namespace Stampede\Tests\E2e;

require __DIR__ . '/lib/bootstrap.php';
require_once __DIR__ . '/lib/External.php';
require_once __DIR__ . '/lib/Application.php';

$report = new Report();
foreach ([
    'plain' => ['/anything', "Visit 1 of /anything\n"],
    'slim' => ['/hello/you', "Hello you\n"],
    'symfony' => ['/hello/you', '{"hello":"you"}'],
] as $name => [$path, $body]) {
    $app = new Application("examples/{$name}");
    $report->check("examples/{$name} is served", $app->serve(['--workers=1', '--env=prod']), $app->output());
    $report->same("examples/{$name}: a request", [200, $body], [($response = $app->ask($path))[0], $response[2]]);
    unset($app);
}

$app = new Application('examples/realtime');
$report->check('examples/realtime is served', $app->serve(), $app->output());
$report->check('its page', preg_match('~Served at \d\d:~', $app->ask('/')[2]) === 1);
$address = "tcp://127.0.0.1:{$app->port}";
[$one, $other] = [new WebSocketPeer($address, '/chat'), new WebSocketPeer($address, '/chat')];
$other->send('to all');
$report->same('its chat', ['to all', 'to all'], [$one->text(), $other->text()]);
$clock = new Peer($address);
$clock->send(["GET /clock HTTP/1.1\r\nHost: a\r\n\r\n"]);
$report->check('its clock', preg_match('/data: \d\d:\d\d:\d\d\n.*data: /s', $clock->readUntil(static fn (string $bytes): bool => substr_count($bytes, 'data: ') > 1)) === 1);
unset($app);

$report->finish();
