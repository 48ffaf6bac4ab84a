<?php

use App\Destructs;
use Illuminate\Auth\RequestGuard;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;

Route::get('/hello/{name}', function (string $name, Request $request) {
    $before = ['bound' => app()->bound('of.one.request'), 'setting' => config('app.of_one_request')];
    app()->instance('of.one.request', true);
    config(['app.of_one_request' => true]);
    return ['hello' => $name, 'query' => $request->query(), 'same' => request() === $request, 'url' => url('/x')] + $before;
});
Route::get('/fatal', function () {
    app()->instance('of.one.request', true);
    config(['app.of_one_request' => true]);
    usleep(300_000); // the requests that wait come meanwhile
    return str_repeat('x', PHP_INT_MAX >> 1);
});
Route::get('/destructs/{how}', function (string $how) {
    app()->instance('a.destructor', new Destructs($how));
    app()->instance('of.one.request', true);
    config(['app.of_one_request' => true, 'app.destructs' => new Destructs($how)]);
    return 'made';
});
Route::get('/late/{end}', function (string $end) {
    register_shutdown_function(static fn () => print("late\nFORGED \x1b[31m"));
    return $end === 'exit' ? exit('exited ') : 'returned';
});
Route::get('/visits', function (Request $request) {
    $request->session()->put('visits', $request->session()->get('visits', 0) + 1);
    return 'visits ' . $request->session()->get('visits');
});
Route::get('/native', function () {
    header('X-Native: yes');
    return json_encode(['given' => $_GET['given'] ?? null]);
});
Route::get('/exit', function () {
    while (ob_get_level() > 0) {
        ob_end_clean();
    }
    header('Content-Type: text/csv');
    header('X-Native: yes');
    http_response_code(202);
    ob_start();
    try {
        echo "a,b\n";
        exit;
    } catch (Throwable) {
        return 'caught';
    }
});
Route::get('/transaction/{end}', function (string $end) {
    config(['database.connections.sqlite.database' => ':memory:']);
    $level = DB::transactionLevel();
    DB::beginTransaction();
    echo $level;
    return $end === 'exit' ? exit : "{$level} before";
});
foreach (['auth', 'cookie', 'events', 'session', 'translator', 'view'] as $service) {
    app($service); // as providers do that extend them
}
Route::get('/services', function () {
    $found = [app()->getLocale(), app('translator')->getLocale(), array_key_exists('user', app('view')->getShared()), count(app('cookie')->getQueuedCookies()), app('events')->hasListeners('of.one.request'), count(app('session')->getDrivers()), auth()->hasResolvedGuards()];
    app()->setLocale('de');
    app('view')->share('user', 'secret');
    app('cookie')->queue('of_one_request', 'x');
    app('events')->listen('of.one.request', fn () => null);
    auth()->extend('fixed', fn () => new RequestGuard(fn () => null, request()));
    config(['auth.guards.fixed' => ['driver' => 'fixed']]);
    auth()->guard('fixed');
    return $found;
});
Route::get('/warning', fn () => 'after ' . $undefined);
Route::get('/queries', function () {
    config(['database.connections.sqlite' => ['driver' => 'sqlite', 'database' => ':memory:']]);
    DB::enableQueryLog();
    DB::select('select 1');
    return (string) count(DB::getQueryLog());
});
Route::get('/dd', fn () => dd(['dumped']));

/** What Laravel's classes keep, as far as requests can see it. */
$state = static fn (): array => [
    'locale of Carbon' => Illuminate\Support\Carbon::getLocale(),
    'locale of Number' => Illuminate\Support\Number::defaultLocale(),
    'time' => abs(time() - now()->getTimestamp()) < 100,
    'query log' => array_filter(array_map(static fn ($connection): bool => $connection->logging() || $connection->getQueryLog() !== [], array_values(DB::getConnections()))) !== [],
    'unguarded' => Illuminate\Database\Eloquent\Model::isUnguarded(),
    'lazy loading' => Illuminate\Database\Eloquent\Model::preventsLazyLoading(),
    'missing attributes' => Illuminate\Database\Eloquent\Model::preventsAccessingMissingAttributes(),
    'discarded attributes' => Illuminate\Database\Eloquent\Model::preventsSilentlyDiscardingAttributes(),
    'routes' => count(Route::getRoutes()),
    'uuid' => (string) Illuminate\Support\Str::uuid() === '00000000-0000-4000-8000-000000000000',
    'wrap' => Illuminate\Http\Resources\Json\JsonResource::$wrap,
    'view of paginators' => Illuminate\Pagination\Paginator::$defaultView,
    'morph map' => Illuminate\Database\Eloquent\Relations\Relation::morphMap(),
    'macros' => [Illuminate\Support\Str::hasMacro('mine'), Illuminate\Support\Collection::hasMacro('mine'), Illuminate\Http\Request::hasMacro('mine')],
    'scopes' => App\Item::hasGlobalScope('mine'),
    'url' => url('/x'),
    'defaults of urls' => app('url')->getDefaultParameters(),
    'booted models' => (new App\Item())->getEventDispatcher()->hasListeners('eloquent.saving: ' . App\Item::class),
    'context' => [Illuminate\Support\Facades\Context::all(), Illuminate\Support\Facades\Context::allHidden()],
    'client' => (fn (): array => $this->globalOptions)->call(app(Illuminate\Http\Client\Factory::class)),
    'namespaces' => [array_key_exists('mine', app('view')->getFinder()->getHints()), array_key_exists('mine', app('translator')->getLoader()->namespaces())],
    'disks' => array_key_exists('mine', (fn (): array => $this->disks)->call(app('filesystem'))),
    'hosts' => Illuminate\Http\Request::getTrustedHosts(),
    'before queries' => count(array_merge(...array_map(static fn ($connection): array => (fn (): array => $this->beforeExecutingCallbacks)->call($connection), array_values(DB::getConnections())))),
    'once' => once(fn () => random_int(0, PHP_INT_MAX)) > 0,
];
Route::get('/state', $state);
Route::get('/changes', function () use ($state) {
    config(['database.connections.memory' => ['driver' => 'sqlite', 'database' => ':memory:']]);
    Illuminate\Support\Facades\Context::add('user', 'secret');
    Illuminate\Support\Facades\Context::addHidden('user', 'secret');
    Illuminate\Support\Facades\Http::globalOptions(['headers' => ['Authorization' => 'secret']]);
    Illuminate\Support\Facades\View::addNamespace('mine', '/nowhere');
    Illuminate\Support\Facades\Lang::addNamespace('mine', '/nowhere');
    Illuminate\Support\Facades\Storage::set('mine', Illuminate\Support\Facades\Storage::build('/tmp'));
    Illuminate\Http\Request::setTrustedHosts(['localhost']);
    DB::connection('memory')->beforeExecuting(fn () => null);
    Illuminate\Support\Carbon::setLocale('de');
    Illuminate\Support\Number::useLocale('de');
    Illuminate\Support\Carbon::setTestNow('2001-01-01');
    DB::connection('memory')->enableQueryLog();
    DB::connection('memory')->select('select 1');
    Illuminate\Database\Eloquent\Model::unguard();
    Illuminate\Database\Eloquent\Model::shouldBeStrict();
    Route::get('/of-one-request', fn () => 'secret');
    Illuminate\Support\Str::createUuidsUsing(fn () => Ramsey\Uuid\Uuid::fromString('00000000-0000-4000-8000-000000000000'));
    Illuminate\Http\Resources\Json\JsonResource::withoutWrapping();
    Illuminate\Pagination\Paginator::useBootstrapFive();
    Illuminate\Database\Eloquent\Relations\Relation::morphMap(['item' => App\Item::class]);
    foreach ([Illuminate\Support\Str::class, Illuminate\Support\Collection::class, Illuminate\Http\Request::class] as $class) {
        $class::macro('mine', fn () => 1);
    }
    App\Item::addGlobalScope('mine', fn () => null);
    app('url')->forceScheme('https');
    app('url')->defaults(['a' => 'b']);
    return $state();
});
