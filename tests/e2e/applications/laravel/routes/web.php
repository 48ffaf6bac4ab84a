<?php

use Illuminate\Http\Request;
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
