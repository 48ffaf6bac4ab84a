<?php

declare(strict_types=1);

namespace Paddock\Web;

use Nyholm\Psr7\Response;
use Nyholm\Psr7\Stream;
use Paddock\Notes\File;
use Paddock\Refusal;
use Psr\Http\Message\ResponseInterface;

/** The responses that there are. */
final class Reply
{
    public static function page(string $html, int $status = 200): ResponseInterface
    {
        return new Response($status, ['Content-Type' => 'text/html; charset=utf-8', 'Cache-Control' => 'no-store'], $html);
    }

    /** @param array<mixed> $data */
    public static function json(array $data, int $status = 200): ResponseInterface
    {
        $text = json_encode($data, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        return new Response($status, ['Content-Type' => 'application/json', 'Cache-Control' => 'no-store'], "{$text}\n");
    }

    public static function nothing(): ResponseInterface
    {
        return new Response(204);
    }

    public static function to(string $path): ResponseInterface
    {
        return new Response(303, ['Location' => $path]);
    }

    /** Images are shown, everything else is saved; neither can run scripts. */
    public static function file(File $file, string $path): ResponseInterface
    {
        $content = @fopen($path, 'rb');
        if ($content === false) {
            throw Refusal::notFound();
        }
        return new Response(200, [
            'Content-Type' => $file->type,
            'Content-Length' => (string) $file->size,
            'Content-Disposition' => sprintf("%s; filename*=UTF-8''%s", $file->isImage() ? 'inline' : 'attachment', rawurlencode($file->name)),
            'Content-Security-Policy' => "default-src 'none'; sandbox",
            'Cache-Control' => 'private, max-age=31536000, immutable',
        ], Stream::create($content));
    }
}
