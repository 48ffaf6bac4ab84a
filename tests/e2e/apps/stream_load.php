<?php

declare(strict_types=1);

/*
 * Connections to the server of packets with a length, which each send packets of random size and bytes in random pieces, several at
 * once, and look at every byte that comes back. usage: stream_load.php PORT CONNECTIONS SECONDS SEED
 * Prints a line when all are connected, then waits for a line; prints another when all have had a packet; and at the end JSON: messages, wrong (a byte or an order), and by the pid of the worker
 * how many connections were kept and how many broke.
 */

[, $port, $count, $seconds, $seed] = $argv;
mt_srand((int) $seed);
$peers = [];
for ($i = 0; $i < (int) $count; $i++) {
    $socket = stream_socket_client("tcp://127.0.0.1:$port", $number, $message, 30);
    stream_set_blocking($socket, false);
    stream_set_read_buffer($socket, 0);
    $peers[$i] = ['socket' => $socket, 'out' => '', 'in' => '', 'expected' => [], 'pid' => 0];
}
echo "connected\n";
fgets(STDIN);
$unserved = (int) $count;
$random = random_bytes(1 << 16);
$messages = $wrong = 0;
$kept = $broken = [];
$end = microtime(true) + (float) $seconds;
$limit = $end + 30;
while ($peers !== [] && microtime(true) < $limit) {
    $ending = microtime(true) > $end;
    foreach ($peers as $i => &$peer) {
        while (!$ending && count($peer['expected']) < 4) {
            $size = mt_rand(1, mt_rand(0, 20) === 0 ? 30000 : 300);
            $body = pack('N', $i) . substr($random, mt_rand(0, 30000), $size);
            $peer['expected'][] = $body;
            $peer['out'] .= pack('N', strlen($body)) . $body;
        }
        if ($ending && $peer['expected'] === []) {
            $kept[$peer['pid']] = ($kept[$peer['pid']] ?? 0) + 1;
            fclose($peer['socket']);
            unset($peers[$i]);
        }
    }
    unset($peer);
    $read = array_column($peers, 'socket', null);
    $read = array_combine(array_keys($peers), $read);
    $write = array_filter($read, static fn (int $i): bool => $peers[$i]['out'] !== '', ARRAY_FILTER_USE_KEY);
    $none = null;
    if ($read === [] || !stream_select($read, $write, $none, 1)) {
        continue;
    }
    foreach ($write as $i => $socket) {
        $sent = @fwrite($socket, substr($peers[$i]['out'], 0, mt_rand(1, 20000)));
        $peers[$i]['out'] = substr($peers[$i]['out'], (int) $sent);
    }
    foreach ($read as $i => $socket) {
        $bytes = (string) @fread($socket, 65536);
        if ($bytes === '' && feof($socket)) {
            $broken[$peers[$i]['pid']] = ($broken[$peers[$i]['pid']] ?? 0) + 1;
            unset($peers[$i]);
            continue;
        }
        $peer = &$peers[$i];
        $peer['in'] .= $bytes;
        while (strlen($peer['in']) >= 4 && strlen($peer['in']) >= 4 + ($size = unpack('N', $peer['in'])[1])) {
            $pid = unpack('N', $peer['in'], 4)[1];
            $wrong += substr($peer['in'], 8, $size - 4) === array_shift($peer['expected']) && ($peer['pid'] === 0 || $peer['pid'] === $pid) ? 0 : 1;
            if ($peer['pid'] === 0 && --$unserved === 0) {
                echo "served\n";
            }
            $peer['pid'] = $pid;
            $peer['in'] = substr($peer['in'], 4 + $size);
            $messages++;
        }
        unset($peer);
    }
}
echo json_encode(['messages' => $messages, 'wrong' => $wrong, 'silent' => count($peers), 'kept' => $kept, 'broken' => $broken]), "\n";
