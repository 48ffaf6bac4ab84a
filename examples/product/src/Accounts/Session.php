<?php

declare(strict_types=1);

namespace Paddock\Accounts;

/** What a browser's cookie stands for: a visitor, or a user who has logged in. */
final readonly class Session
{
    public function __construct(public string $secret, public ?User $user, public bool $isNew = false) {}

    /** What forms of this session carry: pages of other sites cannot know it. */
    public function formToken(): string
    {
        return hash_hmac('sha256', 'form', $this->secret);
    }

    public function hasFormToken(string $given): bool
    {
        return hash_equals($this->formToken(), $given);
    }
}
