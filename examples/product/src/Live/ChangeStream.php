<?php

declare(strict_types=1);

namespace Paddock\Live;

use Paddock\Accounts\Session;
use Paddock\Accounts\Sessions;
use Paddock\Accounts\Tokens;
use Paddock\Accounts\User;
use Paddock\Notes\Note;
use Paddock\Notes\Notes;
use Paddock\Web\Views;
use Stampede\Departure;
use Stampede\Http\EventStream;
use Swoole\Http\Request;

/**
 * Server-sent events: every change of the user's notes, to browsers (with the note as it is shown) and to programs with a token. The id of an event is the
 * version of its note, so a client that comes back gets what it has missed.
 */
final readonly class ChangeStream
{
    private const MOST_OF_USER = 20; // streams in one worker
    private const PATIENCE = 15.0; // seconds; then a comment shows whether the client is there, and what a lost message told of is found

    public function __construct(private Hub $hub, private Notes $notes, private Sessions $sessions, private Tokens $tokens, private Views $views) {}

    public function serve(EventStream $stream, Request $request, Departure $departure): void
    {
        $session = $this->sessions->of($request->cookie ?? []);
        $user = $this->userOf($request, $session);
        $refusal = match (true) {
            $user === null => 'signed-out',
            $this->hub->subscribers(Hub::changesOf($user)) >= self::MOST_OF_USER => 'too-many',
            default => null,
        };
        if ($user === null || $refusal !== null) {
            $stream->event('', $refusal);
            return;
        }
        $subscription = $this->hub->subscribe(Hub::changesOf($user));
        $departure->listen($subscription->close(...)); // the client comes again, to another worker
        $known = (int) ($request->header['last-event-id'] ?? $request->get['since'] ?? $this->notes->version($user));
        try {
            do {
                $changed = $this->notes->since($user, $known);
                foreach ($changed as $note) {
                    if (!$stream->event($this->describe($note, $session), 'note', (string) $note->version)) {
                        return;
                    }
                    $known = $note->version;
                }
                if (count($changed) < Notes::BATCH && $subscription->next(self::PATIENCE) === null && !$stream->comment()) {
                    return;
                }
                if ($subscription->isClosed()) { // the worker leaves
                    return;
                }
            } while ($this->userOf($request, $session)?->id === $user->id); // may have logged out, or lost the token
            $stream->event('', 'signed-out');
        } finally {
            $subscription->close();
        }
    }

    /** A token, or a cookie. A note is only rendered for the latter. */
    private function userOf(Request $request, Session $session): ?User
    {
        $field = $request->header['authorization'] ?? '';
        return $field !== '' ? $this->tokens->userOf($field) : $this->sessions->of([Sessions::COOKIE => $session->secret])->user;
    }

    private function describe(Note $note, Session $session): string
    {
        $facts = $note->facts();
        if ($session->user !== null && !$note->deleted) {
            $facts['html'] = $this->views->render('note', $note, $session);
        }
        return json_encode($facts, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }
}
