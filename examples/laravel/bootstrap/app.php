<?php

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Http\Middleware\HandleCors;
use Illuminate\Support\Facades\Route;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(using: fn () => Route::get('/hello/{name}', fn (string $name) => ['hello' => $name]))
    ->withMiddleware(fn (Middleware $middleware) => $middleware->remove(HandleCors::class))
    ->withExceptions(fn (Exceptions $exceptions) => null)
    ->create();
