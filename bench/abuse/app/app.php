<?php

declare(strict_types=1);

/* An API of notes with authentication and rate limiting, both in the database: the same source for every server. */

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Slim\Factory\AppFactory;
use Slim\Middleware\ContentLengthMiddleware;

require_once __DIR__ . '/Connections.php';
require_once __DIR__ . '/Guard.php';
require_once __DIR__ . '/Notes.php';

$connections = Connections::forThisServer();
$notes = new Notes($connections);
$app = AppFactory::create();
$json = static function (ResponseInterface $response, mixed $data, int $status = 200): ResponseInterface {
    $response->getBody()->write(json_encode($data, JSON_THROW_ON_ERROR));
    return $response->withHeader('Content-Type', 'application/json')->withStatus($status);
};
$app->get('/notes', static fn (ServerRequestInterface $request, ResponseInterface $response): ResponseInterface => $json($response, $notes->latest($request->getAttribute('user'))));
$app->get('/notes/{id:[0-9]+}', static function (ServerRequestInterface $request, ResponseInterface $response, array $arguments) use ($notes, $json): ResponseInterface {
    $note = $notes->find($request->getAttribute('user'), (int) $arguments['id']);
    return $note === null ? $json($response, ['error' => 'There is no such note.'], 404) : $json($response, $note);
});
$app->post('/notes', static function (ServerRequestInterface $request, ResponseInterface $response) use ($notes, $json): ResponseInterface {
    $given = json_decode((string) $request->getBody(), true);
    if (!is_array($given) || !is_string($given['text'] ?? null) || strlen($given['text']) > 500) {
        return $json($response, ['error' => 'A note has a text of at most 500 bytes.'], 422);
    }
    return $json($response, $notes->add($request->getAttribute('user'), $given['text']), 201);
});
$app->addRoutingMiddleware();
$app->add(new Guard($connections, AppFactory::determineResponseFactory()));
$app->add(new ContentLengthMiddleware());
$app->addErrorMiddleware(false, true, true);
return $app;
