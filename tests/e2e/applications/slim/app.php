<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Slim\Factory\AppFactory;

$app = AppFactory::create();
$app->get('/hello/{name}', function (ServerRequestInterface $request, ResponseInterface $response, array $arguments): ResponseInterface {
    usleep((int) ($request->getQueryParams()['wait'] ?? 0));
    $response->getBody()->write("hello {$arguments['name']} " . http_build_query($request->getQueryParams()) . " {$request->getHeaderLine('X-Given')}");
    return $response->withHeader('X-Many', ['1', '2']);
});
$app->post('/form', function (ServerRequestInterface $request, ResponseInterface $response): ResponseInterface {
    $sizes = array_map(fn ($file) => $file->getSize(), $request->getUploadedFiles());
    $response->getBody()->write(json_encode([$sizes, $request->getParsedBody(), (string) $request->getUri()->getPath()]));
    return $response->withStatus(201);
});
$app->get('/large', function (ServerRequestInterface $request, ResponseInterface $response): ResponseInterface {
    $response->getBody()->write(str_repeat('0123456789', 100_000));
    return $response;
});
set_error_handler(static function (int $level, string $message): bool {
    return (error_reporting() & $level) === 0 ? false : throw new ErrorException($message, 0, $level);
});
$app->get('/warning', function (ServerRequestInterface $request, ResponseInterface $response): ResponseInterface {
    $response->getBody()->write("after {$undefined}");
    return $response;
});
$app->get('/exit', function (): never {
    echo 'print';
    exit('ed');
});
$app->addErrorMiddleware(true, false, false);
return $app;
