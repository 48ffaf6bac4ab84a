<?php

declare(strict_types=1);

/* WebSocket connections of several workers: each worker knows all of them, and pushes, disconnects and closes by their number. */

namespace Stampede\Tests\E2e;

final class websocket_workers_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $server = new Server('websocket_workers');

        /** @var array<int, array{WebSocketPeer, int}> $peers by worker: a connection and its number */
        $peers = [];
        /** @var list<WebSocketPeer> $others */
        $others = [];
        for ($i = 0; $i < 200 && count($peers) < 3; $i++) {
            $peer = new WebSocketPeer($server);
            [$fd, $worker] = json_decode((string) $peer->text(), true);
            if (isset($peers[$worker])) {
                $others[] = $peer;
            } else {
                $peers[$worker] = [$peer, $fd];
            }
        }
        $this->same('connections of all workers', 3, count($peers));
        $ask = static function (WebSocketPeer $peer, mixed ...$message): mixed {
            $peer->send((string) json_encode($message));
            return json_decode((string) $peer->text(), true);
        };
        [[$first, $firstFd], [$second, $secondFd], [$third, $thirdFd]] = array_values($peers);

        $this->same('a push to another worker\'s connection', true, $ask($first, 'push', $secondFd, 'from the first'));
        $this->same('arrives', 'from the first', $second->text());
        $this->same('and back', true, $ask($second, 'push', $firstFd, 'from the second'));
        $this->same('arrives too', 'from the second', $first->text());
        $this->same('what is known of it', [true, true, true], $ask($first, 'known', $thirdFd));
        $this->same('a large frame', true, $ask($first, 'big', $thirdFd, 'x'));
        $this->same('arrives whole', [2, 300_000, 0x80], (static function () use ($third): ?array {
            $frame = $third->frameOf();
            return $frame === null ? null : [$frame[0], strlen($frame[1]), $frame[2]];
        })());
        $this->same('many at once', 2000, $ask($first, 'many', $secondFd, 'number'));
        $wrong = 0;
        for ($i = 1; $i <= 2000; $i++) {
            $wrong += $second->text() === "number $i" ? 0 : 1;
        }
        $this->same('arrive all, in order', 0, $wrong);
        $this->same('a broadcast counts everybody', 3 + count($others), (static function () use ($first): mixed {
            $first->send((string) json_encode(['all', 0, 'to all']));
            $answers = [(string) $first->text(), (string) $first->text()];
            return in_array('to all', $answers, true) ? (int) implode('', array_filter($answers, is_numeric(...))) : $answers;
        })());
        $this->same('and reaches everybody', array_fill(0, 2 + count($others), 'to all'), array_map(static fn (WebSocketPeer $peer): ?string => $peer->text(), [$second, $third, ...$others]));

        // The same large data for many goes to each other worker once, whatever else is pushed meanwhile.
        $everybody = [$first, $second, $third, ...$others];
        $first->send((string) json_encode(['several', 0, ['a', 'b']]));
        $expected = ['large a', 'large b', 'large a', 'small', 'large b'];
        $wrong = [];
        foreach ($everybody as $i => $peer) {
            foreach ($expected as $text) {
                $size = str_starts_with($text, 'large') ? 100_000 : strlen($text);
                $data = (string) $peer->text();
                $wrong = strlen($data) === $size && str_starts_with($data, $text) ? $wrong : [...$wrong, "$i: " . substr($data, 0, 20)];
            }
        }
        $this->same('several large broadcasts reach everybody, in order', [], $wrong);
        $this->same('and all were taken', 5 * count($everybody), (int) $first->text());
        $this->same('nobody has this number', [false, 8503], $ask($first, 'nobody', 999_999_999, ''));
        $this->same('disconnect', true, $ask($first, 'disconnect', $secondFd, 'as you wish'));
        $this->same('gives code and reason', [8, pack('n', 4001) . 'as you wish', 0x80], $second->frameOf());
        $second->peer->close();
        $this->check('it is gone for all', Server::until(10.0, static fn (): bool => $ask($first, 'known', $secondFd) === [false, false, false]));
        $this->same('close', true, $ask($first, 'close', $thirdFd));
        $third->peer->readToEnd();
        $this->check('ends the connection', $third->peer->ended());
        $plain = new Peer($server->address());
        $plain->send(["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]);
        $this->same('HTTP beside it', 'http', ($plain->answers(1)[0] ?? null)?->body);

        // A worker that is killed takes its connections with it, for the others too.
        $victim = null;
        for ($i = 0; $i < 200 && $victim === null; $i++) {
            $peer = new WebSocketPeer($server);
            [$fd, $worker, $pid] = json_decode((string) $peer->text(), true);
            $victim = $worker === array_key_first($peers) ? null : [$peer, $fd, $pid];
        }
        $this->same('a connection elsewhere is known', [true, true], array_slice($ask($first, 'known', $victim[1] ?? 0), 0, 2));
        posix_kill($victim[2] ?? 0, SIGKILL);
        $this->check('not when its worker was killed', Server::until(10.0, static fn (): bool => array_slice($ask($first, 'known', $victim[1] ?? 0), 0, 2) === [false, false]));
        $this->same('pushing to it is refused', [false, 8503], $ask($first, 'nobody', $victim[1] ?? 0, ''));
        unset($server);
    }
}
