<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestFactoryInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\UploadedFileFactoryInterface;
use Psr\Http\Message\UploadedFileInterface;
use Psr\Http\Message\UriFactoryInterface;
use Stampede\Exception\BootException;
use Swoole\Http\Request;
use Swoole\Http\Response;

/** PSR-7 messages by whichever implementation the application has. */
final class Psr7Messages
{
    private const PIECE = 64 * 1024;
    /** Classes that are all the factories, or one of them for each. */
    private const FACTORIES = [
        ['Nyholm\Psr7\Factory\Psr17Factory'],
        ['GuzzleHttp\Psr7\HttpFactory'],
        ['Slim\Psr7\Factory\ServerRequestFactory', 'Slim\Psr7\Factory\UriFactory', 'Slim\Psr7\Factory\StreamFactory', 'Slim\Psr7\Factory\UploadedFileFactory'],
        ['Laminas\Diactoros\ServerRequestFactory', 'Laminas\Diactoros\UriFactory', 'Laminas\Diactoros\StreamFactory', 'Laminas\Diactoros\UploadedFileFactory'],
    ];

    /**
     * A class whose constructor takes all of a request at once; null: a request is copied for each header field.
     *
     * @var (Closure(mixed...): ServerRequestInterface)|null
     */
    private readonly ?Closure $whole;
    private ServerRequestFactoryInterface $requests;
    private UriFactoryInterface $uris;
    private StreamFactoryInterface $streams;
    private UploadedFileFactoryInterface $files;

    public function __construct()
    {
        foreach (self::FACTORIES as $classes) {
            if (class_exists($classes[0])) {
                $this->whole = self::constructorOf($classes[0]);
                $objects = array_map(fn (string $class): object => new $class(), $classes);
                $this->requests = $objects[0];
                $this->uris = $objects[1] ?? $objects[0];
                $this->streams = $objects[2] ?? $objects[0];
                $this->files = $objects[3] ?? $objects[0];
                return;
            }
        }
        throw new BootException('A PSR-15 application needs an implementation of PSR-7: composer require nyholm/psr7.');
    }

    /** @return (Closure(mixed...): ServerRequestInterface)|null */
    private static function constructorOf(string $factory): ?Closure
    {
        /** @var class-string<ServerRequestInterface>|null $class */
        $class = match ($factory) {
            'Nyholm\Psr7\Factory\Psr17Factory' => 'Nyholm\Psr7\ServerRequest',
            'GuzzleHttp\Psr7\HttpFactory' => 'GuzzleHttp\Psr7\ServerRequest',
            default => null,
        };
        return $class === null ? null : static fn (mixed ...$values): ServerRequestInterface => new $class(...$values);
    }

    /** @param array<string, mixed> $server */
    public function request(Request $from, array $server, string $body): ServerRequestInterface
    {
        $request = $this->withFields($from->header ?? [], $server);
        if ($body !== '') {
            $request = $request->withBody($this->streams->createStream($body));
        }
        if ($from->cookie !== null) {
            $request = $request->withCookieParams($from->cookie);
        }
        if ($from->get !== null) {
            $request = $request->withQueryParams($from->get);
        }
        if ($from->post !== null) {
            $request = $request->withParsedBody($from->post);
        }
        if ($from->files !== null) {
            $request = $request->withUploadedFiles($this->uploads($from->files));
        }
        return $request;
    }

    /**
     * @param array<array-key, string> $fields
     * @param array<string, mixed> $server
     */
    private function withFields(array $fields, array $server): ServerRequestInterface
    {
        $host = $fields['host'] ?? $server['SERVER_NAME'];
        $uri = $this->uris->createUri((isset($server['HTTPS']) ? 'https' : 'http') . "://{$host}{$server['REQUEST_URI']}");
        $version = substr($server['SERVER_PROTOCOL'], 5);
        if ($this->whole !== null) {
            return ($this->whole)($server['REQUEST_METHOD'], $uri, $fields, null, $version, $server);
        }
        $request = $this->requests->createServerRequest($server['REQUEST_METHOD'], $uri, $server);
        foreach ($fields as $name => $value) {
            $request = $request->withHeader((string) $name, $value);
        }
        return $request->withProtocolVersion($version);
    }

    public function send(ResponseInterface $from, Response $to, bool $headOnly, OutputBuffer $printed): void
    {
        $to->status($from->getStatusCode(), $from->getReasonPhrase());
        foreach (RequestScope::withNative($from->getHeaders()) as $name => $values) {
            if (!$printed->hasBefore() || strcasecmp((string) $name, 'Content-Length') !== 0) {
                $to->header((string) $name, count($values) === 1 ? $values[0] : $values, false);
            }
        }
        $body = $from->getBody();
        if ($body->isSeekable()) {
            $body->rewind();
        }
        $size = $body->getSize();
        if ($headOnly) {
            if ($size > 0 && !$from->hasHeader('Content-Length')) { // many applications leave the body out themselves
                $to->header('Content-Length', (string) $size, false);
            }
            $to->end();
            return;
        }
        if ($size !== null && $size <= self::PIECE) {
            $to->end($printed->before() . $body->getContents());
            return;
        }
        if ($printed->hasBefore()) {
            $to->write($printed->before());
        }
        while (!$body->eof()) {
            $piece = $body->read(self::PIECE);
            if ($piece !== '' && $to->write($piece) === false) {
                break; // the client is gone
            }
        }
        $to->end();
        $body->close();
    }

    /**
     * @param array<mixed> $files
     * @return array<mixed>
     */
    private function uploads(array $files): array
    {
        $uploads = [];
        foreach ($files as $name => $file) {
            $uploads[$name] = isset($file['tmp_name']) ? $this->upload($file) : $this->uploads($file);
        }
        return $uploads;
    }

    /**
     * @param array<string, mixed> $file as of $_FILES, also of a field with several files
     * @return UploadedFileInterface|array<mixed>
     */
    private function upload(array $file): UploadedFileInterface|array
    {
        if (is_array($file['tmp_name'])) {
            $list = [];
            foreach (array_keys($file['tmp_name']) as $key) {
                $list[$key] = $this->upload(array_map(fn (mixed $values): mixed => is_array($values) ? $values[$key] ?? null : null, $file));
            }
            return $list;
        }
        $stream = $file['error'] === UPLOAD_ERR_OK ? $this->streams->createStreamFromFile($file['tmp_name']) : $this->streams->createStream();
        return $this->files->createUploadedFile($stream, (int) $file['size'], (int) $file['error'], $file['name'], $file['type'] ?? null);
    }
}
