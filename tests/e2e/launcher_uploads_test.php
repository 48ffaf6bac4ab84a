<?php

declare(strict_types=1);

/* Uploads that would fill the disk: stampede serve has one limit for those of all requests together. */

namespace Stampede\Tests\E2e;

final class launcher_uploads_test extends EndToEndTest
{
    private function upload(string $address, int $size, int $sent): Peer
    {
        $body = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\nContent-Type: text/plain\r\n\r\n" . str_repeat('a', $size) . "\r\n--border--\r\n";
        $peer = new Peer($address);
        $peer->send(["POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=border\r\nContent-Length: " . strlen($body) . "\r\n\r\n" . substr($body, 0, $sent)]);
        return $peer;
    }

    public function testAllUploadsTogether(): void
    {
        $app = new Application('plain');
        file_put_contents("{$app->folder}/public/index.php", "<?php echo \$_FILES === [] ? 'none' : \$_FILES['file']['size'];");
        mkdir($uploads = "{$app->folder}/uploads");
        $app->serve(['--workers=1', '--env=prod', '--isolation=coroutine', '--server=' . json_encode(['upload_max_total' => '6M', 'upload_tmp_dir' => $uploads])]);
        $address = "tcp://127.0.0.1:{$app->port}";
        $unfinished = array_map(fn (): Peer => $this->upload($address, 2_000_000, 1_900_000), range(1, 3));
        $stored = static function () use ($uploads): int {
            clearstatcache();
            return (int) array_sum(array_map(static fn (string $file): int => (int) @filesize($file), glob("{$uploads}/*") ?: []));
        };
        $this->check('three unfinished uploads are stored', Server::until(10.0, static fn (): bool => $stored() > 5_500_000), (string) $stored());
        $refused = fn (): bool => str_contains($this->upload($address, 1 << 20, PHP_INT_MAX)->readToEnd(10.0), ' 503 ');
        $this->check('what is over the limit is refused', Server::until(3.0, $refused), $this->upload($address, 1 << 20, PHP_INT_MAX)->readToEnd(10.0));
        $this->same('requests without files go on', [200, 'none'], [$app->ask('/')[0], $app->ask('/')[2]]);
        unset($unfinished);
        $taken = fn (): bool => str_ends_with($this->upload($address, 1 << 20, PHP_INT_MAX)->readToEnd(10.0), (string) (1 << 20));
        $this->check('there is room again when clients have gone', Server::until(10.0, $taken));
        $this->same('again and again', array_fill(0, 5, true), array_map($taken, range(0, 4)));
        $app->stop();
    }
}
