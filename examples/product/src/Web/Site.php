<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Accounts\Session;
use Paddock\Accounts\Sessions;
use Paddock\Accounts\Tokens;
use Paddock\Refusal;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** Every request of pages and of the API: who is it, may they, and what all responses have. */
final readonly class Site implements RequestHandlerInterface
{
    private const FIELDS = [
        'Content-Security-Policy' => "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'X-Content-Type-Options' => 'nosniff',
        'Referrer-Policy' => 'no-referrer',
        'Cross-Origin-Opener-Policy' => 'same-origin',
        'Cross-Origin-Resource-Policy' => 'same-origin',
    ];

    public function __construct(private Router $router, private Sessions $sessions, private Tokens $tokens, private Views $views) {}

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $response = str_starts_with($request->getUri()->getPath(), '/api/') ? $this->handleProgram($request) : $this->handleBrowser($request);
        foreach (self::FIELDS as $name => $value) {
            $response = $response->hasHeader($name) ? $response : $response->withHeader($name, $value);
        }
        return $response;
    }

    /** Cookies count for nothing here, so neither do requests that other sites make a browser send. */
    private function handleProgram(ServerRequestInterface $request): ResponseInterface
    {
        try {
            $user = $this->tokens->userOf($request->getHeaderLine('Authorization'));
            if ($user === null) {
                return Reply::json(['error' => 'Send a token of yours: Authorization: Bearer paddock_...'], 401)->withHeader('WWW-Authenticate', 'Bearer');
            }
            [, $handle, $parameters] = $this->router->find($request->getMethod(), $request->getUri()->getPath());
            return $handle(new Visit($request, new Session('', null), $user, $parameters));
        } catch (Refusal $refusal) {
            return Reply::json(['error' => $refusal->getMessage()], $refusal->status);
        }
    }

    private function handleBrowser(ServerRequestInterface $request): ResponseInterface
    {
        $session = $this->sessions->of($request->getCookieParams());
        $visit = new Visit($request, $session, $session->user, []);
        try {
            [$access, $handle, $parameters] = $this->router->find($request->getMethod(), $request->getUri()->getPath());
            $visit = new Visit($request, $session, $session->user, $parameters);
            $response = $this->guard($access, $visit) ?? $handle($visit);
        } catch (Refusal $refusal) {
            $response = $visit->wantsJson()
                ? Reply::json(['error' => $refusal->getMessage()], $refusal->status)
                : Reply::page($this->views->page('Sorry', $session, 'refusal', $refusal), $refusal->status);
        }
        return $session->isNew && !$response->hasHeader('Set-Cookie') ? self::withCookie($response, $session, $visit->isSecure()) : $response;
    }

    /** @throws Refusal */
    private function guard(Access $access, Visit $visit): ?ResponseInterface
    {
        if (!in_array($visit->request->getMethod(), ['GET', 'HEAD'], true) && !$visit->session->hasFormToken($visit->field('form_token'))) {
            throw new Refusal('This form is not of this session, or too old: please load the page again.', 403);
        }
        return $access === Access::Member && !$visit->isMember() ? Reply::to('/login') : null;
    }

    public static function withCookie(ResponseInterface $response, Session $session, bool $secure): ResponseInterface
    {
        return $response->withHeader('Set-Cookie', sprintf(
            '%s=%s; Path=/; HttpOnly; SameSite=Lax%s%s',
            Sessions::COOKIE,
            $session->secret,
            $session->user === null ? '' : '; Max-Age=' . Sessions::LIFETIME,
            $secure ? '; Secure' : '',
        ));
    }
}
