<?php

declare(strict_types=1);

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;
use Swoole\Database\PDOProxy;

/** Nobody without a token, and each user so many requests a second. */
final class Guard implements MiddlewareInterface
{
    public function __construct(private readonly Connections $connections, private readonly ResponseFactoryInterface $responses)
    {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $token = substr($request->getHeaderLine('Authorization'), strlen('Bearer '));
        $user = $this->connections->lend(fn (PDO|PDOProxy $database): ?array => $this->admit($database, $token));
        if ($user === null) {
            return $this->refuse(401, 'The token is not known.');
        }
        if ($user['requests'] > $user['allowed']) {
            return $this->refuse(429, 'Too many requests.');
        }
        return $handler->handle($request->withAttribute('user', $user));
    }

    /** @return array{id: int, name: string, allowed: int, requests: int}|null */
    private function admit(PDO|PDOProxy $database, string $token): ?array
    {
        $statement = $database->prepare('SELECT id, name, allowed FROM users WHERE token = ?');
        $statement->execute([hash('sha256', $token)]);
        $user = $statement->fetch();
        if ($user === false) {
            return null;
        }
        $second = time();
        $database->prepare('INSERT INTO hits (user, second, requests) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE requests = IF(second = VALUES(second), requests + 1, 1), second = VALUES(second)')
            ->execute([$user['id'], $second]);
        $statement = $database->prepare('SELECT requests FROM hits WHERE user = ?');
        $statement->execute([$user['id']]);
        return ['id' => (int) $user['id'], 'name' => $user['name'], 'allowed' => (int) $user['allowed'], 'requests' => (int) $statement->fetchColumn()];
    }

    private function refuse(int $status, string $why): ResponseInterface
    {
        $response = $this->responses->createResponse($status)->withHeader('Content-Type', 'application/json');
        $response->getBody()->write(json_encode(['error' => $why], JSON_THROW_ON_ERROR));
        return $response;
    }
}
