<?php

declare(strict_types=1);

namespace Paddock\Web;

use Paddock\Accounts\Session;
use Paddock\Accounts\Sessions;
use Paddock\Accounts\Users;
use Paddock\Refusal;
use Psr\Http\Message\ResponseInterface;

/** Registration, login, logout, another password. */
final readonly class AccountPages
{
    public function __construct(private Users $users, private Sessions $sessions, private Views $views) {}

    public function addTo(Router $router): void
    {
        foreach (['register', 'login'] as $form) {
            $router->add('GET', "/{$form}", Access::Anybody, fn (Visit $visit): ResponseInterface => $visit->isMember() ? Reply::to('/') : $this->form($form, $visit));
        }
        $router->add('POST', '/register', Access::Anybody, $this->register(...));
        $router->add('POST', '/login', Access::Anybody, $this->login(...));
        $router->add('POST', '/logout', Access::Member, $this->logout(...));
        $router->add('GET', '/account', Access::Member, fn (Visit $visit): ResponseInterface => $this->account($visit));
        $router->add('POST', '/account', Access::Member, $this->changePassword(...));
    }

    private function register(Visit $visit): ResponseInterface
    {
        try {
            $user = $this->users->register($visit->field('name'), $visit->field('password'), $visit->address());
        } catch (Refusal $refusal) {
            return $this->form('register', $visit, $refusal);
        }
        return $this->enter($this->sessions->open($user), $visit);
    }

    private function login(Visit $visit): ResponseInterface
    {
        try {
            $user = $this->users->login($visit->field('name'), $visit->field('password'), $visit->address());
        } catch (Refusal $refusal) {
            return $this->form('login', $visit, $refusal);
        }
        return $this->enter($this->sessions->open($user), $visit);
    }

    private function logout(Visit $visit): ResponseInterface
    {
        return $this->enter($this->sessions->close($visit->session), $visit);
    }

    /** Who knows the old one is logged out with it. */
    private function changePassword(Visit $visit): ResponseInterface
    {
        try {
            $this->users->changePassword($visit->user(), $visit->field('present'), $visit->field('next'), $visit->address());
        } catch (Refusal $refusal) {
            return $this->account($visit, $refusal);
        }
        $this->sessions->closeAll($visit->user());
        return $this->enter($this->sessions->open($visit->user()), $visit);
    }

    private function account(Visit $visit, ?Refusal $refusal = null): ResponseInterface
    {
        return Reply::page($this->views->page('Account', $visit->session, 'password', $visit->session, $refusal?->getMessage()), $refusal->status ?? 200);
    }

    private function enter(Session $session, Visit $visit): ResponseInterface
    {
        return Site::withCookie(Reply::to('/'), $session, $visit->isSecure());
    }

    private function form(string $name, Visit $visit, ?Refusal $refusal = null): ResponseInterface
    {
        $title = $name === 'login' ? 'Log in' : 'Create an account';
        $html = $this->views->page($title, $visit->session, 'account', $name, $title, $visit->session, $visit->field('name'), $refusal?->getMessage());
        return Reply::page($html, $refusal->status ?? 200);
    }
}
