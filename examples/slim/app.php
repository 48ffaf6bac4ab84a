<?php

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;

$app = Slim\Factory\AppFactory::create();
$app->get('/hello/{name}', function (Request $request, Response $response, array $arguments): Response {
    $response->getBody()->write("Hello {$arguments['name']}\n");
    return $response;
});
return $app;
