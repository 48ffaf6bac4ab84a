<?php

declare(strict_types=1);

namespace Paddock\Web;

use Closure;
use Paddock\Refusal;
use Psr\Http\Message\ResponseInterface;

/** Paths such as /notes/{id}, where {id} is anything without a slash. */
final class Router
{
    /** @var array<string, array<string, array{Access, Closure(Visit): ResponseInterface}>> by expression and method */
    private array $routes = [];

    /** @param Closure(Visit): ResponseInterface $handle */
    public function add(string $method, string $path, Access $access, Closure $handle): void
    {
        $expression = '~^' . preg_replace('/\\\\{(\w+)\\\\}/', '(?<$1>[^/]+)', preg_quote($path, '~')) . '$~D';
        $this->routes[$expression][$method] = [$access, $handle];
    }

    /**
     * @return array{Access, Closure(Visit): ResponseInterface, array<string, string>} with the parameters
     * @throws Refusal
     */
    public function find(string $method, string $path): array
    {
        foreach ($this->routes as $expression => $methods) {
            if (preg_match($expression, $path, $found) === 1) {
                $route = $methods[$method === 'HEAD' ? 'GET' : $method] ?? throw new Refusal('That cannot be done here.', 405);
                return [...$route, array_map(rawurldecode(...), array_filter($found, is_string(...), ARRAY_FILTER_USE_KEY))];
            }
        }
        throw Refusal::notFound();
    }
}
