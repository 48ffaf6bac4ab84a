<?php

declare(strict_types=1);

/* Files of a folder: never outside of it, conditional requests, ranges, siblings, listings; and compressed answers of the application. */

namespace Stampede\Tests\E2e;

final class static_files_test extends EndToEndTest
{
    private static Server $server;
    private static string $root;
    private static mixed $large;
    private static string $outside;

    public static function setUpBeforeClass(): void
    {
        self::$root = $root = External::folder();
        self::$outside = $outside = External::folder();
        file_put_contents("$outside/secret", 'outside');
        foreach (['sub', 'sub/deep', 'listed', '.hidden', 'empty'] as $folder) {
            mkdir("$root/$folder");
            self::$server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'http_index_files' => ['index.php', 'index.html']]);
    }
        self::$large = $large = random_bytes(300_000);
        foreach (['index.html' => '<p>home</p>', 'sub/index.html' => '<p>sub</p>', 'a.txt' => 'text of a', 'large.bin' => $large, 'empty.txt' => '', 'with space & ä.txt' => 'odd name',
            'listed/<b>.txt' => 'x', 'listed/other.css' => 'body{}', '.hidden/file' => 'hidden', '.dot' => 'hidden', 'code.php' => '<?php source();', 'CODE.PHP' => '<?php source();',
            'code.phtml' => '<?php source();', 'style.css' => str_repeat('p{color:red}', 100), 'sub/deep/x.json' => '{"deep":true}', 'old.js' => 'new();'] as $name => $content) {
            file_put_contents("$root/$name", $content);
        }
        file_put_contents("$root/style.css.gz", (string) gzencode((string) file_get_contents("$root/style.css")));
        file_put_contents("$root/old.js.gz", (string) gzencode('old();'));
        touch("$root/old.js.gz", time() - 1000);
        symlink("$outside/secret", "$root/out.txt");
        symlink($outside, "$root/outfolder");
        symlink('a.txt', "$root/inside.txt");
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        [$root, $outside] = [self::$root, self::$outside];
        exec('rm -rf ' . escapeshellarg($root) . ' ' . escapeshellarg($outside));
    }

    public function testAFile(): void
    {
        [$server, $root, $large] = [self::$server, self::$root, self::$large];
        $file = self::ask($server, '/a.txt');
        $this->same('a file', ['text of a', 'text/plain', 'bytes', '9'], [$file->body, $file->field('content-type'), $file->field('accept-ranges'), $file->field('content-length')]);
        $tag = (string) $file->field('etag');
        $date = (string) $file->field('last-modified');
        $this->check('it has validators', preg_match('/^"[^"]+"$/', $tag) === 1 && strtotime($date) === filemtime("$root/a.txt"));
        $this->same('a large file', md5($large), md5(self::ask($server, '/large.bin')->body));
        $this->same('an empty file', [200, '', '0'], [($empty = self::ask($server, '/empty.txt'))->status, $empty->body, $empty->field('content-length')]);
        $this->same('a name in escapes', 'odd name', self::ask($server, '/with%20space%20%26%20%c3%a4.txt')->body);
        $this->same('HEAD says the length and sends nothing', [200, '300000', ''], [($head = self::ask($server, '/large.bin', [], 'HEAD'))->status, $head->field('content-length'), $head->body]);
        $this->same('the index of the root', '<p>home</p>', self::ask($server, '/')->body);
        file_put_contents("$root/sub/index.php", '<?php source();');
        $this->same('the index of a folder', '<p>sub</p>', self::ask($server, '/sub/')->body);
        $this->same('a folder without its slash', [301, '/sub/?q=1'], [($moved = self::ask($server, '/sub?q=1'))->status, $moved->field('location')]);
        $this->same('two slashes in front lead nowhere else', [301, '/sub/'], [($moved = self::ask($server, '//sub'))->status, $moved->field('location')]);
        $this->same('a link inside the folder', 'text of a', self::ask($server, '/inside.txt')->body);
        $this->same('POST is the application\'s', 'application', self::ask($server, '/a.txt', [], 'POST', 'x')->body);
        $this->same('what is no file is the application\'s', 'application', self::ask($server, '/nope')->body);
        $this->same('a query changes nothing', 'text of a', self::ask($server, '/a.txt?v=1')->body);
    }

    public function testNothingPrivate(): void
    {
        $server = self::$server;
        foreach (['/../etc/passwd', '/%2e%2e/etc/passwd', '/sub/../../etc/passwd', '/..%2f..%2fetc/passwd', '/%252e%252e/etc/passwd', '/..\\..\\etc\\passwd', '/..%5c..%5cetc/passwd',
            '/%c0%ae%c0%ae/etc/passwd', '/....//etc/passwd', '/..;/etc/passwd', '//etc/passwd', '/sub/..%00/etc/passwd', '/out.txt', '/outfolder/secret', '/outfolder', '/.dot', '/.hidden/file',
            '/sub/../.dot', '/%2edot', '/code.php', '/CODE.PHP', '/code.ph%70', '/code.php.', '/code.php%20', '/%2e/code.php', '/code.php/', '/code.phtml', '/a.txt/', '/a.txt%00.html', '/./.dot', '/sub//../.dot',
            'http://a/../etc/passwd', 'http://a/%2e%2e/%2e%2e/etc/passwd', 'http://a/.dot', 'http://a/code.php', '/code.php;x', '/code.php%3bx', '/code.php::$DATA', '/code.php%c2%a0',
            '/code.ph%ef%bd%90', '/code%ef%bc%8ephp', '/code.php%0a', '/code.php%09', '/code.php/x', '/code.php?x=.txt', '/sub/%2e%2e/%2e%2e/etc/passwd', '/%2e%2e%5c%2e%2e%5cetc/passwd'] as $target) {
            $answer = self::ask($server, $target);
            $this->check("nothing private by $target", in_array($answer->status, [200, 301, 400, 403, 404], true) && ($answer->status !== 200 || $answer->body === 'application')
                && !str_contains($answer->body, 'root:') && !str_contains($answer->body, 'source'));
        }
    }

    public function testBodiesThatNobodyWants(): void
    {
        $server = self::$server;
        // A body that nobody wants is not the next request, whoever answers.
        foreach (['/a.txt' => 'text of a', '/sub' => '', '/nope' => 'application'] as $target => $body) {
            $peer = new Peer($server->address());
            $hidden = "GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n";
            $peer->send(["GET $target HTTP/1.1\r\nHost: a\r\nContent-Length: " . strlen($hidden) . "\r\n\r\n{$hidden}GET /empty.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            $answers = Answer::all($peer->readToEnd());
            $this->same("a body behind $target", [[$body, ''], '0'], [array_column($answers, 'body'), end($answers)->field('content-length')]);
        }
    }

    public function testConditions(): void
    {
        $server = self::$server;
        $file = self::ask($server, '/a.txt');
        [$tag, $date] = [(string) $file->field('etag'), (string) $file->field('last-modified')];
        // Conditions: RFC 9110 13.2.2.
        foreach ([
            'the tag' => [["If-None-Match: $tag"], 304],
            'the tag, weak' => [["If-None-Match: W/$tag"], 304],
            'one of several' => [["If-None-Match: \"x\", $tag"], 304],
            'one of several lines' => [['If-None-Match: "x"', "If-None-Match: $tag", 'if-none-match: "y"'], 304],
            'none of several lines' => [['If-None-Match: "x"', 'If-None-Match: "y"'], 200],
            'any' => [['If-None-Match: *'], 304],
            'another tag' => [['If-None-Match: "x"'], 200],
            'another tag beats an old date' => [['If-None-Match: "x"', "If-Modified-Since: $date"], 200],
            'the tag beats a new date' => [["If-None-Match: $tag", 'If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT'], 304],
            'the date' => [["If-Modified-Since: $date"], 304],
            'an old date' => [['If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT'], 200],
            'a date that is none' => [['If-Modified-Since: soon'], 200],
            'If-Match with another tag' => [['If-Match: "x"'], 412],
            'If-Match with the tag in the second line' => [['If-Match: "x"', "If-Match: $tag"], 200],
            'If-Match with other tags in two lines' => [['If-Match: "x"', 'If-Match: "y"'], 412],
            'two dates are no date' => [["If-Modified-Since: $date", "If-Modified-Since: $date"], 200],
            'nor are two of If-Unmodified-Since' => [array_fill(0, 2, 'If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT'), 200],
            'If-Match with the tag' => [["If-Match: $tag"], 200],
            'If-Unmodified-Since an old date' => [['If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT'], 412],
        ] as $name => [$fields, $wanted]) {
            $answer = self::ask($server, '/a.txt', $fields);
            $this->same("conditional: $name", $wanted, $answer->status);
            if ($answer->status === 304) {
                $this->same("no body or length in it: $name", ['', null, $tag], [$answer->body, $answer->field('content-length'), $answer->field('etag')]);
            }
        }
    }

    public function testRanges(): void
    {
        [$server, $large] = [self::$server, self::$large];
        foreach ([
            'bytes=0-3' => [206, substr($large, 0, 4), 'bytes 0-3/300000'],
            'bytes=299990-' => [206, substr($large, 299_990), 'bytes 299990-299999/300000'],
            'bytes=-10' => [206, substr($large, -10), 'bytes 299990-299999/300000'],
            'bytes=100-99999999999999999999' => [206, substr($large, 100), 'bytes 100-299999/300000'],
            'bytes=300000-' => [416, '', 'bytes */300000'],
            'bytes=18446744073709551616-' => [416, '', 'bytes */300000'],
            'bytes=5-2' => [200, $large, null],
            'bytes=a' => [200, $large, null],
            'items=0-3' => [200, $large, null],
        ] as $range => [$wanted, $content, $field]) {
            $answer = self::ask($server, '/large.bin', ["Range: $range"]);
            $this->check("range $range", $answer->status === $wanted && $answer->body === $content && $answer->field('content-range') === $field);
        }
        $answer = self::ask($server, '/large.bin', ['Range: bytes=0-9,100-109']);
        $boundary = preg_match('#^multipart/byteranges; boundary=(\w+)$#', (string) $answer->field('content-type'), $found) === 1 ? $found[1] : '';
        $parts = explode("\r\n--$boundary", $answer->body);
        $this->check('two ranges', $answer->status === 206 && count($parts) === 4 && str_ends_with($parts[1], "bytes 0-9/300000\r\n\r\n" . substr($large, 0, 10))
            && str_ends_with($parts[2], "bytes 100-109/300000\r\n\r\n" . substr($large, 100, 10)) && $parts[3] === "--\r\n");
        $this->same('a thousand ranges are the whole file', [200, 300_000], [($answer = self::ask($server, '/large.bin', ['Range: bytes=' . implode(',', array_fill(0, 1000, '0-'))]))->status, strlen($answer->body)]);
        $this->same('If-Range with another tag: the whole file', 200, self::ask($server, '/large.bin', ['Range: bytes=0-3', 'If-Range: "x"'])->status);
        $tagged = (string) self::ask($server, '/large.bin')->field('etag');
        $this->same('If-Range with the tag: the part', 206, self::ask($server, '/large.bin', ['Range: bytes=0-3', "If-Range: $tagged"])->status);
        $this->same('If-Range in two lines: the whole file', 200, self::ask($server, '/large.bin', ['Range: bytes=0-3', "If-Range: $tagged", 'If-Range: "x"'])->status);
        foreach ([['bytes=0-3', 'bytes=0-3'], ['bytes=0-3', 'bytes=10-13'], ['bytes=0-3', '10-13'], ['bytes=0-3', ''], ['items=0-3', 'bytes=0-3'], ['bytes=300000-', 'bytes=0-3']] as $ranges) {
            $answer = self::ask($server, '/large.bin', array_map(static fn (string $range): string => "Range: $range", $ranges));
            $this->same('Range in two lines is none: ' . implode(' and ', $ranges), [200, md5($large), null], [$answer->status, md5($answer->body), $answer->field('content-range')]);
        }
        $this->same('a range does not count for HEAD', [200, '300000'], [($head = self::ask($server, '/large.bin', ['Range: bytes=0-3'], 'HEAD'))->status, $head->field('content-length')]);
    }

    public function testSiblings(): void
    {
        [$server, $root] = [self::$server, self::$root];
        $answer = self::ask($server, '/style.css', ['Accept-Encoding: br, gzip']);
        $this->same('a compressed sibling', ['gzip', 'Accept-Encoding', 'text/css', file_get_contents("$root/style.css")],
            [$answer->field('content-encoding'), $answer->field('vary'), $answer->field('content-type'), gzdecode($answer->body)]);
        $plain = self::ask($server, '/style.css', ['Accept-Encoding: gzip;q=0']);
        $this->check('not for a peer that refuses it', $plain->field('content-encoding') === null && $plain->field('vary') === 'Accept-Encoding' && $plain->field('etag') !== $answer->field('etag'));
        $this->same('asked for in the second of two lines', 'gzip', self::ask($server, '/style.css', ['Accept-Encoding: identity', 'Accept-Encoding: gzip'])->field('content-encoding'));
        $this->same('an older sibling is a leftover', 'new();', self::ask($server, '/old.js', ['Accept-Encoding: gzip'])->body);
    }

    public function testTheFileAsItIsNow(): void
    {
        [$server, $root, $outside] = [self::$server, self::$root, self::$outside];
        $tag = (string) self::ask($server, '/a.txt')->field('etag');
        file_put_contents("$root/a.txt", 'changed');
        $this->same('a changed file', ['changed', 200], [($changed = self::ask($server, '/a.txt', ["If-None-Match: $tag"]))->body, $changed->status]);
        unlink("$root/a.txt");
        $this->same('a removed file', 'application', self::ask($server, '/a.txt')->body);
        symlink("$outside/secret", "$root/a.txt");
        $this->same('a file that became a link out', 'application', self::ask($server, '/a.txt')->body);
        $before = count(scandir("/proc/{$server->workerPid()}/fd") ?: []);
        for ($i = 0; $i < 30; $i++) {
            $peer = new Peer($server->address());
            $peer->send(["GET /large.bin HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9,100-109,1000-1009\r\n\r\n"]);
            $peer->abort();
        }
        $this->check('peers that go leave no descriptor', Server::until(10.0, static fn (): bool => count(scandir("/proc/{$server->workerPid()}/fd") ?: []) <= $before + 1));
        $this->check('the program said nothing', trim($server->output()) === '');
    }

    public function testLocations(): void
    {
        $root = self::$root;
        $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'static_handler_locations' => ['/sub', '/listed', '/empty', '/outfolder'],
            'http_autoindex' => true, 'static_handler_precompressed' => false]);
        $this->same('below a location', '{"deep":true}', self::ask($server, '/sub/deep/x.json')->body);
        $this->same('nothing there: 404, not the application', 404, self::ask($server, '/sub/nope')->status);
        $this->same('a link out of the folder', 404, self::ask($server, '/outfolder/secret')->status);
        $this->same('other paths are the application\'s', 'application', self::ask($server, '/style.css')->body);
        $listing = self::ask($server, '/listed/');
        $this->check('a listing, escaped', $listing->status === 200 && str_contains($listing->body, '<a href="./%3Cb%3E.txt">&lt;b&gt;.txt</a>') && str_contains($listing->body, 'other.css') && !str_contains($listing->body, '<b>'));
        $this->check('an empty listing', self::ask($server, '/empty/')->status === 200);
        unset($server);
    }

    public function testRewriteRules(): void
    {
        $rules = ['~^/data/(\w+)/(\w+)$~' => '/sub/$1/$2.json', '/old/' => '/sub/', '~^/CASE~i' => '/sub/deep/x.json?a=b', '/style.css' => '/style.css', '~^/up/(.*)~' => '/../$1', '~^/private$~' => '/.dot'];
        $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => self::$root, 'static_handler_locations' => ['/sub', '/.dot'], 'url_rewrite_rules' => $rules, 'open_http2_protocol' => true]);
        foreach (['/data/deep/x' => '{"deep":true}', '/old/deep/x.json' => '{"deep":true}', '/case/whatever?b=c' => '{"deep":true}', '/data/deep/x?q' => 'application', '/a.txt' => 'application',
            '/elsewhere' => 'application', '/up/secret' => 'application'] as $path => $body) {
            $this->same("rewritten: $path", $body, self::ask($server, $path)->body);
        }
        foreach (['/old/nothing' => 404, '/data/deep/y' => 404, '/private' => 404] as $path => $status) {
            $this->same("not found below a location: $path", $status, self::ask($server, $path)->status);
        }
        $this->same('over HTTP/2', '{"deep":true}', (string) shell_exec("curl -s --http2-prior-knowledge http://127.0.0.1:{$server->port}/data/deep/x"));
        unset($server);
    }

    public function testDotFiles(): void
    {
        $root = self::$root;
        $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'static_handler_dot_files' => true, 'static_handler_follow_links' => true]);
        $this->same('dot files when asked', 'hidden', self::ask($server, '/.dot')->body);
        $this->same('links out when asked', 'outside', self::ask($server, '/out.txt')->body);
        $this->same('a folder without index is the application\'s', 'application', self::ask($server, '/listed/')->body);
        unset($server);
    }

    public function testFoldersOfLocations(): void
    {
        $root = self::$root;
        $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'static_handler_locations' => ['/listed']]);
        $this->same('below a location a folder without index or listing is refused', 403, self::ask($server, '/listed/')->status);
        $this->same('one that is not there is not found', 404, self::ask($server, '/listed/nope/')->status);

        // Compression of the application's answers.
        $text = str_repeat("A line of text that says little.\n", 1000);
        foreach (['gzip' => gzdecode(...), 'deflate' => gzuncompress(...)] as $coding => $decode) {
            $answer = self::ask($server, '/text', ["Accept-Encoding: $coding"]);
            $this->same("compressed: $coding", [$coding, 'Accept-Encoding', true, (string) strlen($answer->body)],
                [$answer->field('content-encoding'), $answer->field('vary'), $decode($answer->body) === $text, $answer->field('content-length')]);
        }
        $curl = static fn (string $path, string $options): string => (string) shell_exec("curl -s $options http://127.0.0.1:{$server->port}$path");
        foreach (['br', 'zstd'] as $coding) {
            $answer = self::ask($server, '/text', ["Accept-Encoding: gzip;q=0.5, $coding"]);
            $this->same("compressed: $coding", $coding, $answer->field('content-encoding'));
            $this->same("and decoded: $coding", md5($text), md5($curl('/text', "--compressed -H 'Accept-Encoding: $coding'")));
        }
        $this->same('asked for in the second of two lines, refused in the third', 'gzip',
            self::ask($server, '/text', ['Accept-Encoding: identity', 'Accept-Encoding: gzip', 'Accept-Encoding: br;q=0'])->field('content-encoding'));
        $this->same('not without being asked', [null, null, $text], [($answer = self::ask($server, '/text'))->field('content-encoding'), $answer->field('vary'), $answer->body]);
        foreach (['/short', '/image', '/untransformed', '/nothing'] as $path) {
            $this->same("not $path", null, self::ask($server, $path, ['Accept-Encoding: gzip'])->field('content-encoding'));
        }
        $this->same('not what is compressed', str_repeat('x', 1000), gzdecode(self::ask($server, '/coded', ['Accept-Encoding: gzip, br'])->body));
        $answer = self::ask($server, '/tagged', ['Accept-Encoding: gzip']);
        $this->same('the tag becomes weak, the length right', ['W/"tag"', 'Cookie, Accept-Encoding', (string) strlen($answer->body), str_repeat('tagged ', 100)],
            [$answer->field('etag'), $answer->field('vary'), $answer->field('content-length'), gzdecode($answer->body)]);
        $this->same('nothing for HEAD', ['', null], [($head = self::ask($server, '/text', ['Accept-Encoding: gzip'], 'HEAD'))->body, $head->field('content-encoding')]);
        $answer = self::ask($server, '/pieces', ['Accept-Encoding: gzip']);
        $this->same('in pieces', ['gzip', "piece 0\npiece 1\npiece 2\npiece 3\npiece 4\nend\n"], [$answer->field('content-encoding'), gzdecode($answer->body)]);
        $peer = new Peer($server->address());
        $peer->send(["GET /pieces HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"]);
        $first = $peer->readUntil(static fn (string $bytes): bool => preg_match('/\r\n\r\n([0-9a-f]+)\r\n/', $bytes, $match) === 1 && strlen($bytes) > strpos($bytes, "\r\n\r\n") + 4 + hexdec($match[1]));
        $this->check('each piece can be read at once', !$peer->ended() && $first !== '');
        $peer->close();
        $this->same('with trailers', str_repeat('trailed ', 100), gzdecode(self::ask($server, '/trailers', ['Accept-Encoding: gzip'])->body));
        unset($server);
    }

    public function testTypes(): void
    {
        $server = new Server('static_files', ['http_compression_types' => ['image/png'], 'http_compression_min_length' => 500]);
        $this->same('types by setting', ['gzip', null], [self::ask($server, '/image', ['Accept-Encoding: gzip'])->field('content-encoding'), self::ask($server, '/text', ['Accept-Encoding: gzip'])->field('content-encoding')]);
        unset($server);
        $server = new Server('static_files', ['http_compression' => false]);
        $this->same('off by setting', [null, null], [($answer = self::ask($server, '/text', ['Accept-Encoding: gzip']))->field('content-encoding'), $answer->field('vary')]);
        unset($server);
    }

    public function testCachedFiles(): void
    {
        $root = self::$root;
        // Small files in memory: when they do not all fit, each pushes out others, also the one that its compressed sibling belongs to.
        mkdir("$root/many");
        for ($i = 0; $i < 20; $i++) {
            file_put_contents("$root/many/$i.css", str_repeat("p$i{color:red}", 60));
            file_put_contents("$root/many/$i.css.gz", str_pad((string) gzencode("compressed $i", 1), 600, "\0"));
        }
        foreach ([700, 1500, 4000, 0] as $size) {
            $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'static_handler_cache_size' => $size]);
            $wrong = [];
            for ($round = 0; $round < 3; $round++) {
                for ($i = 0; $i < 20; $i++) {
                    $answer = self::ask($server, "/many/$i.css", ['Accept-Encoding: gzip']);
                    $wrong[] = $answer->field('content-encoding') === 'gzip' && $answer->body === file_get_contents("$root/many/$i.css.gz") ? null : "$i compressed";
                    $wrong[] = self::ask($server, "/many/$i.css")->body === file_get_contents("$root/many/$i.css") ? null : (string) $i;
                }
                file_put_contents("$root/many/3.css.gz", str_pad((string) gzencode("changed in round $round", 1), 600 - $round, "\0"));
            }
            $this->same("files and their compressed siblings with $size bytes of memory", [], array_values(array_filter($wrong)));
            unset($server);
        }
        $server = new Server('static_files', ['enable_static_handler' => true, 'document_root' => $root, 'static_handler_cache_size' => 100_000]);
        for ($i = 0; $i < 1500; $i++) {
            file_put_contents("$root/many/$i.txt", str_repeat("$i\n", 2000));
        }
        $memory = static fn (Server $server): int => (int) (preg_match("/^RssAnon:\\s+(\\d+)/m", (string) file_get_contents("/proc/{$server->workerPid()}/status"), $found) === 1 ? $found[1] : 0);
        self::ask($server, '/many/1.txt');
        $before = $memory($server);
        $peer = new Peer($server->address());
        for ($i = 0; $i < 1500; $i++) {
            $peer->send(["GET /many/$i.txt HTTP/1.1\r\nHost: a\r\n\r\n"]);
        }
        $answers = $peer->answers(1500);
        $this->check('1500 files are right', count($answers) === 1500 && $answers[1234]->body === str_repeat("1234\n", 2000));
        $grown = $memory($server) - $before;
        // 13 MiB of files, 4 of them in the cache, and what their sending leaves with the process for a while.
        $this->check('and are not all kept', $grown < 9500, "$grown KiB more");
        unset($server);
    }

    public function testSettingsThatAreRefused(): void
    {
        $root = self::$root;
        foreach ([['enable_static_handler' => true], ['enable_static_handler' => true, 'document_root' => "$root/nope"]] as $settings) {
            $this->check('a root that is not there is refused with a sentence', str_contains($said = whyNot('static_files', $settings), 'document_root'), $said);
        }
    }

    /** @param list<string> $fields */
    private static function ask(Server $server, string $target, array $fields = [], string $method = 'GET', string $body = ''): Answer
    {
        $peer = new Peer($server->address());
        $peer->send(["$method $target HTTP/1.1\r\nHost: a\r\n" . implode('', array_map(static fn (string $field): string => "$field\r\n", $fields))
            . ($body === '' ? '' : 'Content-Length: ' . strlen($body) . "\r\n") . "Connection: close\r\n\r\n$body"]);
        return Answer::all($peer->readToEnd(), [$method])[0];
    }

    private static function statusOf(Answer $answer): string
    {
        return "$answer->status " . ($answer->body === 'application' ? 'application' : '');
    }
}
