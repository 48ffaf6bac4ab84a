<?php

declare(strict_types=1);

namespace App;

use Doctrine\Bundle\DoctrineBundle\DoctrineBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Component\VarDumper\VarDumper;

final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new DoctrineBundle()];
    }

    public function hello(string $name): Response
    {
        return new JsonResponse(['hello' => $name, 'mode' => $_SERVER['APP_RUNTIME_MODE'], 'services' => $this->container->get('counter')->count()]);
    }

    public function stream(): Response
    {
        return new StreamedResponse(function (): void {
            for ($i = 1; $i <= 3; $i++) {
                echo "part {$i}\n";
                ob_flush();
                flush();
            }
        });
    }

    /** Streams that do with their output what code does that was written for other web servers. */
    public function streamed(string $kind): Response
    {
        return new StreamedResponse(static function () use ($kind): void {
            echo 'first ';
            match ($kind) {
                'bare' => ob_end_clean(),
                'clean' => ob_clean(),
                'throw' => throw new \RuntimeException('in a stream'),
                default => ob_flush(),
            };
            flush();
            if ($kind === 'throw-later') {
                throw new \RuntimeException('in a stream');
            }
            for ($i = 0; $kind === 'endless' && $i < 2000; $i++) {
                echo str_repeat('x', 10_000);
                ob_flush();
                flush();
                usleep(5000);
                file_put_contents(dirname(__DIR__) . '/loops', (string) $i);
            }
            echo 'second';
            if ($kind === 'exit') {
                exit(' third');
            }
        });
    }

    public function error(): Response
    {
        return new Response(strlen([]));
    }

    public function warning(): Response
    {
        return new Response("after {$undefined}");
    }

    public function words(): Response
    {
        return (new Response('words'))->setStatusCode(299, 'Own Words');
    }

    public function exit(): Response
    {
        header('Content-Type: text/csv');
        header('X-Native: yes');
        http_response_code(202);
        echo "a,b\n";
        exit;
    }

    public function late(string $end): Response
    {
        register_shutdown_function(static fn () => print("late\nFORGED \x1b[31m"));
        $this->container->get('counter')->fails = $end === 'reset';
        return $end === 'exit' ? exit('exited ') : new Response('returned');
    }

    public function dd(): Response
    {
        VarDumper::dump(['dumped']);
        exit(1); // as dd() does it
    }

    public function transaction(string $end): Response
    {
        $connection = $this->container->get('doctrine')->getConnection();
        $level = (string) $connection->getTransactionNestingLevel();
        $connection->beginTransaction();
        $connection->beginTransaction();
        echo $level;
        return match ($end) {
            'exit' => exit,
            'throw' => throw new \RuntimeException('in a transaction'),
            default => new Response("{$level} before"),
        };
    }

    public function file(): Response
    {
        return new BinaryFileResponse(__FILE__);
    }

    public function form(Request $request): Response
    {
        $file = $request->files->get('file');
        return new JsonResponse(['size' => $file->getSize(), 'name' => $file->getClientOriginalName(), 'fields' => $request->request->all()]);
    }

    public function visits(Request $request): Response
    {
        $before = isset($_SESSION) ? 'a session' : 'none';
        $session = $request->getSession();
        $session->set('visits', $session->get('visits', 0) + 1);
        return new Response('visits ' . $session->get('visits'), 200, ['X-Before' => $before]);
    }

    /** Prints in front of its response, and begins a session afterwards. */
    public function prints(Request $request, string $size): Response
    {
        echo str_repeat('x', (int) $size);
        flush();
        ob_start();
        echo ' left open ';
        $request->getSession()->set('size', $size);
        return new Response('body', 201, ['X-Own' => 'yes', 'Content-Length' => '4']);
    }

    /** What is set while a service is made, and what a controller sets. */
    public function settings(): Response
    {
        $before = [date_default_timezone_get(), bcscale(), ini_get('precision'), get_include_path(), libxml_use_internal_errors(), in_array('made', stream_get_wrappers(), true), ini_get('serialize_precision')];
        $this->container->get('settings');
        ini_set('serialize_precision', '5');
        return new JsonResponse([$before, [date_default_timezone_get(), bcscale(), ini_get('precision'), get_include_path(), libxml_use_internal_errors(), in_array('made', stream_get_wrappers(), true), ini_get('serialize_precision')]]);
    }

    /** Beside many others: whether what belongs to the request is still there after a wait. */
    public function own(Request $request): Response
    {
        static $now = 0, $most = 0;
        $most = max($most, ++$now);
        $id = $request->query->get('id');
        setcookie('also', $id);
        $session = $request->getSession();
        $session->setId("id{$id}");
        $session->set('id', $id);
        $count = $this->container->get('counter')->count();
        $wrong = [];
        for ($i = 0; $i < 3; $i++) {
            usleep(random_int(1, 3000));
            $stack = $this->container->get('request_stack');
            $seen = [$id, $_GET['id'], $_SERVER['HTTP_X_ID'], $stack->getMainRequest()->query->get('id'), $stack->getSession()->get('id'), (string) $_SESSION['_sf2_attributes']['id']];
            if (array_unique($seen) !== [$id] || $count !== 1) {
                $wrong[] = implode(' ', $seen);
            }
        }
        $now--;
        $session->invalidate();
        $response = new JsonResponse(['id' => $id, 'most' => $most, 'wrong' => $wrong], 400 + $id % 7, ['X-Id' => $id]);
        $response->headers->setCookie(new Cookie('id', $id));
        return $response;
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => 'of the tests',
            'http_method_override' => false,
            'session' => ['storage_factory_id' => 'session.storage.factory.native', 'handler_id' => null],
        ]);
        $container->extension('doctrine', ['dbal' => ['url' => 'sqlite:///:memory:']]);
        $container->services()->set('settings', Settings::class)->public();
        $container->services()->set('counter', Counter::class)->public()->tag('kernel.reset', ['method' => 'reset']);
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        foreach (['hello' => '/hello/{name}', 'stream' => '/stream', 'streamed' => '/streamed/{kind}', 'error' => '/error', 'words' => '/words', 'warning' => '/warning', 'file' => '/file', 'form' => '/form', 'visits' => '/visits', 'own' => '/own', 'exit' => '/exit', 'dd' => '/dd', 'late' => '/late/{end}', 'transaction' => '/transaction/{end}', 'prints' => '/prints/{size}', 'settings' => '/settings'] as $method => $path) {
            $routes->add($method, $path)->controller([$this, $method]);
        }
    }
}
