--TEST--
Runtime: coroutines that share a multi handle of curl go on when another one has read the end of their response
--EXTENSIONS--
curl
--FILE--
<?php
use Swoole\Coroutine;

/** Each coroutine makes requests one after another, and moves on the transfers of all of them while it waits for its own. */
function load(int $port, int $coroutines, int $connections, float $patience): array
{
    $multi = curl_multi_init();
    curl_multi_setopt($multi, CURLMOPT_MAX_HOST_CONNECTIONS, $connections);
    $ended = [];
    $good = $calls = 0;
    $longest = 0.0;
    $users = [];
    for ($user = 0; $user < $coroutines; $user++) {
        $users[] = go(static function () use ($port, $user, $multi, $patience, &$ended, &$good, &$calls, &$longest): void {
            for ($round = 0; $round < 5; $round++) {
                $easy = curl_init("http://127.0.0.1:$port/?ms=" . ($user * 7 + $round * 3) % 30 . "&id=$user-$round");
                curl_setopt($easy, CURLOPT_RETURNTRANSFER, true);
                curl_multi_add_handle($multi, $easy);
                $id = spl_object_id($easy);
                for (;;) {
                    curl_multi_exec($multi, $running);
                    $calls++;
                    while ($message = curl_multi_info_read($multi)) {
                        $ended[spl_object_id($message['handle'])] = microtime(true);
                    }
                    if (isset($ended[$id])) {
                        break;
                    }
                    curl_multi_select($multi, $patience);
                }
                $longest = max($longest, microtime(true) - $ended[$id]);
                $good += curl_multi_getcontent($easy) === "$user-$round" ? 1 : 0;
                unset($ended[$id]);
                curl_multi_remove_handle($multi, $easy);
            }
        });
    }
    Coroutine::join($users);
    return [$good, $longest, $calls];
}

Swoole\Coroutine\run(static function (): void {
    $server = new Coroutine\Http\Server('127.0.0.1', 0);
    $server->handle('/', static function ($request, $response): void {
        Coroutine::sleep(max(1, (int) $request->get['ms']) / 1000);
        $response->end($request->get['id']);
    });
    go(static fn () => $server->start());
    foreach ([[2, 0], [6, 0], [50, 0], [20, 3]] as [$coroutines, $connections]) {
        [$good, $longest, $calls] = load($server->port, $coroutines, $connections, 5.0);
        echo "$coroutines coroutines, ", $connections === 0 ? 'a connection each' : "$connections connections", ': ',
            $good === 5 * $coroutines ? 'all responses' : "$good responses", $longest < 2.5 ? ', no stall' : sprintf(', a stall of %.1f s', $longest),
            $calls < 200 * 5 * $coroutines ? '' : ", $calls calls", "\n";
    }
    $server->shutdown();
});
?>
--EXPECT--
2 coroutines, a connection each: all responses, no stall
6 coroutines, a connection each: all responses, no stall
50 coroutines, a connection each: all responses, no stall
20 coroutines, 3 connections: all responses, no stall
