<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Accounts\Tokens;
use Psr\Http\Message\ResponseInterface;

/** Where a user makes tokens for programs. */
final readonly class TokenPages
{
    public function __construct(private Tokens $tokens, private Views $views) {}

    public function addTo(Router $router): void
    {
        $router->add('GET', '/tokens', Access::Member, $this->show(...));
        $router->add('POST', '/tokens', Access::Member, fn (Visit $visit): ResponseInterface => $this->show($visit, $this->tokens->create($visit->user(), $visit->field('name'))));
        $router->add('POST', '/tokens/{id}/delete', Access::Member, $this->delete(...));
    }

    private function show(Visit $visit, ?string $fresh = null): ResponseInterface
    {
        return Reply::page($this->views->page('Tokens', $visit->session, 'tokens', $this->tokens->of($visit->user()), $visit->session, $fresh, (string) $visit->request->getUri()->withPath('')->withQuery('')));
    }

    private function delete(Visit $visit): ResponseInterface
    {
        $this->tokens->delete($visit->user(), $visit->parameter('id'));
        return Reply::to('/tokens');
    }
}
