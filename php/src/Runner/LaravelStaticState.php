<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Carbon\Carbon;
use Closure;
use ReflectionClass;
use ReflectionProperty;

/**
 * What Laravel's own classes keep in static properties: flags of models, macros, factories, views of paginators, the settings of Carbon. A request may
 * change all of it; afterwards it is put back to what it was after the boot, or, for a class that was loaded later, to what the class begins with.
 * Caches of names and attributes stay: they hold the same for each request. For one request at a time: others would see their values change.
 */
final class LaravelStaticState
{
    /** Whose static properties are put back. */
    private const NAMESPACES = ['Illuminate\\', 'Carbon\\', 'Ramsey\\Uuid\\', 'Laravel\\Sanctum\\', 'Laravel\\Fortify\\', 'Symfony\\Component\\HttpFoundation\\'];
    /** Properties that hold what was found out about code, and that of the facades, which LaravelApplication clears. */
    private const KEPT = '/cache$|^(?:resolvedInstance|cachedAttributes|classAttributes)$/i';

    /** Classes whose static properties applications set, and which many requests load late. */
    private const USUAL = [
        'Carbon\\Carbon', 'Carbon\\CarbonImmutable', 'Carbon\\FactoryImmutable',
        'Illuminate\\Auth\\Middleware\\Authenticate', 'Illuminate\\Auth\\Middleware\\RedirectIfAuthenticated', 'Illuminate\\Auth\\Notifications\\ResetPassword', 'Illuminate\\Auth\\Notifications\\VerifyEmail',
        'Illuminate\\Cookie\\Middleware\\EncryptCookies', 'Illuminate\\Database\\Eloquent\\Builder', 'Illuminate\\Database\\Eloquent\\Model', 'Illuminate\\Database\\Eloquent\\Relations\\Relation',
        'Illuminate\\Foundation\\Http\\Middleware\\ConvertEmptyStringsToNull', 'Illuminate\\Foundation\\Http\\Middleware\\PreventRequestsDuringMaintenance', 'Illuminate\\Foundation\\Http\\Middleware\\TrimStrings', 'Illuminate\\Foundation\\Http\\Middleware\\ValidateCsrfToken',
        'Illuminate\\Http\\JsonResponse', 'Illuminate\\Http\\Middleware\\TrustHosts', 'Illuminate\\Http\\Middleware\\TrustProxies', 'Illuminate\\Http\\RedirectResponse', 'Illuminate\\Http\\Resources\\Json\\JsonResource', 'Illuminate\\Http\\Response', 'Illuminate\\Http\\UploadedFile',
        'Illuminate\\Mail\\Mailable', 'Illuminate\\Pagination\\CursorPaginator', 'Illuminate\\Pagination\\LengthAwarePaginator', 'Illuminate\\Routing\\Middleware\\ThrottleRequests', 'Illuminate\\Routing\\Middleware\\ValidateSignature',
        'Illuminate\\Support\\Arr', 'Illuminate\\Support\\Carbon', 'Illuminate\\Support\\LazyCollection', 'Illuminate\\Support\\Number', 'Illuminate\\Support\\Sleep', 'Illuminate\\Support\\Str', 'Illuminate\\Support\\Stringable',
        'Illuminate\\Validation\\Rule', 'Illuminate\\Validation\\Rules\\Email', 'Illuminate\\Validation\\Rules\\File', 'Illuminate\\Validation\\Rules\\Password', 'Ramsey\\Uuid\\Uuid',
    ];

    /** @var array<string, array{ReflectionProperty, mixed}> by "Class::$name" */
    private array $statics = [];
    private int $seen = 0; // classes
    private readonly Closure $settings; // of Carbon, puts them back
    private readonly string $locale; // of Carbon

    public function __construct()
    {
        $this->look(isBoot: true);
        $isSettings = static fn (array $static): bool => str_starts_with($static[0]->class, 'Carbon\\') && is_object($static[1]) && !$static[1] instanceof Closure;
        $this->settings = ObjectSnapshot::keep(...array_column(array_filter($this->statics, $isSettings), 1));
        $this->locale = class_exists(Carbon::class) ? Carbon::getLocale() : '';
    }

    /** @return list<mixed> what was there instead, see ObjectSnapshot */
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
                if ($property->class === $name && self::isOfRequests($property) && ($isBoot ? $property->isInitialized() : array_key_exists($property->name, $initial))) {
                    $this->statics["{$name}::\${$property->name}"] = [$property, $isBoot ? $property->getValue() : $initial[$property->name]];
                }
            }
        }
        $this->seen = count($classes);
    }

    /** For those who look at the static properties of all classes once. */
    public static function loadUsual(): void
    {
        array_map(class_exists(...), self::USUAL);
    }

    /** A request may change it, and it is not the next one's. */
    public static function isOfRequests(ReflectionProperty $property): bool
    {
        return preg_match(self::KEPT, $property->name) !== 1 && self::isLaravels($property->class);
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
