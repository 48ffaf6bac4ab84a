<?php

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

return static fn (ServerRequestInterface $request): ResponseInterface => new Response(200, ['Content-Type' => 'text/plain; charset=utf-8'], "Hello from a script\n");
