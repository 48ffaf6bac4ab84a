--TEST--
Request::getContent() of bodies that come straight into strings: shared, separate when written to, and within the memory limit
--EXTENSIONS--
pcntl
posix
--INI--
memory_limit=24M
--FILE--
<?php
use Swoole\Http\{Request, Response, Server};

function body(int $size, string $seed): string
{
    return substr(str_repeat(hash('sha256', $seed), intdiv($size, 64) + 1), 0, $size);
}

function post(string $path, string $body): string
{
    return "POST $path HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
}

/** @param resource $client */
function response($client): string
{
    $text = '';
    while (!preg_match('/^(.*?)\r\n\r\n/s', $text, $head)) {
        if (($piece = fread($client, 8192)) === '' || $piece === false) {
            return "broken off: $text";
        }
        $text .= $piece;
    }
    preg_match('/Content-Length: (\d+)/', $head[1], $length);
    $rest = substr($text, strlen($head[0]));
    while (strlen($rest) < (int) $length[1] && ($piece = fread($client, 8192)) !== '' && $piece !== false) {
        $rest .= $piece;
    }
    return $rest;
}

/** @return resource */
function connection(int $port)
{
    $client = stream_socket_client("tcp://127.0.0.1:$port", $code, $error, 5);
    stream_set_timeout($client, 10);
    return $client;
}

$server = new Server('127.0.0.1', 0);
$out = tempnam(sys_get_temp_dir(), 'out');
$server->set(['worker_num' => 1, 'log_level' => SWOOLE_LOG_ERROR, 'package_max_length' => 4 << 20]);
$server->on('managerStart', function (Server $server) use ($out): void {
    if (pcntl_fork() > 0) {
        return;
    }
    ob_start();
    $port = $server->port;
    $failures = [];
    $client = connection($port);
    foreach ([8191, 8192, 16000, 100 << 10, 300_000, 1 << 20, 3 << 20] as $size) {
        $body = body($size, "body $size");
        fwrite($client, post('/hash', $body));
        $failures[] = response($client) === sha1($body) . " $size" ? '' : "wrong body of $size";
    }
    $body = body(50_000, 'kept');
    foreach (['/write', '/keep'] as $path) {
        fwrite($client, post($path, $body));
        echo response($client), "\n";
    }
    fwrite($client, post('/kept', body(50_000, 'other')));
    echo response($client) === sha1($body) ? 'kept past its request' : 'not the string that was kept', "\n";
    fwrite($client, post('/data', $body));
    echo response($client) === sha1(post('/data', $body)) ? 'getData() has head and body' : 'getData() is wrong', "\n";
    // More bodies than the memory limit has room for, all of them nearly there at the same time.
    $clients = [];
    for ($i = 0; $i < 60; $i++) {
        $clients[] = $client = connection($port);
        fwrite($client, substr(post('/hash', body(900_000, "many $i")), 0, -10));
    }
    foreach ($clients as $i => $client) {
        $body = body(900_000, "many $i");
        fwrite($client, substr($body, -10));
        $failures[] = response($client) === sha1($body) . ' 900000' ? '' : "wrong body of client $i";
    }
    // The server ends with a body that is half there.
    $client = connection($port);
    fwrite($client, substr(post('/hash', body(200_000, 'half')), 0, 100_000));
    echo implode("\n", array_filter($failures)) ?: 'every body as it was sent', "\n";
    file_put_contents($out, ob_get_clean());
    posix_kill($server->master_pid, SIGTERM);
    posix_kill(posix_getpid(), SIGKILL);
});
$kept = '';
$server->on('request', function (Request $request, Response $response) use (&$kept): void {
    switch ($request->server['request_uri']) {
        case '/write':
            $written = $request->getContent();
            $written[0] = '!';
            $written .= 'more';
            $again = $request->getContent();
            $response->end($again === $request->rawContent() && $again[0] !== '!' && strlen($again) === 50_000
                && $written === '!' . substr($again, 1) . 'more' ? 'a copy is written to' : 'the body was written to');
            break;
        case '/keep':
            $kept = $request->getContent();
            $response->end('ok');
            break;
        case '/kept':
            $response->end(sha1($kept));
            break;
        case '/data':
            $response->end(sha1($request->getData()));
            break;
        default:
            $response->end(sha1($request->getContent()) . ' ' . strlen($request->getContent()));
    }
});
$server->start();
echo file_get_contents($out);
unlink($out);
echo "the server ended\n";
?>
--EXPECT--
a copy is written to
ok
kept past its request
getData() has head and body
every body as it was sent
the server ended
