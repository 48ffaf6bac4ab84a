<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** Writes the classes that make the application large: each service of a real one has a class, and a file, of its own. */
final class Classes
{
    public const SERVICES = 200;
    public const SUBSCRIBERS = 30;
    public const VOTERS = 10;
    public const EXTENSIONS = 10;
    private const CHAIN = 10; // services, each of which needs the one before it

    private const EVENTS = [
        ['REQUEST', 'RequestEvent'], ['CONTROLLER', 'ControllerEvent'], ['CONTROLLER_ARGUMENTS', 'ControllerArgumentsEvent'],
        ['RESPONSE', 'ResponseEvent'], ['FINISH_REQUEST', 'FinishRequestEvent'], ['TERMINATE', 'TerminateEvent'],
    ];

    /** @param string $folder of the namespace App */
    public static function write(string $folder): void
    {
        for ($i = 0; $i < self::SERVICES; $i++) {
            $before = $i % self::CHAIN === 0 ? '' : ', private readonly Service' . $i - 1 . ' $before';
            $sum = $before === '' ? '' : ' + $this->before->sum()';
            $tag = $i % self::CHAIN === self::CHAIN - 1 ? "#[AutoconfigureTag('app.step')]\n" : '';
            self::put($folder, 'Service', "Service$i", "use Psr\\Log\\LoggerInterface;\nuse Symfony\\Component\\DependencyInjection\\Attribute\\AutoconfigureTag;\n", "{$tag}final class Service$i implements Step", <<<PHP
                    public function __construct(private readonly LoggerInterface \$logger$before)
                    {
                    }

                    public function sum(): int
                    {
                        return $i$sum;
                    }

                    public function complain(): void
                    {
                        \$this->logger->warning('service $i has nothing to do');
                    }
                PHP);
        }
        for ($i = 0; $i < self::SUBSCRIBERS; $i++) {
            [$event, $class] = self::EVENTS[$i % count(self::EVENTS)];
            $service = $i % self::SERVICES;
            self::put($folder, 'Subscriber', "Subscriber$i", "use App\\Service\\Service$service;\nuse Symfony\\Component\\EventDispatcher\\EventSubscriberInterface;\nuse Symfony\\Component\\HttpKernel\\Event\\$class;\nuse Symfony\\Component\\HttpKernel\\KernelEvents;\n", "final class Subscriber$i implements EventSubscriberInterface", <<<PHP
                    public function __construct(private readonly Service$service \$service)
                    {
                    }

                    public static function getSubscribedEvents(): array
                    {
                        return [KernelEvents::$event => ['note', -$i]];
                    }

                    public function note($class \$event): void
                    {
                        \$event->getRequest()->attributes->set('_noted_$i', \$this->service::class);
                    }
                PHP);
        }
        for ($i = 0; $i < self::VOTERS; $i++) {
            self::put($folder, 'Security', "Voter$i", "use App\\Entity\\Product;\nuse Symfony\\Component\\Security\\Core\\Authentication\\Token\\TokenInterface;\nuse Symfony\\Component\\Security\\Core\\Authorization\\Voter\\Voter;\n", "final class Voter$i extends Voter", <<<PHP
                    protected function supports(string \$attribute, mixed \$subject): bool
                    {
                        return \$attribute === 'EDIT_$i' && \$subject instanceof Product;
                    }

                    protected function voteOnAttribute(string \$attribute, mixed \$subject, TokenInterface \$token): bool
                    {
                        return in_array('ROLE_EDITOR', \$token->getRoleNames(), true);
                    }
                PHP);
        }
        for ($i = 0; $i < self::EXTENSIONS; $i++) {
            self::put($folder, 'Twig', "Extension$i", "use Twig\\Extension\\AbstractExtension;\nuse Twig\\TwigFilter;\n", "final class Extension$i extends AbstractExtension", <<<PHP
                    public function getFilters(): array
                    {
                        return [new TwigFilter('mark_$i', static fn (string \$text): string => "$i \$text")];
                    }
                PHP);
        }
    }

    private static function put(string $folder, string $namespace, string $name, string $uses, string $head, string $body): void
    {
        @mkdir("$folder/$namespace", 0755, true);
        file_put_contents("$folder/$namespace/$name.php", "<?php\n\ndeclare(strict_types=1);\n\nnamespace App\\$namespace;\n\n$uses\n$head\n{\n$body\n}\n");
    }
}
