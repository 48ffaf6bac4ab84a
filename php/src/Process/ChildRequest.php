<?php

declare(strict_types=1);

namespace Stampede\Process;

use Stampede\Runner\InMemoryRequest;
use Swoole\Http\Request;

/** A request of the worker in the forked process that handles it. */
final class ChildRequest extends InMemoryRequest
{
    /** Owns the temporary files of this process. */
    private ?Request $uploads = null;

    /**
     * What the worker sends, without the body. The post fields of an urlencoded body are left out: this process parses the body again,
     * which is less to send.
     *
     * @return array<string, mixed>
     */
    public static function pack(Request $request): array
    {
        return [
            'header' => $request->header,
            'server' => $request->server,
            'cookie' => $request->cookie,
            'get' => $request->get,
            'post' => self::isUrlencoded($request) ? null : $request->post,
            'files' => $request->files,
            'tmpfiles' => $request->tmpfiles,
            'fd' => $request->fd,
            'streamId' => $request->streamId,
        ];
    }

    /** @param array<string, mixed> $facts of pack() */
    public static function unpack(array $facts, string $body): self
    {
        $request = new self();
        $request->header = $facts['header'];
        $request->server = $facts['server'];
        $request->cookie = $facts['cookie'];
        $request->get = $facts['get'];
        $request->post = $facts['post'];
        $request->fd = $facts['fd'];
        $request->streamId = $facts['streamId'];
        $request->body = $body;
        if ($body !== '' && $request->post === null && self::isUrlencoded($request)) {
            $fields = [];
            @parse_str($body, $fields); // it warns of more than max_input_vars
            $request->post = $fields;
        }
        $request->takeFiles($facts['files'], $facts['tmpfiles'] ?? []);
        return $request;
    }

    private static function isUrlencoded(Request $request): bool
    {
        return stripos($request->header['content-type'] ?? '', 'application/x-www-form-urlencoded') === 0;
    }

    /**
     * is_uploaded_file() and move_uploaded_file() accept only files that this process has received. So it parses a form with a file of
     * one byte for each upload, and the uploads of the worker are renamed over these files.
     *
     * @param array<mixed>|null $files as in $_FILES
     * @param list<string> $paths
     */
    private function takeFiles(?array $files, array $paths): void
    {
        $paths = array_values($paths);
        if ($files === null || $paths === []) {
            $this->files = $files;
            return;
        }
        $form = '';
        foreach (array_keys($paths) as $number) {
            $form .= "--b\r\nContent-Disposition: form-data; name=\"f{$number}\"; filename=\"f\"\r\nContent-Type: text/plain\r\n\r\nx\r\n";
        }
        $form .= "--b--\r\n";
        $this->uploads = Request::create(['upload_tmp_dir' => dirname($paths[0]), 'package_max_length' => strlen($form) + 1024]);
        $this->uploads->parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " . strlen($form) . "\r\n\r\n{$form}");
        $renamed = [];
        foreach ($paths as $number => $path) {
            $own = $this->uploads->files["f{$number}"]['tmp_name'] ?? '';
            if ($own === '' || !rename($path, $own)) {
                throw new \RuntimeException("the uploaded file {$path} cannot be taken over");
            }
            $renamed[$path] = $own;
        }
        array_walk_recursive($files, static function (mixed &$value) use ($renamed): void {
            $value = is_string($value) ? $renamed[$value] ?? $value : $value;
        });
        $this->files = $files;
        $this->tmpfiles = array_values($renamed);
    }
}
