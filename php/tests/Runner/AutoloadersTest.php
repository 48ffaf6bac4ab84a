<?php

declare(strict_types=1);

namespace Stampede\Tests\Runner;

use Closure;
use PHPUnit\Framework\TestCase;
use Stampede\Runner\Autoloaders;

/** What a script registers again with every request is there once; what differs, or was there twice at first, stays. */
final class AutoloadersTest extends TestCase
{
    private Autoloaders $autoloaders;
    /** @var list<callable> */
    private array $before;

    protected function setUp(): void
    {
        $this->autoloaders = new Autoloaders();
        $this->autoloaders->forgetRepeated();
        $this->before = spl_autoload_functions();
    }

    protected function tearDown(): void
    {
        array_map(spl_autoload_unregister(...), $this->added());
    }

    public function testClosures(): void
    {
        $asked = '';
        foreach (range(1, 5) as $request) {
            foreach (['a', 'b'] as $folder) {
                spl_autoload_register(static function (string $class) use ($folder, &$asked): void {
                    $asked .= $folder;
                });
            }
            spl_autoload_register(self::another());
            $this->autoloaders->forgetRepeated();
            self::assertCount(3, $this->added(), "request {$request}");
        }
        self::assertFalse(class_exists('Nobody\\HasThis'));
        self::assertSame('ab', $asked);
    }

    public function testObjects(): void
    {
        foreach (range(1, 3) as $request) {
            foreach (['a', 'a', 'b'] as $folder) {
                spl_autoload_register([self::loader($folder), 'load']);
            }
            spl_autoload_register('strlen');
            $this->autoloaders->forgetRepeated();
            self::assertCount(4, $this->added(), "request {$request}: two were alike at first");
        }
    }

    public function testThoseOfFilesThatAreLoadedOnceStay(): void
    {
        spl_autoload_register(self::another());
        $this->autoloaders->forgetRepeated();
        foreach (['a', 'b'] as $folder) {
            spl_autoload_register([self::loader($folder), 'load']);
            $this->autoloaders->forgetRepeated();
        }
        $this->autoloaders->forgetRepeated();
        self::assertCount(3, $this->added());
    }

    private static function another(): Closure
    {
        return static function (string $class): void {};
    }

    private static function loader(string $folder): object
    {
        return new class ($folder) {
            public function __construct(private readonly string $folder) {}

            public function load(string $class): bool
            {
                return $class === $this->folder;
            }
        };
    }

    /** @return list<callable> */
    private function added(): array
    {
        return array_values(array_filter(spl_autoload_functions(), fn (mixed $function): bool => !in_array($function, $this->before, true)));
    }
}
