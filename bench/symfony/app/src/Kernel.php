<?php

declare(strict_types=1);

namespace App;

use App\Controller\Catalogue;
use Doctrine\Bundle\DoctrineBundle\DoctrineBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\MonologBundle\MonologBundle;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** An application with the bundles of a usual one, hundreds of services with a class each, subscribers, voters and routes. */
final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    private const ROUTES = 150;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new TwigBundle(), new SecurityBundle(), new DoctrineBundle(), new MonologBundle()];
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', [
            'secret' => 'of a benchmark',
            'http_method_override' => false,
            'router' => ['utf8' => true],
            'translator' => ['default_path' => '%kernel.project_dir%/translations'],
            'validation' => ['enabled' => true],
            'form' => ['enabled' => true],
            'serializer' => ['enabled' => true],
            'property_info' => ['enabled' => true],
            'cache' => ['app' => 'cache.adapter.apcu'],
        ]);
        $container->extension('twig', ['default_path' => '%kernel.project_dir%/templates', 'strict_variables' => true]);
        $container->extension('security', [
            'password_hashers' => ['Symfony\Component\Security\Core\User\InMemoryUser' => 'plaintext'],
            'providers' => ['readers' => ['memory' => ['users' => ['reader' => ['password' => 'secret', 'roles' => ['ROLE_READER']]]]]],
            'firewalls' => ['main' => ['stateless' => true, 'http_basic' => []]],
            'access_control' => [['path' => '^/catalogue', 'roles' => 'ROLE_READER']],
        ]);
        $container->extension('monolog', ['handlers' => [
            'main' => ['type' => 'fingers_crossed', 'action_level' => 'error', 'handler' => 'nested', 'buffer_size' => 50],
            'nested' => ['type' => 'stream', 'path' => '%kernel.logs_dir%/prod.log', 'level' => 'debug'],
        ]]);
        $container->extension('doctrine', [
            'dbal' => ['url' => '%env(BENCH_DATABASE_URL)%', 'server_version' => '10.11.2-MariaDB'],
            'orm' => [
                'auto_generate_proxy_classes' => false,
                'mappings' => ['App' => ['type' => 'attribute', 'dir' => '%kernel.project_dir%/src/Entity', 'prefix' => 'App\Entity', 'is_bundle' => false]],
                'metadata_cache_driver' => ['type' => 'pool', 'pool' => 'cache.system'],
                'query_cache_driver' => ['type' => 'pool', 'pool' => 'cache.app'],
            ],
        ]);
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->set(Catalogue::class)->public()->tag('controller.service_arguments')->arg('$steps', \Symfony\Component\DependencyInjection\Loader\Configurator\tagged_iterator('app.step'));
        foreach (['Service', 'Subscriber', 'Security', 'Twig'] as $folder) {
            $services->load("App\\$folder\\", __DIR__ . "/$folder/*");
        }
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        for ($i = 0; $i < self::ROUTES; $i++) {
            $routes->add("section_$i", "/section-$i/{name}")->controller([Catalogue::class, 'show'])->requirements(['name' => '[a-z-]+']);
        }
        $routes->add('catalogue', '/catalogue/{page}')->controller([Catalogue::class, 'show'])->requirements(['page' => '\d+']);
    }
}
