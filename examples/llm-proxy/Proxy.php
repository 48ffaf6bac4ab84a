<?php

declare(strict_types=1);

namespace LlmProxy;

use JsonException;
use Swoole\Coroutine\Http\Client;
use Swoole\Http\Request;
use Swoole\Http\Response;

/**
 * Passes a question to the model's server and its events on to the client, piece by piece: a client that reads slowly slows its own
 * stream down, one that leaves ends it.
 */
final class Proxy
{
    public const LARGEST_QUESTION = 256 << 10;

    private const LONGEST_SILENCE = 60.0; // seconds between two tokens
    private const LARGEST_REFUSAL = 8192;

    private int $streams = 0;

    /** @param list<string> $clientKeys */
    public function __construct(
        private readonly int $mostStreams,
        private readonly string $host,
        private readonly int $port,
        #[\SensitiveParameter]
        private readonly string $key,
        #[\SensitiveParameter]
        private readonly array $clientKeys,
    ) {}

    public function streams(): int
    {
        return $this->streams;
    }

    public function stream(Request $request, Response $response): void
    {
        if (!in_array(preg_replace('/^Bearer /', '', $request->header['authorization'] ?? ''), $this->clientKeys, true)) {
            self::refuse($response, 401, 'Send a key that is known here: Authorization: Bearer ...');
            return;
        }
        if ($this->streams >= $this->mostStreams) {
            $response->header('Retry-After', '10');
            self::refuse($response, 503, 'There are as many streams as this server can hold: try again in a while.');
            return;
        }
        $question = self::question($request);
        if ($question === null) {
            self::refuse($response, 400, 'The body must be JSON with "messages".');
            return;
        }
        $this->streams++;
        try {
            $this->passOn($question, $response);
        } finally {
            $this->streams--;
        }
    }

    public static function refuse(Response $response, int $status, string $sentence): void
    {
        $response->status($status);
        $response->header('Content-Type', 'application/json');
        $response->end(json_encode(['error' => ['message' => $sentence]], JSON_THROW_ON_ERROR) . "\n");
    }

    private function passOn(string $question, Response $response): void
    {
        $client = new Client($this->host, $this->port);
        $refusal = '';
        $hasBegun = false;
        $client->set([
            'timeout' => -1, // a response may last; silence may not
            'connect_timeout' => 5,
            'read_timeout' => self::LONGEST_SILENCE,
            'http_compression' => false,
            'max_retries' => 0,
            'write_func' => static function (Client $client, string $piece) use ($response, &$refusal, &$hasBegun): bool {
                if ($client->statusCode === 200) {
                    $hasBegun = true;
                    return $response->write($piece); // false, when the client is gone, ends the question
                }
                $refusal .= $piece;
                return strlen($refusal) <= self::LARGEST_REFUSAL;
            },
        ]);
        $client->setHeaders(['Content-Type' => 'application/json', 'Accept' => 'text/event-stream', 'Authorization' => "Bearer {$this->key}"]);
        $response->header('Content-Type', 'text/event-stream');
        $response->header('Cache-Control', 'no-cache');
        $response->header('X-Accel-Buffering', 'no');
        $isWhole = $client->post('/v1/chat/completions', $question);
        $status = $client->statusCode;
        $client->close();
        if (!$response->isWritable()) {
            return; // the client has left
        }
        if ($isWhole && $status === 200) {
            $response->end();
        } elseif ($hasBegun) {
            $response->close(); // cut off: to end it well would make a part look like the whole
        } else {
            fwrite(STDERR, "The model's server refused: {$status} {$client->errMsg} {$refusal}\n");
            self::refuse($response, 502, $status > 0 ? "The model's server refused with status {$status}." : "The model's server cannot be reached.");
        }
    }

    /** What is passed on: the question, always with streaming. */
    private static function question(Request $request): ?string
    {
        try {
            $question = json_decode((string) $request->rawContent(), true, 32, JSON_THROW_ON_ERROR);
            $isOne = is_array($question) && is_array($question['messages'] ?? null) && $question['messages'] !== [];
            return $isOne ? json_encode(['stream' => true] + $question, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES) : null;
        } catch (JsonException) {
            return null;
        }
    }
}
