<?php

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

return static fn (ServerRequestInterface $request): ResponseInterface => new Response(
    headers: ['Content-Type' => 'application/json'],
    body: json_encode(['hello' => $request->getQueryParams()['name'] ?? 'you'], JSON_THROW_ON_ERROR) . "\n",
);
