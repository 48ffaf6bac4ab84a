<?php

declare(strict_types=1);

/* How fast connections are taken whose clients say nothing at first, and which workers get them. */

namespace Stampede\Tests\E2e;

final class accepting_test extends EndToEndTest
{
    public function testConnectionsThatSayNothingHoldUpNobody(): void
    {
        $server = new Server('ports', ['worker_num' => 2]);
        $limit = (int) (posix_getrlimit()['soft openfiles'] ?? 1024);
        $count = min(2000, $limit - 200);
        $open = static fn (string $address): array => array_map(static fn () => stream_socket_client($address, $code, $message, 10.0), range(1, $count / 2));
        // What the connections alone cost on a machine as busy as it is: the kernel takes them for a listener that never accepts.
        $listener = stream_socket_server('tcp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, stream_context_create(['socket' => ['backlog' => 4096]]));
        $started = microtime(true);
        $open('tcp://' . stream_socket_get_name($listener, false));
        $alone = microtime(true) - $started;
        $started = microtime(true);
        $silent = [...$open($server->address()), ...$open($server->address())];
        $took = microtime(true) - $started;
        // A pause of a millisecond for each of them would take twice as long at least.
        $this->check("$count silent connections are taken one right after another", $took < $count / 2000 + 4 * $alone, sprintf('%.2f s, half of them alone %.2f s', $took, $alone));
        $next = stream_socket_client($server->address(), $code, $message, 10.0);
        stream_set_timeout($next, 10);
        fwrite($next, "GET /pid HTTP/1.1\r\nHost: a\r\n\r\n");
        $this->same('the next client is served', "HTTP/1.1 200 OK\r\n", fgets($next));

        $workers = [];
        foreach ($silent as $stream) {
            fwrite($stream, "GET /pid HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        }
        foreach ($silent as $stream) {
            $response = (string) stream_get_contents($stream);
            $workers[] = substr($response, (int) strpos($response, "\r\n\r\n") + 4);
        }
        $shares = array_count_values($workers);
        $this->check('all of them are served when they speak', count($workers) === $count && !isset($shares['']), (string) json_encode($shares));
        $this->check('both workers have their share', count($shares) === 2 && min($shares) > 0.4 * $count, (string) json_encode($shares));
        unset($server);
    }
}
