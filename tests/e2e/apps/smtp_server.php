<?php

declare(strict_types=1);

/* An SMTP server that takes a fifth of a second for each mail, many at once. usage: smtp_server.php PORT FOLDER-OF-MAILS */

[, $port, $folder] = $argv;
$listener = stream_socket_server("tcp://127.0.0.1:$port") ?: exit(1);
/** @var array<int, array{resource, string, bool}> $peers the socket, what was read, whether it is the text of a mail */
$peers = [];
/** @var list<array{float, resource}> $due answers that wait */
$due = [];
$number = 0;
while (true) {
    $read = [$listener, ...array_column($peers, 0)];
    $none = [];
    stream_select($read, $none, $none, 0, $due === [] ? 900_000 : 10_000);
    while ($due !== [] && $due[0][0] <= microtime(true)) {
        fwrite(array_shift($due)[1], "250 taken\r\n");
    }
    foreach ($read as $socket) {
        if ($socket === $listener) {
            $peer = stream_socket_accept($listener, 0);
            fwrite($peer, "220 test\r\n");
            $peers[(int) $peer] = [$peer, '', false];
            continue;
        }
        $id = (int) $socket;
        $bytes = (string) fread($socket, 65536);
        if ($bytes === '') {
            fclose($socket);
            unset($peers[$id]);
            continue;
        }
        $peers[$id][1] .= $bytes;
        while (($end = strpos($peers[$id][1], $peers[$id][2] ? "\r\n.\r\n" : "\r\n")) !== false) {
            $text = substr($peers[$id][1], 0, $end);
            $peers[$id][1] = substr($peers[$id][1], $end + ($peers[$id][2] ? 5 : 2));
            if ($peers[$id][2]) {
                file_put_contents("$folder/mail" . $number++, $text);
                $due[] = [microtime(true) + 0.2, $socket];
                $peers[$id][2] = false;
            } else {
                $verb = strtoupper(strtok($text, ' ') ?: '');
                $peers[$id][2] = $verb === 'DATA';
                fwrite($socket, match ($verb) {
                    'DATA' => "354 go on\r\n",
                    'QUIT' => "221 bye\r\n",
                    'EHLO' => "250-test\r\n250 8BITMIME\r\n",
                    default => "250 ok\r\n",
                });
            }
        }
    }
}
