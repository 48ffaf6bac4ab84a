<?php

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
