<?php

declare(strict_types=1);

/* A PSR-15 application with a router and a template: the same for every server. */

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Slim\Factory\AppFactory;
use Slim\Middleware\ContentLengthMiddleware;

require_once __DIR__ . '/Page.php';

$page = new Page(__DIR__ . '/templates');
$app = AppFactory::create();
$app->addRoutingMiddleware();
foreach (['home' => '/', 'about' => '/about', 'articles' => '/articles', 'contact' => '/contact', 'imprint' => '/imprint'] as $name => $path) {
    $app->get($path, function (ServerRequestInterface $request, ResponseInterface $response) use ($page, $name): ResponseInterface {
        $response->getBody()->write($page->render('text', ['title' => ucfirst($name), 'paragraphs' => ["This is the page $name."]]));
        return $response->withHeader('Content-Type', 'text/html; charset=utf-8');
    })->setName($name);
}
$app->get('/articles/{year:[0-9]{4}}/{name}', function (ServerRequestInterface $request, ResponseInterface $response, array $arguments) use ($page): ResponseInterface {
    $paragraphs = array_map(static fn (int $number): string => "Paragraph $number of <{$arguments['name']}>, written in {$arguments['year']}.", range(1, 12));
    $response->getBody()->write($page->render('text', ['title' => $arguments['name'], 'paragraphs' => $paragraphs]));
    return $response->withHeader('Content-Type', 'text/html; charset=utf-8');
});
$app->add(new ContentLengthMiddleware());
$app->addErrorMiddleware(false, false, false);
return $app;
