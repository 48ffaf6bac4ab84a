<?php

declare(strict_types=1);

/* Clients that do not read their responses, in each isolation of stampede serve: the place of a request is free when its code has ended. */

namespace Stampede\Tests\E2e;

final class launcher_slow_readers_test extends EndToEndTest
{
    private const CODE = <<<'PHP'
        <?php
        if (basename($_SERVER['REQUEST_URI']) === 'large') {
            for ($i = 0; $i < 640; $i++) {
                echo str_pad((string) $i, 65536, '.');
            }
            touch(__DIR__ . '/../ended-' . $_GET['n']);
        }
        echo 'end';
        PHP;

    public function testThePlaceIsFree(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", str_replace("basename(\$_SERVER['REQUEST_URI'])", "basename(parse_url(\$_SERVER['REQUEST_URI'], PHP_URL_PATH))", self::CODE));
        $expected = implode('', array_map(static fn (int $i): string => str_pad((string) $i, 65536, '.'), range(0, 639))) . 'end';
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}"]);
            $slow = [];
            foreach ([1, 2] as $n) {
                $slow[$n] = $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(["GET /large?n={$n} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
            }
            foreach ([1, 2] as $n) {
                $this->check("{$isolation}: code {$n} ends although its client does not read", Server::until(5.0, static fn (): bool => file_exists("{$app->folder}/ended-{$n}")));
            }
            $worker = json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'][0]['pid'];
            $this->check('what waits on the disk is no resident memory of the worker', self::residentOfFiles($worker) < 8192, self::residentOfFiles($worker) . ' KiB');
            $began = microtime(true);
            $this->same('another client is served', [200, 'end'], [$app->ask('/')[0], $app->ask('/')[2]]);
            $this->check('at once', microtime(true) - $began < 3.0);
            foreach ($slow as $n => $peer) {
                $body = Answer::all($peer->readToEnd(30.0), ['GET'])[0]->body ?? '';
                $this->check("slow client {$n} gets all of it", $body === $expected, (string) strlen($body));
                unlink("{$app->folder}/ended-{$n}");
            }
            $this->check('nothing of it stays', Server::until(5.0, static fn (): bool => preg_match('/ \(deleted\)$/m', (string) preg_replace('~^.*(/dev/zero|SYSV|memfd|/dev/shm).*$~m', '', (string) file_get_contents("/proc/{$worker}/maps"))) !== 1), (string) shell_exec("grep deleted /proc/{$worker}/maps"));
            $app->stop();
        }
        $app->serve(['--workers=1', '--env=prod', '--isolation=sequential', '--server={"response_spool_size":"2M"}']);
        $peer = new Peer("tcp://127.0.0.1:{$app->port}");
        $peer->send(["GET /large?n=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
        $body = Answer::all($peer->readToEnd(30.0), ['GET'])[0]->body ?? '';
        $this->check('where there is no room for it, all arrives as well', $body === $expected, (string) strlen($body));
        $app->stop();
    }

    public function testManyWhoReadNothing(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", "<?php ini_set('zlib.output_compression', '0'); \$page = str_repeat(random_bytes(1000), 1000); isset(\$_GET['pieces']) ? array_map(static function (string \$piece): void { echo \$piece; flush(); }, str_split(\$page, 8000)) : print(\$page);");
        foreach (['sequential', 'coroutine', 'process'] as $isolation) {
            $app->serve(['--workers=1', '--env=prod', "--isolation={$isolation}", '--server={"open_http2_protocol":true,"http_write_timeout":60}']);
            $app->ask('/');
            $worker = json_decode(Application::run(['status', $app->folder, '--format=json'])[1], true)['places'][0]['pid'];
            $before = self::ownMemory($worker);
            $clients = [];
            foreach (range(1, 100) as $i) {
                $clients[] = $peer = new Peer("tcp://127.0.0.1:{$app->port}");
                $peer->send(['GET /' . ['', '?pieces'][$i % 2] . " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " . ['gzip', 'none'][intdiv($i, 2) % 2] . "\r\n\r\n"]);
            }
            foreach ([1, 2, 3] as $i) {
                $clients[] = $peer = new Http2Peer("tcp://127.0.0.1:{$app->port}", [4 => 0]);
                $peer->send(...array_map(static fn (int $i): string => Http2Peer::get(2 * $i + 1), range(0, 99)));
            }
            [$status, , $body] = $app->ask('/');
            $this->same("{$isolation}: a client that reads is served beside 400 others", [200, 1_000_000], [$status, strlen($body)]);
            $grown = self::ownMemory($worker) - $before;
            $this->check('whose responses are not kept in memory', $grown < 80_000, "{$grown} KiB");
            unset($clients, $peer);
            $this->same('and is served after they are gone', 200, $app->ask('/')[0]);
            $app->stop();
        }
    }

    /** KiB of memory that the process shares with nobody and no file. */
    private static function ownMemory(int $pid): int
    {
        preg_match('/^RssAnon:\s+(\d+)/m', (string) file_get_contents("/proc/{$pid}/status"), $found);
        return (int) $found[1];
    }

    /** KiB of files without a name that the process has mapped and has in memory. */
    private static function residentOfFiles(int $pid): int
    {
        preg_match_all('~^(?!.*(?:/dev/zero|SYSV|memfd|/dev/shm))[0-9a-f]+-\S+ \S+ \S+ \S+ \d+ +/.* \(deleted\)\n(?:(?!Rss)\w+:.*\n)*Rss: +(\d+)~m', (string) file_get_contents("/proc/{$pid}/smaps"), $found);
        return array_sum(array_map(intval(...), $found[1]));
    }
}
