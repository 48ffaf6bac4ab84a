<?php

declare(strict_types=1);

/* examples/llm-proxy: what clients and the model's server see, and a thousand clients on one worker beside ordinary requests. */

namespace Stampede\Tests\E2e;

const CLIENTS = 1000;
const SECONDS = 20; // that the model takes for its 62 tokens

final class llm_proxy_test extends EndToEndTest
{
    private static Companion $proxy;
    private static string $question;
    private static string $example;
    private static array $php;
    private static mixed $proxyAt;
    private static mixed $modelAt;
    private static mixed $modelPort;

    public static function setUpBeforeClass(): void
    {
        self::$example = $example = dirname(__DIR__, 2) . '/examples/llm-proxy';
        self::$php = $php = [...phpWithModule((string) realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')), '-d', 'memory_limit=512M'];
        [$modelPort, $proxyPort] = [Server::freePort(), Server::freePort()];
        [$modelAt, $proxyAt] = ["127.0.0.1:{$modelPort}", "127.0.0.1:{$proxyPort}"];
        self::$question = '{"messages": [{"role": "user", "content": "What is a coroutine?"}]}';

        self::$proxy = $proxy = new Companion([...$php, "{$example}/proxy.php", $proxyAt, $modelAt]);
        $proxy->waitForPort($proxyPort);
        self::$proxyAt = $proxyAt;
        self::$modelAt = $modelAt;
        self::$modelPort = $modelPort;
    }

    public function testTheStart(): void
    {
        [$proxy, $question] = [self::$proxy, self::$question];
        $this->check('it says for how many clients it has open files', preg_match('/for at most [1-9]\d* streams/', $proxy->firstLine()) === 1, $proxy->output());
        $this->same('a key that is not known', 401, self::response(self::ask($question, 'guessed'))[0]);
        $this->same('a body that is no question', [400, 400, 400], array_map(static fn (string $body): ?int => self::response(self::ask($body))[0], ['', '{"messages": []}', '{"messages": [{}]']));
        [$status, $body] = self::response(self::ask($question));
        $this->same('without the model\'s server', [502, "{\"error\":{\"message\":\"The model's server cannot be reached.\"}}\n"], [$status, $body]);
        $this->check('a page to try it with', str_contains(self::get('/'), '<h1>Tokens as they come</h1>'));
    }

    public function testAQuestion(): void
    {
        [$question, $example] = [self::$question, self::$example];
        $model = self::startModel(1.0);
        [$status, $body] = self::response(self::ask($question));
        preg_match_all('/"content":"([^"]*)"/', (string) $body, $tokens);
        $recorded = array_map(static fn (string $line): string => json_decode($line, true)['token'], file("{$example}/recording.jsonl") ?: []);
        $this->same('a question', [200, $recorded], [$status, $tokens[1]]);
        $this->check('to its end, without the model\'s key', str_ends_with((string) $body, "data: [DONE]\n\n") && !str_contains((string) $body, 'key-of-the-proxy'), (string) $body);
        self::endModel($model, SIGTERM);
    }

    public function testTokensComeOneByOne(): void
    {
        $question = self::$question;
        $model = self::startModel(60.0);
        $peer = self::ask($question);
        $this->check('tokens come one by one', str_contains($peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"A"'), 60.0), '"A"') && !$peer->ended(), $peer->received());
        $this->same('a stream is counted', "1 streams\n", self::get('/health'));
        $peer->abort();
        $this->check('a client that leaves ends its question', Server::until(60.0, static fn (): bool => self::get('/health') === "0 streams\n"), self::get('/health'));
        self::endModel($model, SIGTERM);
    }

    public function testAStreamOverAReload(): void
    {
        [$question, $proxy] = [self::$question, self::$proxy];
        $model = self::startModel(6.0); // longer than a worker has otherwise
        $peer = self::ask($question);
        $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"A"'), 60.0);
        $proxy->signal(SIGUSR1);
        [$status, $body] = self::response($peer);
        $this->check('a stream goes on to its end over a reload', $status === 200 && str_ends_with((string) $body, "data: [DONE]\n\n"), (string) $body);
        self::endModel($model, SIGTERM);
    }

    public function testAModelThatBreaksOff(): void
    {
        $question = self::$question;
        $model = self::startModel(60.0);
        $peer = self::ask($question);
        $peer->readUntil(static fn (string $bytes): bool => str_contains($bytes, '"A"'), 60.0);
        self::endModel($model, SIGKILL);
        $this->check('a model that breaks off: no whole response', !str_ends_with($peer->readToEnd(20.0), "0\r\n\r\n") && $peer->ended(), $peer->received());
    }

    public function testAThousandClients(): void
    {
        [$php, $example, $proxyAt] = [self::$php, self::$example, self::$proxyAt];
        $model = self::startModel(SECONDS);
        $probe = static function (float $seconds) use ($php, $example, $proxyAt): array {
            $program = new Companion([...$php, "{$example}/probe.php", $proxyAt, '/health', (string) $seconds]);
            $program->waitForEnd($seconds + 30);
            return json_decode($program->output(), true) ?? ['failed' => 1, 'p50' => INF, 'p99' => INF];
        };
        $alone = $probe(2.0);
        $readers = new Companion([...$php, "{$example}/readers.php", $proxyAt, (string) CLIENTS]);
        $this->same('a thousand clients of one worker have a token', 'all', $readers->firstLine(60.0));
        $beside = $probe(SECONDS / 4);
        $this->same('they were there all the time', CLIENTS, (int) self::get('/health'));
        $this->check('ordinary requests beside them are served at once', $beside['failed'] === 0 && $beside['p50'] < 50.0 && $beside['p99'] < 1000.0, json_encode(['alone' => $alone, 'beside' => $beside]));
        $this->same('the clients end well', 0, $readers->waitForEnd(120.0));
        $result = json_decode(substr($readers->output(), 4), true);
        $this->same('each got every token', [CLIENTS, []], [$result['whole'] ?? $readers->output(), $result['problems'] ?? null]);
        printf("# ordinary requests: p99 %.2f ms alone, %.2f ms beside %d clients\n", $alone['p99'], $beside['p99'], CLIENTS);
    }

    private static function startModel(float $seconds): Companion
    {
        [$php, $example, $modelAt, $modelPort] = [self::$php, self::$example, self::$modelAt, self::$modelPort];
        $model = new Companion([...$php, "{$example}/upstream.php", $modelAt, (string) $seconds]);
        $model->waitForPort($modelPort);
        return $model;
    }

    private static function endModel(Companion $model, int $signal): void
    {
        $modelAt = self::$modelAt;
        $model->signal($signal);
        // Its worker may listen for a moment longer.
        Server::until(20.0, static fn (): bool => !is_resource(@stream_socket_client("tcp://{$modelAt}", $code, $message, 1.0)));
    }

    private static function ask(string $body, string $key = 'demo'): Peer
    {
        $proxyAt = self::$proxyAt;
        $peer = new Peer("tcp://{$proxyAt}");
        $peer->send(["POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {$key}\r\nContent-Length: " . strlen($body) . "\r\n\r\n{$body}"]);
        return $peer;
    }

    private static function get(string $path): string
    {
        $proxyAt = self::$proxyAt;
        $peer = new Peer("tcp://{$proxyAt}");
        $peer->send(["GET {$path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        return Answer::all($peer->readToEnd(), ['GET'])[0]->body ?? '';
    }

    private static function response(Peer $peer): array
    {
        $answer = Answer::all($peer->readToEnd(60.0), ['POST'])[0] ?? null;
        return [$answer?->status, $answer?->body];
    }
}
