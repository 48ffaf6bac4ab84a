<?php

declare(strict_types=1);

namespace Stampede\Process;

use ErrorException;
use Stampede\DevTools\HtmlErrorRenderer;
use Swoole\Http\Request;
use Swoole\Http\Response;

use function Stampede\describe_request;

/** Makes the client's response of what a child sends. */
final class ScriptResponse
{
    private const MOST = 32; // heads that are remembered: most scripts send the same ones again
    private const LONGEST = 1024; // of these

    /** @var array<string, array{int, string, array<string, array{string, string|list<string>}>}> */
    private static array $heads = [];

    private int $status = 0;
    /** Of a script whose response is the page of errors instead. */
    private ?ErrorException $failure = null;
    /** @var list<string> temporary files of its uploads, which a process that is killed leaves behind */
    private array $files = [];

    /** @param bool $showsErrors whether the page of errors is more useful than what the application has to say */
    public function __construct(private readonly Request $request, public readonly Response $response, private readonly bool $showsErrors) {}

    /** 0 before the head. */
    public function status(): int
    {
        return $this->status;
    }

    public function removeFiles(): void
    {
        array_map(static fn (string $path): bool => @unlink($path), array_splice($this->files, 0));
    }

    /** A part of a response must not look like the whole. */
    public function cut(): void
    {
        if ($this->status !== 0) {
            $this->response->close();
        }
    }

    /**
     * @param string $type of FrameTypeConnection
     * @return bool false when the client has left
     */
    public function take(string $type, string $content): bool
    {
        if ($type === FrameType::FILES) {
            $this->files = explode("\0", rtrim($content, "\0"));
        } elseif ($type === FrameType::FAILURE) {
            $this->failure = $this->showsErrors ? self::failureOf($content) : null;
        } elseif ($type === FrameType::ROUTE) {
            describe_request($this->response, $content);
        } elseif ($type === FrameType::HEAD) {
            $this->failure === null ? $this->head($content) : $this->page($this->failure);
        } elseif ($this->failure !== null) {
            return true;
        } elseif ($type === FrameType::DATA) {
            return $this->response->isWritable() && $this->response->write($content);
        } elseif ($this->response->isWritable()) { // not after END_OF_RESPONSE
            $this->response->end($content);
        }
        return true;
    }

    private function page(ErrorException $failure): void
    {
        $this->status = 500;
        $this->response->status(500);
        $this->response->header('Content-Type', 'text/html; charset=utf-8');
        $this->response->end(HtmlErrorRenderer::of($failure, $this->request));
    }

    private function head(string $content): void
    {
        [$this->status, $reason, $fields] = self::$heads[$content] ?? self::parsed($content);
        foreach ($fields as [$name, $value]) {
            $this->response->header($name, $value, false);
        }
        $this->response->status($this->status, $reason);
    }

    /** @return array{int, string, array<string, array{string, string|list<string>}>} status, reason, and by name in small letters the fields */
    private static function parsed(string $content): array
    {
        $lines = explode("\n", $content);
        [$status, $reason] = explode(' ', (string) array_shift($lines), 2) + [1 => ''];
        $fields = ['content-type' => ['Content-Type', '']]; // of a script that has removed it, and the server would add its own
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $key = strtolower($name);
            $value = ltrim($value);
            if ($key === 'content-type' || !isset($fields[$key])) {
                $fields[$key] = [$name, $value];
            } else {
                $fields[$key][1] = [...(array) $fields[$key][1], $value];
            }
        }
        $head = self::isStatus($status) ? [(int) $status, $reason, $fields] : [200, '', $fields];
        if (strlen($content) <= self::LONGEST) {
            self::$heads = count(self::$heads) < self::MOST ? self::$heads : [];
            self::$heads[$content] = $head;
        }
        return $head;
    }

    private static function isStatus(string $text): bool
    {
        return preg_match('/^[1-9]\d\d$/', $text) === 1;
    }

    private static function failureOf(string $content): ErrorException
    {
        [$type, $line, $file, $text] = explode("\n", $content, 4) + ['1', '0', '', ''];
        return new ErrorException($text, 0, (int) $type, $file, (int) $line);
    }
}
