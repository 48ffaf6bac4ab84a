--TEST--
Clients connect to the nodes that a name resolver knows, and to the next one when a node is not there
--FILE--
<?php
use Swoole\Coroutine;
use Swoole\Coroutine\Client;
use Swoole\Coroutine\Http\Client as HttpClient;
use Swoole\Coroutine\Socket;
use Swoole\NameResolver;
use Swoole\NameResolver\Cluster;
use Swoole\NameResolver\Context;
use Swoole\NameResolver\Exception;

final class Known extends NameResolver
{
    public array $asked = [];

    public function __construct(private array $services)
    {
        parent::__construct('test://127.0.0.1');
    }

    public function join(string $name, string $ip, int $port, array $options = []): bool
    {
        $this->services[$name][] = [$ip, $port, $options['weight'] ?? 100];
        return true;
    }

    public function leave(string $name, string $ip, int $port): bool
    {
        unset($this->services[$name]);
        return true;
    }

    public function getCluster(string $name): ?Cluster
    {
        $this->asked[] = $name;
        Coroutine::sleep(0.001);  // a registry is asked over the network
        if (!isset($this->services[$name])) {
            return null;
        }
        $cluster = new Cluster();
        foreach ($this->services[$name] as [$ip, $port, $weight]) {
            $cluster->add($ip, $port, $weight);
        }
        return $cluster;
    }
}

function serve(string $name): int
{
    $server = new Socket(AF_INET, SOCK_STREAM, 0);
    $server->bind('127.0.0.1', 0);
    $server->listen();
    Coroutine::create(static function () use ($server, $name): void {
        while ($peer = $server->accept(5)) {
            $peer->recv();
            $peer->sendAll("HTTP/1.1 200 OK\r\nContent-Length: " . strlen($name) . "\r\nConnection: close\r\n\r\n$name");
            $peer->close();
        }
    });
    return $server->getsockname()['port'];
}

function nowhere(): int
{
    $socket = new Socket(AF_INET, SOCK_STREAM, 0);
    $socket->bind('127.0.0.1', 0);
    return $socket->getsockname()['port'];
}

function ask(string $host): string
{
    $client = new HttpClient($host, 1);
    $client->set(['timeout' => 5]);
    return $client->get('/') ? $client->body : "{$client->errCode}";
}

Coroutine\run(static function (): void {
    $alone = serve('alone');
    $resolver = new Known(['one.service' => [['127.0.0.1', $alone, 100]]]);
    var_dump(swoole_name_resolver_add($resolver), swoole_name_resolver_add($resolver));
    echo ask('one.service'), "\n";

    $client = new Client(SWOOLE_SOCK_TCP);
    var_dump($client->connect('one.service', 1, 5));
    $client->send("GET / HTTP/1.0\r\n\r\n");
    echo substr(strstr($client->recv(5), "\r\n\r\n"), 4), "\n";

    $socket = new Socket(AF_INET, SOCK_STREAM, 0);
    var_dump($socket->connect('one.service', 1, 5), $socket->getpeername()['port'] === $alone);
    $socket->close();

    // Nodes that are not there are passed over, whichever is chosen first.
    foreach ([1, 2, 3] as $ignored) {
        $resolver->join('some.service', '127.0.0.1', nowhere());
    }
    $resolver->join('some.service', '127.0.0.1', serve('the one that is there'));
    echo implode(' ', array_unique(array_map(static fn (): string => ask('some.service'), range(1, 10)))), "\n";

    // No such service: nothing else is asked. A name that the filter leaves out: the next one, here the hosts file.
    var_dump(ask('none.service') === (string) SWOOLE_ERROR_DNSLOOKUP_RESOLVE_FAILED);
    $resolver->withFilter(static fn (string $name): bool => str_ends_with($name, '.service'));
    var_dump($resolver->hasFilter(), is_callable($resolver->getFilter()));
    var_dump(filter_var(swoole_name_resolver_lookup('localhost', new Context()), FILTER_VALIDATE_IP) !== false, in_array('localhost', $resolver->asked, true));

    $context = new Context(AF_INET, true);
    $seen = [];
    for ($i = 0; $i < 4; $i++) {
        $seen[] = swoole_name_resolver_lookup('some.service', $context);
    }
    // All have been taken: they are looked up anew.
    var_dump(count(array_unique($seen)), in_array(swoole_name_resolver_lookup('some.service', $context), $seen, true), swoole_name_resolver_lookup('one.service', new Context()));

    // Weights, and what is no node.
    $first = [];
    for ($i = 0; $i < 200; $i++) {
        $cluster = new Cluster();
        $cluster->add('10.0.0.1', 1, 100);
        $cluster->add('::1', 2, 1);
        $first[] = $cluster->pop()['host'];
    }
    var_dump(count(array_keys($first, '10.0.0.1', true)) > 150, (function (): array {
        $cluster = new Cluster();
        $cluster->add('::1', 2);
        return $cluster->pop();
    })());
    foreach ([['a.name', 1, 1], ['10.0.0.1', 70000, 1], ['10.0.0.1', 1, 101]] as $bad) {
        try {
            (new Cluster())->add(...$bad);
        } catch (Exception $error) {
            echo $error->getMessage(), "\n";
        }
    }

    var_dump(swoole_name_resolver_remove($resolver), swoole_name_resolver_remove($resolver));
    $resolver = new Known(['localhost' => [['127.0.0.1', $alone, 100]]]);
    swoole_name_resolver_add($resolver);
    echo ask('localhost'), "\n";
    swoole_name_resolver_remove($resolver);
    var_dump(ask('localhost') === (string) SOCKET_ECONNREFUSED, count($resolver->asked));

    Coroutine::set(['name_resolver' => [$resolver]]);
    echo ask('localhost'), "\n";
    try {
        Coroutine::set(['name_resolver' => ['10.0.0.1']]);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
});
?>
--EXPECT--
bool(true)
bool(false)
alone
bool(true)
alone
bool(true)
bool(true)
the one that is there
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
int(4)
bool(true)
string(9) "127.0.0.1"
bool(true)
array(3) {
  ["host"]=>
  string(3) "::1"
  ["port"]=>
  int(2)
  ["weight"]=>
  int(100)
}
"a.name" is no IP address.
70000 is no port: it must be from 0 to 65535.
101 is no weight: it must be from 0 to 100.
bool(true)
bool(false)
alone
bool(true)
int(1)
alone
The option name_resolver takes objects of Swoole\NameResolver, string given
