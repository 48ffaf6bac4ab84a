<?php

declare(strict_types=1);

/* Peers that read late: senders wait for them, nothing that was taken is lost or comes in another order, and those that never read are closed. */

namespace Stampede\Tests\E2e;

final class slow_readers_test extends EndToEndTest
{
    private const COUNT = 150;
    private const SIZE = 100_000;

    /** @return array{here: array{WebSocketPeer, int}, there: array{WebSocketPeer, int}, asker: WebSocketPeer} one who asks, and peers of its own worker and of another one */
    private static function peers(Server $server, string $fields = ''): array
    {
        $asker = new WebSocketPeer($server);
        [, $own] = json_decode((string) $asker->text(), true);
        $found = $others = []; // which stay open: a worker that has more connections than the other one leaves it the next
        for ($until = microtime(true) + 20.0; microtime(true) < $until && count($found) < 2;) {
            $others[] = $peer = new WebSocketPeer($server, '/', $fields);
            [$fd, $worker] = json_decode((string) $peer->text(), true);
            $found[$worker === $own ? 'here' : 'there'] ??= [$peer, $fd];
        }
        return $found + ['asker' => $asker];
    }

    /** @return list<int> the numbers of the messages that come */
    private static function numbers(WebSocketPeer $peer, int $count): array
    {
        $numbers = [];
        while (count($numbers) < $count && ($text = $peer->text()) !== null) {
            $numbers[] = (int) $text;
        }
        return $numbers;
    }

    private static function ask(WebSocketPeer $asker, int $fd, string $way, int $count = self::COUNT): void
    {
        $asker->send((string) json_encode(['fd' => $fd, 'count' => $count, 'size' => self::SIZE, 'way' => $way]));
    }

    /** Long enough for a sender to meet a full connection; what is checked does not depend on it. */
    private static function readLate(): void
    {
        usleep(200_000);
    }

    public function testACoroutineWaitsForAReaderThatIsLate(): void
    {
        $server = new Server('slow_readers');
        foreach (['here' => 'here', 'there' => 'here', 'task' => 'task', 'process' => 'process'] as $name => $way) {
            ['here' => $here, 'there' => $there, 'asker' => $asker] = self::peers($server);
            [$peer, $fd] = $name === 'here' ? $here : $there;
            self::ask($asker, $fd, $way);
            self::readLate();
            $this->same("every message comes, in order ($name)", range(0, self::COUNT - 1), self::numbers($peer, self::COUNT));
            $seen = json_decode((string) $asker->text(), true);
            $this->same("and every push was true ($name)", [self::COUNT, [], 0], [count($seen['sent']), $seen['errors'], $seen['warnings']]);
        }
        ['there' => [$peer, $fd], 'asker' => $asker] = self::peers($server);
        self::ask($asker, $fd, 'each');
        self::readLate();
        $this->same('coroutines that push one message each wait in the order in which they came', range(0, self::COUNT - 1), self::numbers($peer, self::COUNT));
        ['here' => [$peer, $fd], 'asker' => $asker] = self::peers($server);
        self::ask($asker, $fd, 'each');
        self::readLate();
        $this->same('in the worker that has the connection, too', range(0, self::COUNT - 1), self::numbers($peer, self::COUNT));
        unset($server);
    }

    public function testWhatIsCompressedWaitsAsWell(): void
    {
        $server = new Server('slow_readers', ['websocket_compression' => true, 'socket_buffer_size' => 16 << 10]);
        foreach (['here', 'there'] as $where) {
            ['here' => $here, 'there' => $there, 'asker' => $asker] = self::peers($server, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
            [$peer, $fd] = $where === 'here' ? $here : $there;
            self::ask($asker, $fd, 'here');
            $frames = 0;
            while ($frames < self::COUNT && ($peer->frameOf()[0] ?? null) === 1) {
                $frames++;
            }
            $this->same("every compressed message comes ($where)", self::COUNT, $frames);
            $this->same("and every push was true ($where)", self::COUNT, count(json_decode((string) $asker->text(), true)['sent']));
        }
        unset($server);
    }

    public function testWhoMayNotWaitIsToldThatThereIsNoRoom(): void
    {
        $server = new Server('slow_readers', ['send_yield' => false]);
        foreach (['here' => 'here', 'there' => 'here', 'task' => 'task'] as $name => $way) {
            ['here' => $here, 'there' => $there, 'asker' => $asker] = self::peers($server);
            [$peer, $fd] = $name === 'here' ? $here : $there;
            self::ask($asker, $fd, $way, 300);
            $seen = json_decode((string) $asker->text(), true);
            $this->check("some messages find no room, with a warning for each ($name)", $seen['errors'] !== [] && $seen['warnings'] === count($seen['errors']), (string) json_encode($seen));
            $this->same("and the error of a full buffer ($name)", [1009], array_values(array_unique($seen['errors'])));
            $this->same("those that were taken come, in order, and no other ($name)", $seen['sent'], self::numbers($peer, count($seen['sent'])));
            $peer->send('{"fd":' . $fd . ',"count":1,"size":5,"way":"here"}');
            $this->same("the connection goes on ($name)", '0 ...', $peer->text());
        }
        unset($server);
    }

    public function testAPeerThatNeverReadsIsClosedWithOneLine(): void
    {
        $server = new Server('slow_readers', ['send_timeout' => 0, 'http_write_timeout' => 1]);
        ['here' => [$here, $hereFd], 'there' => [$there, $thereFd], 'asker' => $asker] = self::peers($server);
        foreach (['here' => $hereFd, 'there' => $thereFd] as $name => $fd) {
            self::ask($asker, $fd, 'here', 300);
            $seen = json_decode((string) $asker->text(30.0), true);
            $this->check("its sender is told ($name)", $seen['errors'] !== [] && $seen['warnings'] === 0, (string) json_encode($seen['errors']));
        }
        $this->same('each with a line in the log', [1, 1], array_map(static fn (int $fd): int => substr_count($server->output(), "connection#$fd is closed"), [$hereFd, $thereFd]));
        foreach ([$here, $there] as $peer) {
            $peer->peer->readToEnd();
            $this->check('and the connection is over', $peer->peer->ended());
        }
        unset($server);
    }

    /** Each may leave 8 MiB, all together as well. */
    public function testManySlowReadersDoNotFillTheMemory(): void
    {
        $server = new Server('slow_readers', ['worker_num' => 1, 'task_worker_num' => 1, 'socket_buffer_size' => 8 << 20, 'unsent_max_total' => 8 << 20, 'send_timeout' => 0, 'http_write_timeout' => 60]);
        foreach (['here', 'task'] as $way) {
            $before = $server->memory();
            $slow = [];
            for ($i = 0; $i < 20; $i++) {
                $slow[$i] = new WebSocketPeer($server);
                [$fd] = json_decode((string) $slow[$i]->text(), true);
                self::ask($slow[$i], $fd, $way, 200);
            }
            $this->check("what waits for them is bounded ($way)", !Server::until(2.0, static fn (): bool => $server->memory() - $before > 70_000), $server->memory() - $before . ' KiB');
            $quick = new WebSocketPeer($server);
            [$fd] = json_decode((string) $quick->text(), true);
            self::ask($quick, $fd, 'here', 30);
            $this->same("one that reads gets its messages meanwhile ($way)", range(0, 29), self::numbers($quick, 30));
            $this->same("and all pushes were true ($way)", 30, count(json_decode((string) $quick->text(), true)['sent']));
            foreach ([3, 19] as $i) {
                $this->same("a slow one that reads at last gets everything, in order ($way)", range(0, 199), self::numbers($slow[$i], 200));
                $this->same("and every push was true ($way)", 200, count(json_decode((string) $slow[$i]->text(), true)['sent']));
                $slow[$i]->peer->abort();
                unset($slow[$i]);
            }
            foreach ($slow as $peer) {
                $peer->peer->abort();
            }
            $this->check("nothing waits when they are gone ($way)", Server::until(5.0, static fn (): bool => $server->connections() <= 1), (string) $server->connections());
            $quick->peer->abort();
        }
        unset($server);
    }

    public function testSendTimeoutLimitsAWait(): void
    {
        $server = new Server('slow_readers', ['send_timeout' => 0.2, 'http_write_timeout' => 30]);
        ['here' => [$peer, $fd], 'asker' => $asker] = self::peers($server);
        self::ask($asker, $fd, 'here', 80);
        self::ask($asker, $fd, 'here', 80);
        $this->check('a push fails after it', str_contains((string) $asker->text(), '"errors":['));
        $peer->peer->abort();
        unset($server);
    }
}
