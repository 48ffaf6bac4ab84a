<?php

declare(strict_types=1);

namespace App;

use GuzzleHttp\Client;
use OpenTelemetry\API\Globals;
use OpenTelemetry\API\Trace\Span;
use PDO;
use Stampede\Telemetry;
use Swoole\ConnectionPool;
use Swoole\Coroutine;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpClient\CurlHttpClient;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** Requests with coroutines and calls of everything that has spans. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle()];
    }

    /** Children that run at once, each with a span of its own and one below it; all of them say whose request they are. */
    public function children(string $id): Response
    {
        $tracer = Globals::tracerProvider()->getTracer('app');
        $group = new Coroutine\WaitGroup();
        foreach (range(1, 5) as $number) {
            $group->add();
            Coroutine::create(static function () use ($tracer, $group, $id, $number): void {
                $span = $tracer->spanBuilder("child {$number}")->setAttribute('request', $id)->startSpan();
                $scope = $span->activate();
                usleep(random_int(100, 3000));
                $inner = $tracer->spanBuilder("inner {$number}")->setAttribute('request', $id)->startSpan();
                usleep(random_int(100, 3000));
                $inner->end();
                $scope->detach();
                $span->end();
                $group->done();
            });
        }
        usleep(random_int(100, 3000));
        $group->wait();
        return new JsonResponse(Span::getCurrent()->getContext()->getTraceId());
    }

    /** One call of each client; those of MySQL, PostgreSQL and HTTP take as long as is asked for. */
    public function calls(int $ms): Response
    {
        $collector = $_SERVER['TEST_COLLECTOR'];
        $mysql = new PDO("mysql:host=127.0.0.1;port={$_SERVER['TEST_MYSQL']};dbname=mysql", 'root', '');
        $mysql->query("SELECT SLEEP({$ms} / 1000), 'secret'")->fetchAll();
        $statement = $mysql->prepare('SELECT user FROM user WHERE host = ?');
        $statement->execute(['secret']);
        $mysqli = mysqli_connect('127.0.0.1', 'root', '', 'mysql', (int) $_SERVER['TEST_MYSQL']);
        $mysqli->query('SELECT 2 FROM user');
        $pgsql = new PDO("pgsql:host=127.0.0.1;port={$_SERVER['TEST_PGSQL']};dbname=postgres;user=postgres");
        $pgsql->query('SELECT pg_sleep(' . $ms / 1000 . ')');
        try {
            $pgsql->query("SELECT 'secret'::int"); // whose message quotes the value
        } catch (\PDOException) {
        }
        $native = pg_connect("host=127.0.0.1 port={$_SERVER['TEST_PGSQL']} dbname=postgres user=postgres");
        pg_query_params($native, 'SELECT $1::int', [7]);
        (new PDO('sqlite::memory:'))->query('SELECT 3');
        $redis = new \Redis();
        $redis->connect('127.0.0.1', (int) $_SERVER['TEST_REDIS']);
        $redis->set('secret', 'secret');
        $curl = curl_init("{$collector}/headers?{$ms}");
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['X-Own: yes']]);
        return new JsonResponse([
            'curl again' => [json_decode((string) curl_exec($curl), true), json_decode((string) curl_exec($curl), true)][1],
            'plain stream' => json_decode((string) file_get_contents("{$collector}/headers"), true),
        ] + self::carried());
    }

    /** What the next server gets of each client's fields. */
    public function carries(): Response
    {
        return new JsonResponse(self::carried());
    }

    /** @return array<string, mixed> */
    private static function carried(): array
    {
        $url = "{$_SERVER['TEST_COLLECTOR']}/headers";
        $curl = curl_init($url);
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['X-Own: yes']]);
        return [
            'trace' => Span::getCurrent()->getContext()->getTraceId(),
            'curl' => json_decode((string) curl_exec($curl), true),
            'guzzle' => json_decode((string) (new Client())->get($url, ['headers' => ['X-Own' => 'yes']])->getBody(), true),
            'symfony' => (new CurlHttpClient())->request('GET', $url, ['headers' => ['X-Own' => 'yes']])->toArray(),
            'stream' => json_decode((string) file_get_contents($url, false, stream_context_create(['http' => ['header' => "X-Own: yes\r\n"]])), true),
        ];
    }

    /** Says who it is, lets others do so, and fails. */
    public function fails(string $id): Response
    {
        SentryAgent::tag($id);
        usleep(random_int(100, 5000));
        throw new \DomainException("{$id} fails");
    }

    /** Work that goes on after the response, and one that waits for a connection of a pool. */
    public function jobs(): Response
    {
        $carrier = Telemetry::carrier();
        Coroutine::create(static fn () => Telemetry::job('after the response', $carrier, static function (): void {
            usleep(50_000);
            (new PDO('sqlite::memory:'))->exec('SELECT 4');
        }));
        $pool = new ConnectionPool(static fn (): \stdClass => new \stdClass(), 1);
        $first = $pool->get();
        Coroutine::create(static function () use ($pool, $first): void {
            usleep(30_000);
            $pool->put($first);
        });
        $pool->get();
        return new JsonResponse(Span::getCurrent()->getContext()->getSpanId());
    }

    public function plain(): Response
    {
        usleep(2000);
        return new Response('plain');
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 'x', 'test' => false, 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('children', '/children/{id}')->controller([$this, 'children']);
        $routes->add('calls', '/calls/{ms}')->controller([$this, 'calls']);
        $routes->add('fails', '/fails/{id}')->controller([$this, 'fails']);
        $routes->add('jobs', '/jobs')->controller([$this, 'jobs']);
        $routes->add('carries', '/carries')->controller([$this, 'carries']);
        $routes->add('plain', '/plain')->controller([$this, 'plain']);
    }
}
