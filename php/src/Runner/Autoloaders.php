<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;

/**
 * A script that is run for each request registers its autoloaders each time. PHP tells named functions that are there already, but not closures
 * and methods of new objects: without this a worker would have one more with every request, and ask them all for a class that nobody has.
 */
final class Autoloaders
{
    /** @var list<array{list<mixed>, int|null}> what tells some of them from others, and how many like that the first request has left */
    private array $known = [];
    private int $count = -1;

    /** After a request: leaves as many of each kind as there were when it was first seen. Which ones makes no difference. */
    public function forgetRepeated(): void
    {
        $functions = spl_autoload_functions();
        if (count($functions) === $this->count) {
            return;
        }
        $found = [];
        foreach ($functions as $function) {
            $kind = self::kind($function);
            $kind === null || $found[$this->place($kind)][] = $function;
        }
        foreach ($found as $place => $alike) {
            $this->known[$place][1] ??= count($alike);
            array_map(spl_autoload_unregister(...), array_slice($alike, $this->known[$place][1]));
        }
        $this->count = count(spl_autoload_functions());
    }

    /** @param list<mixed> $kind */
    private function place(array $kind): int
    {
        foreach ($this->known as $place => [$other]) {
            if ($other === $kind) {
                return $place;
            }
        }
        $this->known[] = [$kind, null];
        return count($this->known) - 1;
    }

    /** @return list<mixed>|null null: PHP itself keeps it from being there twice */
    private static function kind(mixed $function): ?array
    {
        if ($function instanceof Closure) {
            $code = new \ReflectionFunction($function);
            return [$code->getFileName(), $code->getStartLine(), $code->getEndLine(), $code->getClosureThis(), $code->getClosureScopeClass()?->name, $code->getStaticVariables()];
        }
        return is_array($function) && is_object($function[0]) ? [$function[0]::class, $function[1], (array) $function[0]] : null;
    }
}
