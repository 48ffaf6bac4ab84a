<?php

declare(strict_types=1);

/*
 * Nothing of one request reaches another: bodies, fields, cookies, output buffers, error handlers and levels of requests that are
 * handled at the same time in one worker.
 */

namespace Stampede\Tests\E2e;

final class isolation_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $server = new Server('lifecycle', ['worker_num' => 1]);
        $peers = [];
        for ($i = 0; $i < 100; $i++) {
            $peers[$i] = new Peer($server->address());
        }
        $wrong = [];
        $answered = 0;
        for ($round = 0; $round < 5; $round++) {
            foreach ($peers as $i => $peer) {
                $id = 1000 * $round + $i;
                $body = "p=$id&filler=" . str_repeat((string) $id, $i);
                $peer->send(["POST /isolated?id=$id HTTP/1.1\r\nHost: a\r\nX-Id: $id\r\nCookie: id=$id\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                    . strlen($body) . "\r\n\r\n$body"]);
            }
            foreach ($peers as $i => $peer) {
                $id = (string) (1000 * $round + $i);
                $answers = $peer->answers($round + 1, 20.0);
                $answer = $answers[$round] ?? null;
                $seen = $answer === null ? null : json_decode($answer->body, true);
                $body = "p=$id&filler=" . str_repeat($id, $i);
                $expected = ['output' => str_repeat($id, 5), 'errors' => ["silenced $id", "of $id"], 'level' => E_ALL & ~(1 << ((int) $id % 8)), 'context' => $id, 'body' => $body,
                    'post' => ['p' => $id, 'filler' => str_repeat($id, $i)], 'cookie' => ['id' => $id], 'header' => $id, 'fd' => true];
                $answered += $answer === null ? 0 : 1;
                if ($seen !== $expected || $answer->field('x-id') !== $id || $answer->field('set-cookie') !== "id=$id") {
                    $wrong[] = $id . ' ' . json_encode($seen);
                }
            }
        }
        $this->same('500 requests, 100 at a time, are answered', 500, $answered);
        $this->check('each with its own', $wrong === [], implode("\n", array_slice($wrong, 0, 3)));
        $this->same('nothing was printed anywhere else', '', $server->output());
        $this->same('the server ends well', 0, $server->stop());
    }
}
