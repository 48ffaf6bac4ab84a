<?php

declare(strict_types=1);

/*
 * Forms with files: taken apart while they arrive, files on the disk, and gone with their request, however that ends.
 */

namespace Stampede\Tests\E2e;

const MIB = 1024 * 1024;

/** One part of a form with the boundary b. */
function formPart(string $disposition, string $content, string $more = ''): string
{
    return "--b\r\nContent-Disposition: form-data; $disposition\r\n$more\r\n$content\r\n";
}

function formHead(string $path, ?int $length, string $more = ''): string
{
    $framing = $length === null ? 'Transfer-Encoding: chunked' : "Content-Length: $length";
    return "POST $path HTTP/1.1\r\nHost: a\r\n{$more}Content-Type: multipart/form-data; boundary=b\r\n$framing\r\n\r\n";
}

function wholeForm(string $path, string $body): string
{
    return formHead($path, strlen($body)) . $body;
}

/** @return list<string> temporary files of uploads */
function leftovers(string $folder): array
{
    return glob("$folder/swoole.upfile.*") ?: [];
}

/** @param iterable<string> $pieces */
function upload(Server $server, iterable $pieces): Answer
{
    $peer = new Peer($server->address());
    $peer->send($pieces, 60.0);
    $answer = $peer->answers(1, 30.0)[0] ?? throw new \RuntimeException("no answer:\n" . $peer->received() . $server->output());
    $peer->close();
    return $answer;
}

final class uploads_test extends EndToEndTest
{
    private static mixed $large;
    private static mixed $seen;
    private static Server $server;
    private static mixed $memory;
    private static string $folder;
    private static string $open;
    private static mixed $before;
    private static string $after;
    private static mixed $length;

    public static function setUpBeforeClass(): void
    {
        self::$folder = $folder = External::folder();
        self::$server = $server = new Server('uploads', ['upload_tmp_dir' => $folder, 'upload_max_filesize' => '64M', 'package_max_length' => '256K']);

        self::$large = $large = str_repeat(random_bytes(MIB), 20);
        self::$before = $before = formPart('name="title"', 'a large one');
        self::$after = $after = formPart('name="last"', 'field') . "--b--\r\n";
        self::$open = $open = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"../../large.bin\"\r\nContent-Type: application/x-large\r\n\r\n";
        self::$length = strlen($before . $open . $after) + strlen($large) + 2;
        upload($server, [wholeForm('/', formPart('name="f"; filename="warm"', 'up') . "--b--\r\n")]);
        self::$memory = $server->memory();
        self::$seen = upload($server, self::pieces())->seen();
    }

    public static function tearDownAfterClass(): void
    {
        parent::tearDownAfterClass();
        $folder = self::$folder;
        rmdir($folder);
    }

    public function testWhatComesThrough(): void
    {
        [$large, $seen, $server, $memory, $folder] = [self::$large, self::$seen, self::$server, self::$memory, self::$folder];
        $small = self::small();
        $this->same('20 MiB: the file is whole', md5($large), $seen['files']['f']['hash']);
        $this->same('... its name is a plain one', 'large.bin', $seen['files']['f']['name']);
        $this->same('... its type and size', ['application/x-large', 20 * MIB], [$seen['files']['f']['type'], $seen['files']['f']['size']]);
        $this->same('... only the owner may read it', '600', $seen['files']['f']['mode']);
        $this->same('... fields before and behind it', ['title' => 'a large one', 'last' => 'field'], $seen['post']);
        $this->same('... it is not in memory', 0, $seen['raw']);
        $this->check('... memory is flat', $server->memory() - $memory < 4096, "$memory, then {$server->memory()} KiB");
        $this->check('... it goes with the request', Server::until(5, self::gone(...)), implode(', ', leftovers($folder)));
        $seen = upload($server, [wholeForm('/', $small)])->seen();
        $this->same('a small form can be had as a string too', strlen($small), $seen['raw']);
        $this->same('... and as an array', [['a' => '1'], md5("text\r\n")], [$seen['post'], $seen['files']['f']['hash']]);
        $chunked = static function () use ($small, $large): \Generator {
            yield formHead('/', null);
            foreach (str_split(formPart('name="g"; filename="c"', substr($large, 0, 3 * MIB)) . $small, 70001) as $chunk) {
                yield dechex(strlen($chunk)) . "\r\n$chunk\r\n";
            }
            yield "0\r\n\r\n";
        };
        $seen = upload($server, $chunked())->seen();
        $this->same('in chunks', md5(substr($large, 0, 3 * MIB)), $seen['files']['g']['hash']);
        $whole = true;
        for ($cut = 1; $cut < strlen($small); $cut++) {
            $seen = upload($server, [formHead('/', strlen($small)), substr($small, 0, $cut), substr($small, $cut)])->seen();
            $whole = $whole && $seen['post'] === ['a' => '1'] && $seen['files']['f']['hash'] === md5("text\r\n");
        }
        $this->check('cut anywhere', $whole);
        // The server reads 64 KiB at a time: what looks like a boundary lies across each edge in every way.
        $alike = str_repeat("\r\n--\r\n--a\r\n-\r\r\n--b-\r\n--bb", 15000);
        $whole = true;
        for ($shift = 0; $shift < 34; $shift++) {
            $body = formPart('name="a"', str_repeat('x', $shift)) . formPart('name="f"; filename="f"', $alike) . "--b--\r\n";
            $whole = $whole && upload($server, [wholeForm('/', $body)])->seen()['files']['f']['hash'] === md5($alike);
        }
        $this->check('what looks like a boundary at the edges of what is read', $whole);
        foreach (['C:\\fakepath\\x.txt' => 'x.txt', '/etc/passwd' => 'passwd', '..\\..\\x' => 'x', "a\0b.txt" => '', '/' => '', '..' => '..'] as $name => $expected) {
            $files = upload($server, [wholeForm('/', formPart('name="f"; filename="' . addcslashes($name, '\\"') . '"', 'x') . "--b--\r\n")])->seen()['files'];
            $this->same('the file name ' . json_encode($name), $expected, $files['f']['name'] ?? '');
        }
        $target = "$folder/moved";
        $this->same('a file that is moved away stays', 'true', upload($server, [wholeForm("/move?to=$target", $small)])->body);
        $this->same('... whole', "text\r\n", file_get_contents($target));
        unlink($target);
    }

    public function testWhatDoesNot(): void
    {
        [$large, $server, $folder, $open, $before] = [self::$large, self::$server, self::$folder, self::$open, self::$before];
        $this->same('a form above upload_max_filesize is not read', 413, upload($server, [formHead('/', 65 * MIB)])->status);
        $endless = static function () use ($open, $large): \Generator {
            yield formHead('/', null);
            $piece = dechex(MIB) . "\r\n" . substr($large, 0, MIB) . "\r\n";
            yield dechex(strlen($open)) . "\r\n$open\r\n";
            for ($i = 0; $i < 80; $i++) {
                yield $piece;
            }
        };
        $this->same('... nor one that does not say its length', 413, upload($server, $endless())->status);
        $this->check('... and its file is gone', Server::until(5, self::gone(...)), implode(', ', leftovers($folder)));
        $memory = $server->memory();
        $text = "--b\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\n" . str_repeat('t', 300 * 1024);
        $this->same('text fields are bounded by package_max_length', 413, upload($server, [wholeForm('/', "$text\r\n--b--\r\n")])->status);
        $this->same('a thousand parts too many', 413, upload($server, [wholeForm('/', str_repeat(formPart('name="x"', ''), 2000) . "--b--\r\n")])->status);
        $this->same('a part head of 512 KiB', 413, upload($server, [wholeForm('/', formPart('name="x"', '', 'X: ' . str_repeat('y', 512 * 1024) . "\r\n"))])->status);
        $this->same('20,000 lines in a part head', 413, upload($server, [wholeForm('/', formPart('name="x"', '', str_repeat("X: y\r\n", 20000)))])->status);
        $this->same('a name of 300 KiB', 413, upload($server, [wholeForm('/', formPart('name="' . str_repeat('n', 300 * 1024) . '"', ''))])->status);
        $this->same('500 files: no more than max_file_uploads', 20, count(upload($server, [wholeForm('/', implode('', array_map(
            static fn (int $i): string => formPart("name=\"f$i\"; filename=\"f\"", 'x'), range(1, 500),
        )) . "--b--\r\n")])->seen()['files']));
        $seen = upload($server, [formHead('/', 3 * MIB), str_repeat('preamble', 3 * MIB / 8)])->seen();
        $this->same('an endless preamble: no fields', [null, []], [$seen['post'], $seen['files']]);
        $seen = upload($server, [wholeForm('/', $before . $open . 'half of it')])->seen();
        $this->same('a form that breaks off leaves no half file', [['title' => 'a large one'], [UPLOAD_ERR_PARTIAL]], [$seen['post'], array_column($seen['files'], 'error')]);
        $this->check('... bounded memory', $server->memory() - $memory < 8192, "$memory, then {$server->memory()} KiB");
        $this->check('... nothing is left on the disk', Server::until(5, self::gone(...)), implode(', ', leftovers($folder)));
    }

    public function testClientsAndHandlersThatBreakOff(): void
    {
        [$large, $server, $folder, $open] = [self::$large, self::$server, self::$folder, self::$open];
        $small = self::small();
        $peer = new Peer($server->address());
        $peer->send([formHead('/', 10 * MIB), $open, substr($large, 0, MIB)]);
        $this->check('a client in the middle of its upload has a file', Server::until(5, static fn (): bool => count(leftovers($folder)) === 1));
        $peer->abort();
        $this->check('... which goes when it goes', Server::until(5, self::gone(...)));
        $peer = new Peer($server->address());
        $peer->send([formHead('/', 10 * MIB), $open, substr($large, 0, MIB)]);
        Server::until(5, static fn (): bool => count(leftovers($folder)) === 1);
        $peer->finishSending();
        $this->check('... also when it stops sending', Server::until(5, self::gone(...)));
        $peer->close();
        $this->same('a handler that throws', 500, upload($server, [wholeForm('/throw', $small)])->status);
        $this->check('... leaves no file', Server::until(5, self::gone(...)) && str_contains($server->output(), 'as it was asked to'), $server->output());
        $this->same('a handler that looks at nothing', 200, upload($server, [wholeForm('/ignore', $small)])->status);
        $this->check('... leaves no file', Server::until(5, self::gone(...)));
    }

    public function testProcessesThatAreKilled(): void
    {
        [$large, $folder, $open] = [self::$large, self::$folder, self::$open];
        $server = new Server('uploads', ['upload_tmp_dir' => $folder, 'upload_max_filesize' => '64M', 'package_max_length' => '256K']);
        $small = self::small();
        $hold = static function (string $path) use ($server, $folder, $open, $large, $small): Peer {
            $peer = new Peer($server->address());
            $peer->send($path === '/hold' ? [wholeForm('/hold', $small)] : [formHead('/', 10 * MIB), $open, substr($large, 0, MIB)]);
            Server::until(5, static fn (): bool => leftovers($folder) !== []);
            return $peer;
        };
        foreach (['/hold' => 'while it handles', '/' => 'while it reads'] as $path => $when) {
            $peer = $hold($path);
            posix_kill($server->workerPid(), SIGKILL);
            $this->check("a worker that is killed $when: its files go", Server::until(5, self::gone(...)), implode(', ', leftovers($folder)));
            $peer->close();
            Server::until(5, static fn (): bool => @stream_socket_client($server->address()) !== false);
        }
        $this->same('... and the next one serves', 200, upload($server, [wholeForm('/', $small)])->status);
        $peer = $hold('/hold');
        $all = [$server->pid(), ...children($server->pid())]; // a worker without its supervisor would finish its request
        array_map(static fn (int $pid): bool => posix_kill($pid, SIGKILL), $all);
        Server::until(5, static fn (): bool => array_filter(array_slice($all, 1), static fn (int $pid): bool => posix_kill($pid, 0)) === []);
        $this->same('when all are killed the file is still there', 1, count(leftovers($folder)));
        $server->stop();
        $stranger = "$folder/swoole.upfile.1.1.aaaaaa";
        $own = "$folder/swoole.upfile.keep";
        touch($stranger);
        touch($own);
        $server = new Server('uploads', ['upload_tmp_dir' => $folder]);
        $this->same('... until the next start, which takes nothing else', [$stranger, $own], leftovers($folder));
        unlink($stranger);
        unlink($own);
        unset($server, $peer);
    }

    public function testFoldersThatCannotBeUsed(): void
    {
        $folder = self::$folder;
        $small = self::small();
        $server = new Server('uploads', ['upload_tmp_dir' => "$folder/missing/inner"]);
        $this->same('a missing folder is made', 200, upload($server, [wholeForm('/', $small)])->status);
        unset($server);
        rmdir("$folder/missing/inner");
        rmdir("$folder/missing");
        $server = new Server('uploads', ['upload_tmp_dir' => '/proc/missing']);
        $this->check('a folder that cannot be made: the start warns', Server::until(5.0, static fn (): bool => str_contains($server->output(), 'uploads will fail')), $server->output());
        $this->same('... uploads are answered with 500', 500, upload($server, [wholeForm('/', $small)])->status);
        $this->same('... what has no file is served', 200, upload($server, [wholeForm('/', formPart('name="a"', '1') . "--b--\r\n")])->status);
        unset($server);
    }

    public function testAFullDisk(): void
    {
        [$large, $folder] = [self::$large, self::$folder];
        $small = self::small();
        if (posix_getuid() === 0) {
            $disk = "$folder/disk";
            mkdir($disk);
            exec('mount -t tmpfs -o size=1m none ' . escapeshellarg($disk), $output, $failed);
            if ($failed === 0) {
                $server = new Server('uploads', ['upload_tmp_dir' => $disk, 'upload_max_filesize' => '64M', 'open_http2_protocol' => true]);
                $this->same('a full disk: 507', 507, upload($server, self::pieces())->status);
                $this->check('... nothing is left of it', Server::until(5, static fn (): bool => leftovers($disk) === []), implode(', ', leftovers($disk)));
                file_put_contents("$folder/large", $large);
                $said = (string) shell_exec('curl -s -o /dev/null --http2-prior-knowledge -w "%{http_code} %{exitcode}" -F ' . escapeshellarg("f=@$folder/large") . " http://127.0.0.1:$server->port/");
                unlink("$folder/large");
                $this->same('... the same over HTTP/2', '507 0', $said);
                $this->check('... nothing is left of that', Server::until(5, static fn (): bool => leftovers($disk) === []), implode(', ', leftovers($disk)));
                $this->same('... the next small one fits', 200, upload($server, [wholeForm('/', $small)])->status);
                exec('mount -o remount,ro ' . escapeshellarg($disk));
                $this->same('a folder that became read-only: 500', 500, upload($server, [wholeForm('/', $small)])->status);
                unset($server);
                exec('umount ' . escapeshellarg($disk));
            }
            rmdir($disk);
        }
    }

    public function testHTTP2(): void
    {
        [$folder, $large, $open] = [self::$folder, self::$large, self::$open];
        $server = new Server('uploads', ['upload_tmp_dir' => $folder, 'upload_max_filesize' => '64M', 'open_http2_protocol' => true]);
        file_put_contents("$folder/large", $large);
        $curl = 'curl -s --http2-prior-knowledge -w "\n%{http_version} %{http_code}" -F title=t -F ' . escapeshellarg("f=@$folder/large");
        $url = escapeshellarg(str_replace('tcp:', 'http:', $server->address()));
        $memory = $server->memory();
        [$seen, $status] = explode("\n", (string) shell_exec("$curl $url/")) + ['', ''];
        $this->same('HTTP/2: 20 MiB', '2 200', $status);
        $this->same('... the file is whole', md5($large), json_decode($seen, true)['files']['f']['hash'] ?? null);
        // What its window let in at once stays with the process for a while; the next one uses it again.
        $this->check('... less than the body was in memory', $server->memory() - $memory < 12 * 1024, "$memory, then {$server->memory()} KiB");
        $memory = $server->memory();
        for ($i = 0; $i < 3; $i++) {
            shell_exec("$curl $url/");
        }
        $this->check('... memory is flat from the second one on', $server->memory() - $memory < 1024, "$memory, then {$server->memory()} KiB");
        $peer = new Http2Peer($server->address());
        $fields = [['content-type', 'multipart/form-data; boundary=b']];
        $peer->send(Http2Peer::post(1, '/', $fields), Http2Peer::frame(0, 0, 1, $open . 'some of it'));
        $this->check('HTTP/2: a stream in the middle of its upload has a file', Server::until(5, static fn (): bool => count(leftovers($folder)) === 1));
        $peer->send(Http2Peer::frame(3, 0, 1, pack('N', 8)));
        $this->check('... which goes when it is reset', Server::until(5, self::gone(...)));
        $peer->close();
        unlink("$folder/large");
        unset($server);
        $this->same('nothing is left', [], array_values(array_diff(scandir($folder) ?: [], ['.', '..'])));
    }

    private static function gone(): bool
    {
        $folder = self::$folder;
        return leftovers($folder) === [];
    }

    private static function pieces(): \Generator
    {
        [$before, $open, $large, $after, $length] = [self::$before, self::$open, self::$large, self::$after, self::$length];
        yield formHead('/', $length);
        yield $before . $open;
        yield $large;
        yield "\r\n$after";
    }

    /** A form with a field and a file. */
    private static function small(): string
    {
        return formPart('name="a"', '1') . formPart('name="f"; filename="f.txt"', "text\r\n") . "--b--\r\n";
    }
}
