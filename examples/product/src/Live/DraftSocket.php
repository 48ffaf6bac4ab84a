<?php

declare(strict_types=1);

namespace Paddock\Live;

use Paddock\Accounts\Sessions;
use Paddock\Identifier;
use Paddock\Notes\Notes;
use Stampede\Departure;
use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** A WebSocket: what is being typed in one window appears in the other ones of the user, before it is saved. */
final readonly class DraftSocket
{
    public const SIGNED_OUT = 4401;
    public const TOO_MANY = 4429;

    private const MOST_OF_USER = 20; // sockets in one worker
    private const MOST_A_SECOND = 20;
    private const PATIENCE = 30.0; // seconds

    public function __construct(private Hub $hub, private Sessions $sessions) {}

    public function serve(Response $socket, Request $request, Departure $departure): void
    {
        $user = self::isOfThisSite($request) ? $this->sessions->of($request->cookie ?? [])->user : null;
        if ($user === null) {
            $socket->disconnect(self::SIGNED_OUT, 'log in first');
            return;
        }
        $topic = Hub::draftsOf($user);
        if ($this->hub->subscribers($topic) >= self::MOST_OF_USER) {
            $socket->disconnect(self::TOO_MANY, 'too many windows');
            return;
        }
        $me = Identifier::fresh();
        $subscription = $this->hub->subscribe($topic, except: $me);
        $departure->listen($subscription->close(...));
        Coroutine::create($this->forward(...), $subscription, $socket);
        try {
            $this->receive($socket, $topic, $me);
        } finally {
            $subscription->close();
        }
    }

    /** Until the client has left. */
    private function forward(Subscription $subscription, Response $socket): void
    {
        for ($sent = true; $sent;) {
            $draft = $subscription->next(self::PATIENCE);
            if ($subscription->isClosed()) { // the worker leaves
                return;
            }
            $sent = $draft === null ? $socket->ping() : $socket->push(json_encode(['text' => $draft['text'] ?? ''], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
        }
    }

    private function receive(Response $socket, string $topic, string $me): void
    {
        for ($second = $count = 0; is_object($frame = $socket->recv());) {
            [$second, $count] = $second === time() ? [$second, $count + 1] : [time(), 1];
            $draft = $count > self::MOST_A_SECOND ? null : json_decode((string) $frame->data, true, 2);
            $text = is_array($draft) ? $draft['text'] ?? null : null;
            if (!is_string($text) || mb_strlen($text) > Notes::LONGEST) {
                $socket->disconnect(SWOOLE_WEBSOCKET_CLOSE_POLICY_ERROR, 'not a draft, or too many');
                return;
            }
            $this->hub->publish($topic, ['from' => $me, 'text' => $text]);
        }
    }

    /** Browsers send cookies with WebSockets that other sites open; they say which site it is. */
    private static function isOfThisSite(Request $request): bool
    {
        $origin = $request->header['origin'] ?? '';
        return $origin === '' || preg_replace('~^https?://~', '', $origin) === ($request->header['host'] ?? '');
    }
}
