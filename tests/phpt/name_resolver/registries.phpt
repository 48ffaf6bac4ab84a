--TEST--
The requests that name resolvers make to Consul and Nacos, and what they take from the responses
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Http\Server;
use Swoole\NameResolver\Consul;
use Swoole\NameResolver\Exception;
use Swoole\NameResolver\Nacos;

Coroutine\run(static function (): void {
    $server = new Server('127.0.0.1', 0);
    $server->handle('/', static function ($request, $response): void {
        $target = $request->server['request_uri'] . (isset($request->server['query_string']) ? "?{$request->server['query_string']}" : '');
        echo $request->server['request_method'], ' ', $target, $request->getContent() === '' ? '' : ' ' . $request->getContent(), "\n";
        if (str_ends_with($target, 'refused')) {
            $response->status(403);
        }
        $response->end(match (true) {
            str_starts_with($target, '/v1/catalog/service/swoole_service_web') => json_encode([
                ['Address' => '10.0.0.9', 'ServiceAddress' => '10.0.0.1', 'ServicePort' => 80, 'ServiceWeights' => ['Passing' => 5]],
                ['Address' => '10.0.0.9', 'ServiceAddress' => '', 'ServicePort' => 81],
            ]),
            str_starts_with($target, '/nacos/v1/ns/instance/list?serviceName=swoole_service_web') => json_encode(['hosts' => [
                ['ip' => '10.0.0.1', 'port' => 80, 'weight' => 1.0, 'healthy' => true, 'enabled' => true],
                ['ip' => '10.0.0.2', 'port' => 80, 'weight' => 1.0, 'healthy' => false, 'enabled' => true],
            ]]),
            str_ends_with($target, 'refused') => 'not allowed',
            str_contains($target, 'catalog') => '[]',
            str_contains($target, 'list') => '{"hosts":[]}',
            default => 'ok',
        });
    });
    Coroutine::create(static fn () => $server->start());
    foreach ([Consul::class, Nacos::class] as $class) {
        $resolver = new $class("http://127.0.0.1:{$server->port}/");
        var_dump($resolver->join('web', '10.0.0.1', 80, ['weight' => 7]), $resolver->leave('web', '10.0.0.1', 80));
        if ($resolver instanceof Consul) {
            var_dump($resolver->enableMaintenanceMode('web', '10.0.0.1', 80));
        }
        $cluster = $resolver->getCluster('web');
        $nodes = [];
        while (($node = $cluster->pop()) !== false) {
            $nodes[] = "{$node['host']}:{$node['port']}";
        }
        sort($nodes);
        echo implode(' ', $nodes), "\n";
        var_dump($resolver->getCluster('other'));
        try {
            $resolver->getCluster('refused');
        } catch (Exception $error) {
            echo $error->getCode(), ' ', str_replace((string) $server->port, 'PORT', $error->getMessage()), "\n";
        }
    }
    $server->shutdown();
    $nobody = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($nobody, false);
    fclose($nobody);
    try {
        (new Consul("http://{$address}"))->getCluster('web');
    } catch (Exception $error) {
        echo str_replace($address, 'ADDRESS', $error->getMessage()), "\n";
    }
    try {
        new Nacos('127.0.0.1');
    } catch (Exception $error) {
        echo $error->getMessage(), "\n";
    }
});
?>
--EXPECT--
PUT /v1/agent/service/register {"ID":"swoole_service_web_10.0.0.1:80","Name":"swoole_service_web","Address":"10.0.0.1","Port":80,"EnableTagOverride":false,"Weights":{"Passing":7,"Warning":1}}
PUT /v1/agent/service/deregister/swoole_service_web_10.0.0.1%3A80 {}
bool(true)
bool(true)
PUT /v1/agent/service/maintenance/swoole_service_web_10.0.0.1%3A80?enable=true {}
bool(true)
GET /v1/catalog/service/swoole_service_web
10.0.0.1:80 10.0.0.9:81
GET /v1/catalog/service/swoole_service_other
NULL
GET /v1/catalog/service/swoole_service_refused
403 http://127.0.0.1:PORT: not allowed
POST /nacos/v1/ns/instance?ip=10.0.0.1&port=80&weight=7&serviceName=swoole_service_web
DELETE /nacos/v1/ns/instance?ip=10.0.0.1&port=80&serviceName=swoole_service_web
bool(true)
bool(true)
GET /nacos/v1/ns/instance/list?serviceName=swoole_service_web
10.0.0.1:80
GET /nacos/v1/ns/instance/list?serviceName=swoole_service_other
NULL
GET /nacos/v1/ns/instance/list?serviceName=swoole_service_refused
403 http://127.0.0.1:PORT: not allowed
http://ADDRESS: Connection refused
"127.0.0.1" is no address of a server: give it as scheme://host:port.
