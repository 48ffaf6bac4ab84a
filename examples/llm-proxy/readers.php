<?php

declare(strict_types=1);

/*
 * So many clients of the proxy at once; each must get the whole recording. Prints "all" when each has had its first token, then a line of JSON.
 * usage: php -d extension=modules/stampede.so examples/llm-proxy/readers.php PROXY-HOST:PORT READERS
 */

use LlmProxy\Recording;
use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\WaitGroup;

use function LlmProxy\address;
use function LlmProxy\allow_files;

require __DIR__ . '/lib.php';
require __DIR__ . '/Recording.php';

/** One client, from its question to the end of the response. */
final class Reader
{
    private string $bytes = '';
    private string $problem = '';
    private int $began = 0;
    private int $first = 0;

    /** @param Closure(): void $started */
    public function read(string $host, int $port, Closure $started): void
    {
        $client = new Client($host, $port);
        $client->set(['timeout' => -1, 'connect_timeout' => 30, 'read_timeout' => 120, 'max_retries' => 0, 'write_func' => function (Client $client, string $piece) use ($started): bool {
            if ($this->first === 0) {
                $this->first = hrtime(true);
                $started();
            }
            $this->bytes .= $piece;
            return true;
        }]);
        $client->setHeaders(['Authorization' => 'Bearer demo']);
        $this->began = hrtime(true);
        $isWhole = $client->post('/v1/chat/completions', '{"messages": [{"role": "user", "content": "What is a coroutine?"}]}');
        $this->problem = $isWhole && $client->statusCode === 200 ? '' : trim("{$client->statusCode} {$client->errMsg}");
        $client->close();
    }

    /** Empty when all of it has come. */
    public function problem(string $text): string
    {
        if ($this->problem !== '') {
            return $this->problem;
        }
        preg_match_all('/^data: (\{.*\})$/m', $this->bytes, $found);
        $tokens = array_map(static fn (string $data): string => json_decode($data, true, 8, JSON_THROW_ON_ERROR)['choices'][0]['delta']['content'], $found[1]);
        return implode('', $tokens) === $text && str_ends_with($this->bytes, "data: [DONE]\n\n") ? '' : 'not what the model has said';
    }

    public function secondsToFirst(): float
    {
        return max(0, $this->first - $this->began) / 1e9;
    }
}

[$host, $port] = address($argv[1] ?? '');
$count = max(1, (int) ($argv[2] ?? 1));
if (allow_files($count + 100) < $count + 50) {
    fwrite(STDERR, "{$count} connections are more open files than this process may have: see ulimit -n.\n");
    exit(1);
}
Coroutine::set(['max_coroutine' => $count + 100]);
Coroutine\run(static function () use ($host, $port, $count): void {
    $readers = array_map(static fn (): Reader => new Reader(), range(1, $count));
    $group = new WaitGroup();
    $waiting = $count;
    $started = static function () use (&$waiting): void {
        if (--$waiting === 0) {
            echo "all\n";
        }
    };
    foreach ($readers as $i => $reader) {
        $group->add();
        Coroutine::create(static function () use ($reader, $group, $host, $port, $started): void {
            $reader->read($host, $port, $started);
            $group->done();
        });
        if ($i % 10 === 9) {
            Coroutine::sleep(0.01); // one after the other, and not all in one instant
        }
    }
    $group->wait();
    $text = Recording::read(__DIR__ . '/recording.jsonl')->text();
    $problems = array_count_values(array_map(static fn (Reader $reader): string => $reader->problem($text), $readers));
    $times = array_map(static fn (Reader $reader): float => $reader->secondsToFirst(), $readers);
    sort($times);
    $whole = $problems[''] ?? 0;
    unset($problems['']);
    echo json_encode(['readers' => $count, 'whole' => $whole, 'problems' => $problems, 'first_token_p99' => round($times[(int) ($count * 0.99)] ?? end($times), 3)], JSON_THROW_ON_ERROR), "\n";
});
