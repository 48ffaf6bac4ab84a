<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** Sends raw bytes to one server and checks what comes back, how the connection ends and whether the application ran. */
final class Hostile
{
    public const VALID = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
    private const LONGEST_BYTEWISE = 400;

    public function __construct(private readonly EndToEndTest $test, private readonly Server $server)
    {
    }

    /**
     * The message gets one of these statuses and the connection is closed, readably; neither it nor the valid request
     * behind it reaches the application.
     *
     * @param list<int> $statuses
     */
    public function refused(string $name, string $message, array $statuses = [400]): void
    {
        foreach ($this->waysToSend($message . self::VALID) as $way => $pieces) {
            $before = $this->calls();
            [$peer, $answers] = $this->exchange($pieces);
            $seen = $peer->received();
            $ok = count($answers) === 1 && in_array($answers[0]->status, $statuses, true) && $answers[0]->whole
                && $answers[0]->closes() && $peer->ended() && !$peer->wasReset();
            $wanted = implode(' or ', $statuses);
            $this->test->check("$name -> $wanted and close, $way", $ok, $this->describe($peer, $seen));
            $this->test->same("$name: the application is not called, $way", $before, $this->calls());
        }
    }

    /**
     * The message reaches the application (as one request, or as many as said), and the connection goes on behind it.
     *
     * @param callable(Answer...): bool|null $check
     */
    public function served(string $name, string $message, ?callable $check = null, int $requests = 1): void
    {
        foreach ($this->waysToSend($message . self::VALID) as $way => $pieces) {
            $peer = new Peer($this->server->address());
            $peer->send($pieces);
            $answers = $peer->answers($requests + 1);
            $statuses = array_map(static fn (Answer $answer): int => $answer->status, $answers);
            $ok = $statuses === array_fill(0, $requests + 1, 200) && $answers[$requests]->seen()['uri'] === '/next';
            if ($ok && $check !== null) {
                $ok = $check(...array_slice($answers, 0, $requests));
            }
            $this->test->check("$name -> served, $way", $ok, $this->describe($peer, $peer->received()));
            $peer->close();
        }
    }

    /** The message is served, then the connection is closed; the request behind it is not looked at. */
    public function servedAndClosed(string $name, string $message, ?callable $check = null): void
    {
        foreach ($this->waysToSend($message . self::VALID) as $way => $pieces) {
            $before = $this->calls();
            [$peer, $answers] = $this->exchange($pieces);
            $ok = count($answers) === 1 && $answers[0]->status === 200 && $peer->ended() && !$peer->wasReset();
            $ok = $ok && ($check === null || $check($answers[0]));
            $this->test->check("$name -> served, then closed, $way", $ok, $this->describe($peer, $peer->received()));
            $this->test->same("$name: one call, $way", $before + 1, $this->calls());
        }
    }

    /** The message is unfinished and our side ends: no answer that the application made, and the connection ends. */
    public function cut(string $name, string $message): void
    {
        $before = $this->calls();
        $peer = new Peer($this->server->address());
        $peer->send([$message]);
        $peer->finishSending();
        $received = $peer->readToEnd(5.0);
        $ok = $peer->ended() && !str_starts_with($received, 'HTTP/1.1 2');
        $this->test->check("$name -> closed", $ok, $this->describe($peer, $received));
        $this->test->same("$name: the application is not called", $before, $this->calls());
    }

    /** How often the application was called, asked on a connection of its own. */
    public function calls(): int
    {
        $peer = new Peer($this->server->address());
        $peer->send(["GET /requests HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $answers = $peer->answers(1);
        $peer->close();
        return (int) ($answers[0]->body ?? -1);
    }

    /** @param iterable<string> $pieces @return array{Peer, list<Answer>} */
    private function exchange(iterable $pieces): array
    {
        $peer = new Peer($this->server->address());
        $peer->send($pieces);
        $received = $peer->readToEnd(5.0);
        try {
            return [$peer, Answer::all($received)];
        } catch (\UnexpectedValueException) {
            return [$peer, []];
        }
    }

    /** @return array<string, list<string>> */
    private function waysToSend(string $bytes): array
    {
        $ways = ['whole' => [$bytes]];
        if (strlen($bytes) <= self::LONGEST_BYTEWISE) {
            $ways['byte by byte'] = str_split($bytes);
        }
        return $ways;
    }

    private function describe(Peer $peer, string $received): string
    {
        $end = $peer->wasReset() ? 'reset' : ($peer->ended() ? 'closed' : 'open');
        return "connection $end, received:\n$received" . ($this->server->alive() ? '' : "\nThe server is gone:\n" . $this->server->output());
    }
}
