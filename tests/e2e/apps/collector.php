<?php

declare(strict_types=1);

/*
 * A collector of OpenTelemetry: takes spans by OTLP as JSON, and gives them as a list at /spans. With a delay it responds late, as a collector with much to do. At
 * /headers it gives back the fields that it was sent, after the milliseconds in the query. Takes events of Sentry, too: /events.
 */

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

$delay = (float) ($argv[2] ?? 0);
$spans = $events = [];
$server = new Server('127.0.0.1', (int) $argv[1], SWOOLE_BASE);
$server->set(['worker_num' => 1, 'package_max_length' => 64 << 20, 'enable_coroutine' => true]);
$server->on('request', static function (Request $request, Response $response) use (&$spans, &$events, $delay): void {
    $path = $request->server['path_info'];
    if ($path === '/spans') {
        $response->end(json_encode($spans, JSON_THROW_ON_ERROR));
        return;
    }
    if ($path === '/events') {
        $response->end(json_encode($events, JSON_THROW_ON_ERROR));
        return;
    }
    if (str_ends_with($path, '/envelope/')) { // of Sentry: lines of JSON
        $lines = explode("\n", ($request->header['content-encoding'] ?? '') === 'gzip' ? (string) gzdecode((string) $request->rawContent()) : (string) $request->rawContent());
        $event = json_decode($lines[2] ?? '', true);
        $events[] = [$event['exception']['values'][0]['value'] ?? '', $event['tags']['request'] ?? ''];
        $response->end('{}');
        return;
    }
    if ($path === '/headers') {
        Coroutine::sleep(max(0.001, (int) ($request->server['query_string'] ?? 1) / 1000));
        $response->end(json_encode($request->header, JSON_THROW_ON_ERROR));
        return;
    }
    $delay > 0 && Coroutine::sleep($delay);
    foreach (json_decode((string) $request->rawContent(), true)['resourceSpans'] ?? [] as $resource) {
        foreach ($resource['scopeSpans'] ?? [] as $scope) {
            foreach ($scope['spans'] ?? [] as $span) {
                $attributes = [];
                foreach ($span['attributes'] ?? [] as $attribute) {
                    $attributes[$attribute['key']] = array_values($attribute['value'])[0] ?? null;
                }
                $spans[] = [
                    'trace' => $span['traceId'], 'id' => $span['spanId'], 'parent' => $span['parentSpanId'] ?? '', 'name' => $span['name'], 'kind' => $span['kind'] ?? 0,
                    'ms' => ((int) $span['endTimeUnixNano'] - (int) $span['startTimeUnixNano']) / 1e6, 'status' => $span['status']['code'] ?? 0,
                    'events' => $span['events'] ?? [], 'links' => array_column($span['links'] ?? [], 'spanId'), 'attributes' => $attributes,
                ];
            }
        }
    }
    $response->header('Content-Type', 'application/json');
    $response->end('{}');
});
$server->start();
