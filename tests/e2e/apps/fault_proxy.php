<?php

declare(strict_types=1);

/*
 * A TCP proxy that breaks things. usage: fault_proxy.php PORT TARGET-ADDRESS CONTROL-ADDRESS
 * A line to the control address says what happens from now on, and is answered with how many connections there are:
 *   pass           bytes go both ways
 *   latency MS     what the server says is late
 *   hang           nothing goes on; new connections are accepted and hear nothing
 *   reset          connections are reset, new ones too
 *   cut BYTES      connections are closed after so many more bytes of the server
 *   swallow        the next answer is lost with its connection; then as pass
 *   garbage        what the server says becomes noise
 */

final class Pair
{
    public string $toTarget = '';
    /** @var list<array{float, string}> when, what */
    public array $toClient = [];

    /**
     * @param resource $client
     * @param resource $target
     */
    public function __construct(public $client, public $target)
    {
    }

    public function close(bool $reset): void
    {
        if ($reset) {
            $socket = socket_import_stream($this->client);
            socket_set_option($socket, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        }
        fclose($this->client);
        fclose($this->target);
    }
}

[, $port, $address, $controlAddress] = $argv;
// First, since a test waits for the port and then uses both.
$control = stream_socket_server($controlAddress) ?: exit(1);
$listener = stream_socket_server("tcp://127.0.0.1:$port") ?: exit(1);
$mode = ['pass', 0.0];
/** @var array<int, Pair> $pairs */
$pairs = [];
/** @var array<int, resource> $controllers */
$controllers = [];

while (true) {
    $now = microtime(true);
    $read = [$listener, $control, ...$controllers];
    $write = $except = [];
    $wait = 1.0;
    foreach ($pairs as $pair) {
        if ($mode[0] !== 'hang') {
            array_push($read, $pair->client, $pair->target);
            if ($pair->toTarget !== '') {
                $write[] = $pair->target;
            }
            if ($pair->toClient !== []) {
                $wait = min($wait, max(0.0, $pair->toClient[0][0] - $now));
                if ($pair->toClient[0][0] <= $now) {
                    $write[] = $pair->client;
                }
            }
        }
    }
    stream_select($read, $write, $except, (int) $wait, (int) (fmod($wait, 1.0) * 1e6));
    $now = microtime(true);
    if (in_array($listener, $read, true) && ($client = @stream_socket_accept($listener, 0)) !== false) {
        $target = $mode[0] === 'reset' ? fopen('php://memory', 'r') : @stream_socket_client($address, $code, $message, 5.0);
        $pair = new Pair($client, $target ?: fopen('php://memory', 'r'));
        if ($mode[0] === 'reset' || $target === false) {
            $pair->close(true);
        } else {
            stream_set_blocking($client, false);
            stream_set_blocking($target, false);
            $pairs[] = $pair;
        }
    }
    if (in_array($control, $read, true) && ($new = @stream_socket_accept($control, 0)) !== false) {
        $controllers[] = $new;
    }
    foreach ($controllers as $i => $controller) {
        if (!in_array($controller, $read, true)) {
            continue;
        }
        $line = fgets($controller);
        if ($line === false) {
            fclose($controller);
            unset($controllers[$i]);
            continue;
        }
        $words = explode(' ', trim($line));
        $mode = [$words[0], (float) ($words[1] ?? 0)];
        if ($mode[0] === 'reset') {
            foreach ($pairs as $pair) {
                $pair->close(true);
            }
            $pairs = [];
        }
        fwrite($controller, count($pairs) . "\n");
    }
    foreach ($pairs as $i => $pair) {
        if ($mode[0] === 'hang' || !is_resource($pair->client)) {
            continue;
        }
        $isOver = false;
        if (in_array($pair->client, $read, true)) {
            $bytes = fread($pair->client, 65536);
            $isOver = $bytes === false || ($bytes === '' && feof($pair->client));
            $pair->toTarget .= (string) $bytes;
        }
        if (in_array($pair->target, $read, true)) {
            $bytes = fread($pair->target, 65536);
            $isOver = $isOver || $bytes === false || ($bytes === '' && feof($pair->target));
            if ($mode[0] === 'garbage') {
                $bytes = str_repeat("\xff\x00noise", intdiv(strlen((string) $bytes), 7) + 1);
            } elseif ($mode[0] === 'swallow' && (string) $bytes !== '') {
                [$bytes, $isOver, $mode] = ['', true, ['pass', 0.0]];
            } elseif ($mode[0] === 'cut' && strlen((string) $bytes) > 0) {
                $isOver = $isOver || strlen((string) $bytes) >= $mode[1];
                $bytes = substr((string) $bytes, 0, (int) $mode[1]);
                $mode[1] = max(0, $mode[1] - strlen($bytes));
            }
            if ((string) $bytes !== '') {
                $pair->toClient[] = [$mode[0] === 'latency' ? $now + $mode[1] / 1000 : $now, (string) $bytes];
            }
        }
        if ($pair->toTarget !== '') {
            $sent = @fwrite($pair->target, $pair->toTarget);
            $pair->toTarget = substr($pair->toTarget, (int) $sent);
        }
        while ($pair->toClient !== [] && $pair->toClient[0][0] <= microtime(true)) {
            $sent = @fwrite($pair->client, $pair->toClient[0][1]);
            if ($sent !== strlen($pair->toClient[0][1])) {
                $pair->toClient[0][1] = substr($pair->toClient[0][1], (int) $sent);
                break;
            }
            array_shift($pair->toClient);
        }
        if ($isOver) {
            $pair->close(false);
            unset($pairs[$i]);
        }
    }
}
