<?php

declare(strict_types=1);

/* The access log: what is in it, that nobody can write lines of his own, and what happens when it cannot be written. */

namespace Stampede\Tests\E2e;

final class access_log_test extends EndToEndTest
{
    private static string $log;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = sys_get_temp_dir() . '/stampede-access-' . getmypid();
        mkdir($folder);
        chmod($folder, 0777);
        file_put_contents("$folder/file.txt", str_repeat('f', 1234));
        self::$log = "$folder/log";
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        exec('rm -rf ' . escapeshellarg($folder));
    }

    public function testCombined(): void
    {
        [$log, $folder] = [self::$log, self::$folder];
        $server = new Server('ports', ['access_log' => $log, 'open_http2_protocol' => true, 'enable_static_handler' => true, 'document_root' => $folder,
            'package_max_length' => 1000, 'http_header_timeout' => 1, 'log_level' => 5]);
        self::send($server, self::request('GET /stream?a=b', 'Referer: http://from.example/', 'User-Agent: tester/1.0'));
        self::send($server, self::request('HEAD /stream'));
        self::send($server, self::request('GET /file.txt'));
        self::send($server, self::request('GET /throw'));
        self::send($server, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
        self::send($server, "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
        self::send($server, "GET /" . str_repeat('x', 20000) . " HTTP/1.1\r\nHost: a\r\n\r\n");
        self::send($server, "GET /late HTTP/1.1\r\nHost:");
        $gone = new Peer($server->address());
        $gone->send(["GET /never HTTP/1.1\r\nHost: a\r\n\r\n"]);
        Server::until(5, static fn (): bool => inFlight($server) === 1);
        $gone->abort();
        exec('curl -s -o /dev/null --max-time 10 --http2-prior-knowledge -A curler ' . escapeshellarg("http://127.0.0.1:$server->port/two?x=1"));
        exec('curl -s -o /dev/null --max-time 10 --http2-prior-knowledge ' . escapeshellarg("http://127.0.0.1:$server->port/file.txt"));
        exec('curl -s -o /dev/null --max-time 10 --http2-prior-knowledge -X POST -H ' . escapeshellarg('Content-Length: 5000') . ' -d x ' . escapeshellarg("http://127.0.0.1:$server->port/up"));
        $text = self::lines($log, 12);
        $text = array_values(array_filter($text, static fn (string $line): bool => !str_contains($line, '/stats')));
        $head = '127\.0\.0\.1 - - \[' . date('d/M/Y') . ':\d\d:\d\d:\d\d [+-]\d{4}\]';
        $expected = [
            'a streamed answer' => '"GET /stream\?a=b HTTP/1\.1" 200 7 "http://from\.example/" "tester/1\.0"',
            'HEAD has no body' => '"HEAD /stream HTTP/1\.1" 200 0 "-" "-"',
            'a file' => '"GET /file\.txt HTTP/1\.1" 200 1234 "-" "-"',
            'an exception' => '"GET /throw HTTP/1\.1" 500 \d+ "-" "-"',
            'a bad head' => '"-" 400 0 "-" "-"',
            'too large' => '"POST /up HTTP/1\.1" 413 0 "-" "-"',
            'a target that is too long' => '"-" 414 0 "-" "-"',
            'a head that does not come' => '"-" 408 0 "-" "-"',
            'a peer that has gone' => '"GET /never HTTP/1\.1" 499 0 "-" "-"',
            'HTTP/2' => '"GET /two\?x=1 HTTP/2\.0" 200 \d+ "-" "curler"',
            'a file over HTTP/2' => '"GET /file\.txt HTTP/2\.0" 200 1234 "-" "curl/[\d.]+"',
            'too large over HTTP/2' => '"POST /up HTTP/2\.0" 413 \d+ "-" "curl/[\d.]+"',
        ];
        $number = 0;
        foreach ($expected as $name => $pattern) {
            $this->check("$name", preg_match("~^$head $pattern$~", $text[$number] ?? '') === 1, "line $number: " . ($text[$number] ?? 'missing'));
            $number++;
        }
        $this->same('a line for each', count($expected), count($text));
    }

    public function testHostileBytesAndRotation(): void
    {
        $log = self::$log;
        $server = new Server('ports', ['access_log' => $log, 'log_level' => 5]);
        file_put_contents($log, '');
        self::send($server, self::request('GET /', "User-Agent: \"evil\\\" \x80\xff\t\xc2\x9b31m", 'Referer: ' . str_repeat('"', 5000)));
        self::send($server, "GET /%0d%0a127.0.0.1%20-%20- HTTP/1.1\r\nHost: a\r\nConnection: close\r\nUser-Agent: a\x1b[31m\r\n\r\n");
        self::send($server, self::request('GET /' . str_repeat('%22', 3000)));
        $text = self::lines($log, 3);
        $this->check('quotation marks, backslashes and bytes are escaped', str_contains($text[0] ?? '', '"\x22evil\x5c\x22 \x80\xff\x09\xc2\x9b31m"'), $text[0] ?? '');
        $this->check('lines are bounded', max(array_map(strlen(...), $text ?: [''])) < 4096);
        $this->check('and nothing but printable ASCII', count($text) === 3 && array_filter($text, static fn (string $line): bool => preg_match('~^[\x20-\x7e]+$~', $line) !== 1) === [], implode("\n", $text));

        rename($log, "$log.1");
        self::send($server, self::request('GET /old'));
        $this->check('after a rename lines go on to the old file', count(self::lines("$log.1", 4)) === 4 && !is_file($log));
        posix_kill($server->pid(), SIGRTMIN);
        $this->check('until the signal', Server::until(5, static function () use ($server, $log): bool {
            self::send($server, self::request('GET /new'));
            return self::lines($log, 1, 1.5) !== [];
        }));
        posix_kill($server->pid(), SIGUSR1);
        $before = $server->workerPid();
        Server::until(5, static fn (): bool => $server->workerPid() !== $before);
        $count = count(self::lines($log, 1));
        self::send($server, self::request('GET /reloaded'));
        $this->check('workers that start later write to the new one', str_contains(implode("\n", self::lines($log, $count + 1)), '/reloaded'));
        self::send($server, self::request('GET /last'));
        $server->stop();
        $this->check('the last lines are written at the end', str_contains((string) file_get_contents($log), '/last'));
        unset($server);
    }

    public function testJSON(): void
    {
        $log = self::$log;
        file_put_contents($log, '');
        $server = new Server('ports', ['access_log' => $log, 'access_log_format' => 'json', 'trusted_proxies' => ['private'], 'worker_num' => 2]);
        self::send($server, self::request('GET /stream?q=1', "User-Agent: \"q\\ \x80\xff \xc3\xa9 \xe2\x82\xac \xed\xa0\x80 \xf0\x9f\x98\x80 \xc0\xaf \xf5\x80\x80\x80 \xc2\x9b\t", 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: https'));
        self::send($server, "nonsense\r\n\r\n");
        $text = self::lines($log, 2);
        usort($text, static fn (string $a, string $b): int => str_contains($b, '/stream') <=> str_contains($a, '/stream'));  // of two workers
        $one = json_decode($text[0] ?? '', true);
        $this->check('a line is an object', is_array($one) && is_array(json_decode($text[1] ?? '', true)), implode("\n", $text));
        $this->same('its fields', ['203.0.113.9', 'GET', '/stream?q=1', 'HTTP/1.1', 200, 7, true, 'a'], [$one['remote_addr'] ?? null, $one['method'] ?? null, $one['target'] ?? null,
            $one['protocol'] ?? null, $one['status'] ?? null, $one['bytes'] ?? null, $one['https'] ?? null, $one['host'] ?? null]);
        $bad = "\u{fffd}";
        $this->same('what is no UTF-8 is replaced', "\"q\\ $bad$bad \u{e9} \u{20ac} $bad$bad$bad \u{1f600} $bad$bad $bad$bad$bad$bad $bad", $one['user_agent'] ?? null);
        $this->check('when and how long', strtotime($one['time'] ?? '') > time() - 60 && is_int($one['duration_us'] ?? null) && $one['duration_us'] >= 0 && $one['duration_us'] < 5_000_000);
        $this->same('a bad head', [400, ''], [json_decode($text[1] ?? '', true)['status'] ?? null, json_decode($text[1] ?? '', true)['method'] ?? null]);

        $load = new Load($server->address(), 10);
        $load->runUntil(static fn (Load $load): bool => $load->answered >= 5000);
        $expectedLines = $load->answered + 2;
        $text = self::lines($log, $expectedLines);
        $broken = array_filter($text, static fn (string $line): bool => json_decode($line) === null);
        $this->check('every request of two workers has a whole line', $broken === [] && abs(count($text) - $expectedLines) <= 10, count($text) . " lines for $expectedLines requests");
        unset($server, $load);
    }

    public function testADiskThatIsFull(): void
    {
        $folder = self::$folder;
        $stats = static fn (Server $server): array => json_decode(ask($server, '/stats')[1], true) ?? [];
        if (posix_getuid() === 0) {
            mkdir("$folder/small");
            exec('mount -t tmpfs -o size=64k tmpfs ' . escapeshellarg("$folder/small") . ' 2>&1', $output, $status);
            $this->same('a small disk', 0, $status);
            file_put_contents("$folder/small/fill", str_repeat('x', 60000));
            $server = new Server('ports', ['access_log' => "$folder/small/log"]);
            $answered = 0;
            for ($i = 0; $i < 200; $i++) {
                $answered += str_starts_with(self::send($server, self::request('GET /stream')), 'HTTP/1.1 200') ? 1 : 0;
            }
            $this->same('disk full: requests go on', 200, $answered);
            $this->check('lost lines are counted', Server::until(6, static fn (): bool => $stats($server)['access_log_lost'] > 50), json_encode($stats($server)));
            $this->check('the log of the server says so', str_contains($server->output(), 'lines of the access log were lost'), $server->output());
            unlink("$folder/small/fill");
            $this->check('it goes on when there is room', Server::until(8, static function () use ($server, $folder): bool {
                self::send($server, self::request('GET /room'));
                return str_contains((string) file_get_contents("$folder/small/log"), '/room');
            }));
            $whole = array_filter(events("$folder/small/log"), static fn (string $line): bool => preg_match('~^127\.0\.0\.1 - - \[.*"$~', $line) === 1);
            $this->check('at most one line is torn', count(events("$folder/small/log")) - count($whole) <= 1);
            unset($server);
            exec('umount ' . escapeshellarg("$folder/small"));
        }
    }

    public function testAPipeThatNobodyReads(): void
    {
        $folder = self::$folder;
        $stats = static fn (Server $server): array => json_decode(ask($server, '/stats')[1], true) ?? [];
        posix_mkfifo("$folder/pipe", 0666);
        $reader = fopen("$folder/pipe", 'r+e');  // not the server's too
        $server = new Server('ports', ['access_log' => "$folder/pipe"]);
        self::send($server, self::request('GET /piped'));
        $this->check('a pipe', str_contains((string) fgets($reader), 'GET /piped'));
        $load = new Load($server->address(), 5);
        $load->runUntil(static fn (Load $load): bool => $load->answered >= 3000);
        $this->check('a pipe that nobody reads: requests go on', $load->failures() === 0, $load->summary());
        fclose($reader);
        for ($i = 0; $i < 5; $i++) {
            self::send($server, self::request('GET /closed'));
        }
        $this->check('a pipe that is closed: requests go on, lines are counted', Server::until(6, static fn (): bool => $stats($server)['access_log_lost'] >= 5), json_encode($stats($server)));
        $start = microtime(true);
        $server->stop();
        $this->check('and the server ends', microtime(true) - $start < 5);
        unset($server, $load);
    }

    public function testStandardOutputAndOff(): void
    {
        $server = new Server('ports', ['access_log' => 'stdout', 'log_level' => 5]);
        self::send($server, self::request('GET /to-stdout'));
        $this->check('standard output', Server::until(5, static fn (): bool => str_contains($server->output(), '"GET /to-stdout HTTP/1.1" 200')), $server->output());
        unset($server);
        $server = new Server('ports', ['access_log' => 'stdout', 'access_log_format' => 'off']);
        self::send($server, self::request('GET /nothing'));
        $server->stop();
        $this->check('off', !str_contains($server->output(), '/nothing'));
        unset($server);
    }

    public function testLinesForPeople(): void
    {
        foreach (['text' => '(?:none)', 'coloured' => '(?:\x1b\[\d+m)'] as $format => $colour) {
            file_put_contents(self::$log, '');
            $server = new Server('ports', ['access_log' => self::$log, 'access_log_format' => $format, 'access_log_fields' => ['query', 'referer', 'request_id']]);
            self::send($server, self::request("GET /stream%ff?api_key=abc&page=2&%70assword=x&token", 'Referer: https://user:pw@a.example/b?token=t&c=d'));
            $line = self::lines(self::$log, 1)[0] ?? '';
            $pattern = "~^{$colour}?\\d\\d:\\d\\d:\\d\\d{$colour}? {$colour}?\\d+{$colour}? GET    /stream%ff {$colour}?\\d+\\.\\d ms{$colour}? query=\"api_key=\\(hidden\\)&page=2&%70assword=\\(hidden\\)&token\" "
                . 'referer="https://\(hidden\)@a\.example/b\?token=\(hidden\)&c=d" request_id="[0-9a-f]{32}"$~';
            $this->check("{$format}: a line with what was asked for, and without secrets", preg_match($pattern, $line) === 1, addcslashes($line, "\0..\37"));
            $this->check("{$format}: colours are for terminals alone", ($format === 'coloured') === str_contains($line, "\e[3"), addcslashes($line, "\0..\37"));
            unset($server);
        }
    }

    public function testWhichRequestsHaveALine(): void
    {
        $requests = ['/stream', '/throw', '/sleep', '/stream'];
        foreach ([[['access_log_filter' => 'errors'], ['/throw']], [['access_log_filter' => 'slow:90'], ['/sleep']], [['access_log_sample' => 0.5], ['/throw', '/sleep']], [['access_log_sample' => 0], ['/throw']]] as [$settings, $wanted]) {
            file_put_contents(self::$log, '');
            $server = new Server('ports', ['access_log' => self::$log, 'access_log_format' => 'json', 'access_log_fields' => ['path'], 'log_level' => 5] + $settings);
            foreach ($requests as $path) {
                self::send($server, self::request("GET {$path}"));
            }
            $server->stop();
            $paths = array_map(static fn (string $line): string => json_decode($line, true)['path'] ?? $line, self::lines(self::$log, count($wanted)));
            $this->check(json_encode($settings) . ': ' . implode(' ', $wanted), array_diff($wanted, $paths) === [] && count($paths) <= 2, implode(' ', $paths));
            unset($server);
        }
    }

    public function testNamesOfRequests(): void
    {
        foreach ([[], ['127.0.0.0/8']] as $trusted) {
            file_put_contents(self::$log, '');
            $server = new Server('ports', ['access_log' => self::$log, 'access_log_format' => 'json', 'access_log_fields' => ['request_id', 'trace_id'], 'request_id' => true, 'trusted_proxies' => $trusted]);
            $names = [];
            foreach (['X-Request-Id: Given.1', "X-Request-Id: a\"b", 'X-Other: 1', 'X-Request-Id: ' . str_repeat('a', 129), 'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'] as $field) {
                $answer = self::send($server, self::request('GET /request-id', $field));
                $names[] = substr($answer, strpos($answer, "\r\n\r\n") + 4);
            }
            $lines = array_map(json_decode(...), self::lines(self::$log, 5));
            $this->same('the log has the names that the application sees', $names, array_map(static fn (object $line): string => $line->request_id, $lines));
            $this->same('a trace is noted where there is one', [null, null, null, null, '0af7651916cd43dd8448eb211c80319c'], array_map(static fn (object $line): ?string => $line->trace_id ?? null, $lines));
            $own = array_filter($names, static fn (string $name): bool => preg_match('/^[0-9a-f]{32}$/D', $name) === 1);
            $this->same('a name is given by a trusted proxy or made', $trusted === [] ? [0, 1, 2, 3, 4] : [1, 2, 3, 4], array_keys($own));
            $this->same('once', count($own), count(array_unique($own)));
            $this->check('that of the proxy is kept', $trusted === [] || $names[0] === 'Given.1', $names[0]);
            unset($server);
        }
    }

    public function testSettingsThatAreRefused(): void
    {
        $log = self::$log;
        $wrong = [[['access_log' => '/no/such/folder/log'], 'cannot open the access_log'], [['access_log' => $log, 'access_log_format' => 'clf'], 'access_log_format must be'], [['access_log' => $log, 'access_log_filter' => 'slow:x'], 'access_log_filter must be'],
            [['access_log_sample' => 2], 'access_log_sample must be'], [['access_log_format' => 'json', 'access_log_fields' => ['cookie']], 'there is no field "cookie"'], [['access_log_fields' => ['path']], 'has no effect with the format']];
        foreach ($wrong as [$settings, $sentence]) {
            $why = whyNot('ports', $settings);
            $this->check(json_encode($settings) . ' stops the start with a sentence', str_contains($why, $sentence), $why);
        }
    }

    /** Lines, when there are as many as wanted. @return list<string> */
    private static function lines(string $file, int $count, float $seconds = 6.0): array
    {
        $read = static fn (): array => is_file($file) ? events($file) : [];
        Server::until($seconds, static fn (): bool => count($read()) >= $count);
        return $read();
    }

    private static function send(Server $server, string $bytes, float $seconds = 5.0): string
    {
        $peer = new Peer($server->address());
        $peer->send([$bytes]);
        $received = $peer->readToEnd($seconds);
        $peer->close();
        return $received;
    }

    private static function request(string $line, string ...$fields): string
    {
        return "$line HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" . implode('', array_map(static fn (string $field): string => "$field\r\n", $fields)) . "\r\n";
    }
}
