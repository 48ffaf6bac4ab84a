<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Carbon\Carbon;
use Closure;
use ReflectionClass;
use ReflectionProperty;

/**
 * What Laravel's own classes keep in static properties: flags of models, macros, factories, views of paginators, the settings of Carbon. A request may
 * change all of it; afterwards it is put back to what it was after the boot, or, for a class that was loaded later, to what the class begins with.
 * Caches of names and attributes stay: they hold the same for each request. For one request at a time: others would see their values change.
 */
final class LaravelStatics
{
    /** Whose static properties are put back. */
    private const NAMESPACES = ['Illuminate\\', 'Carbon\\', 'Ramsey\\Uuid\\', 'Laravel\\Sanctum\\', 'Laravel\\Fortify\\', 'Symfony\\Component\\HttpFoundation\\'];
    /** Properties that hold what was found out about code, and that of the facades, which LaravelApplication clears. */
    private const KEPT = '/cache$|^(?:resolvedInstance|cachedAttributes|classAttributes)$/i';

    /** @var array<string, array{ReflectionProperty, mixed}> by "Class::$name" */
    private array $statics = [];
    private int $seen = 0; // classes
    private readonly Closure $settings; // of Carbon, puts them back
    private readonly string $locale; // of Carbon

    public function __construct()
    {
        $this->look(isBoot: true);
        $isSettings = static fn (array $static): bool => str_starts_with($static[0]->class, 'Carbon\\') && is_object($static[1]) && !$static[1] instanceof Closure;
        $this->settings = ObjectStates::keep(...array_column(array_filter($this->statics, $isSettings), 1));
        $this->locale = class_exists(Carbon::class) ? Carbon::getLocale() : '';
    }

    /** @return list<mixed> what was there instead, see ObjectStates */
    public function putBack(): array
    {
        $this->look(isBoot: false);
        $replaced = [];
        foreach ($this->statics as [$property, $value]) {
            $present = $property->getValue();
            if ($present !== $value) {
                $replaced[] = $present;
                $property->setValue(null, $value);
            }
        }
        $replaced[] = ($this->settings)();
        $this->locale === '' || Carbon::setLocale($this->locale); // @phpstan-ignore class.notFound (a package of the application)
        return $replaced;
    }

    /** At the classes that have come since the last time: for the boot their properties have the values that count, later those that they begin with. */
    private function look(bool $isBoot): void
    {
        $classes = get_declared_classes();
        foreach (array_slice($classes, $this->seen) as $name) {
            if (!self::isLaravels($name)) {
                continue;
            }
            $class = new ReflectionClass($name);
            $initial = $isBoot ? [] : $class->getDefaultProperties();
            foreach ($class->getProperties(ReflectionProperty::IS_STATIC) as $property) {
                if ($property->class === $name && preg_match(self::KEPT, $property->name) !== 1 && ($isBoot ? $property->isInitialized() : array_key_exists($property->name, $initial))) {
                    $this->statics["{$name}::\${$property->name}"] = [$property, $isBoot ? $property->getValue() : $initial[$property->name]];
                }
            }
        }
        $this->seen = count($classes);
    }

    private static function isLaravels(string $class): bool
    {
        foreach (self::NAMESPACES as $namespace) {
            if (str_starts_with($class, $namespace)) {
                return true;
            }
        }
        return false;
    }
}
