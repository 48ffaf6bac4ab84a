<?php

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Http\Client\Factory;
use Illuminate\Http\Middleware\HandleCors;
use Illuminate\Log\Context\Repository;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(web: __DIR__ . '/../routes/web.php')
    ->withMiddleware(fn (Middleware $middleware) => $middleware->remove(HandleCors::class))
    ->withExceptions(fn (Exceptions $exceptions) => null)
    ->booted(static fn (Application $app) => array_map($app->make(...), ['view', 'translator', 'filesystem', Repository::class, Factory::class])) // as providers do that add to them
    ->create();
