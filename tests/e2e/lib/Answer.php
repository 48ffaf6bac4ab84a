<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** One HTTP/1 answer, read strictly from raw bytes. */
final class Answer
{
    /** @param list<array{string, string}> $fields names in lower case */
    private function __construct(
        public readonly int $status,
        public readonly string $reason,
        public readonly array $fields,
        public readonly string $body,
        public readonly bool $whole,
    ) {
    }

    /** The value of a field, null when it is not there; several are joined by a comma. */
    public function field(string $name): ?string
    {
        $values = array_column(array_filter($this->fields, static fn (array $field): bool => $field[0] === strtolower($name)), 1);
        return $values === [] ? null : implode(', ', $values);
    }

    public function closes(): bool
    {
        return strtolower($this->field('connection') ?? '') === 'close';
    }

    /** What apps/http1.php says that it saw. @return array<string, mixed> */
    public function seen(): array
    {
        return json_decode($this->body, true, 512, JSON_THROW_ON_ERROR);
    }

    /**
     * All answers in bytes. A malformed one throws.
     *
     * @param list<string> $methods of the requests in order, where not GET
     * @return list<self>
     */
    public static function all(string $bytes, array $methods = []): array
    {
        $answers = [];
        $request = 0;
        $at = 0;
        while ($at < strlen($bytes)) {
            $answer = self::take($bytes, $at, $methods[$request] ?? 'GET');
            $answers[] = $answer;
            $request += $answer->status >= 200 ? 1 : 0;
        }
        return $answers;
    }

    /** The answer at this place, which moves behind it. */
    private static function take(string $bytes, int &$at, string $method): self
    {
        $end = strpos($bytes, "\r\n\r\n", $at);
        $lines = $end === false ? [] : explode("\r\n", substr($bytes, $at, $end - $at));
        if ($lines === [] || !preg_match('~^HTTP/1\.1 (\d{3}) ([\x20-\x7e]*)$~D', $lines[0], $line)) {
            throw new \UnexpectedValueException('not an answer: ' . Report::printable(substr($bytes, $at, 200)));
        }
        $fields = [];
        foreach (array_slice($lines, 1) as $text) {
            if (!preg_match('~^([!#$%&\'*+.^_`|\~0-9A-Za-z-]+): ?([^\r\n\0]*)$~D', $text, $field)) {
                throw new \UnexpectedValueException('not a field: ' . Report::printable($text));
            }
            $fields[] = [strtolower($field[1]), $field[2]];
        }
        $at = $end + 4;
        [$body, $whole] = self::takeBody($bytes, $at, (int) $line[1], $method, $fields);
        return new self((int) $line[1], $line[2], $fields, $body, $whole);
    }

    /**
     * @param list<array{string, string}> $fields
     * @return array{string, bool}
     */
    private static function takeBody(string $bytes, int &$at, int $status, string $method, array $fields): array
    {
        if ($status < 200 || $status === 204 || $status === 304 || $method === 'HEAD') {
            return ['', true];
        }
        $named = array_column($fields, 1, 0);
        if (isset($named['transfer-encoding'])) {
            return self::takeChunks($bytes, $at);
        }
        $length = isset($named['content-length']) ? (int) $named['content-length'] : strlen($bytes) - $at;
        $body = substr($bytes, $at, $length);
        $at += strlen($body);
        return [$body, strlen($body) === $length];
    }

    /** @return array{string, bool} */
    private static function takeChunks(string $bytes, int &$at): array
    {
        $body = '';
        while (preg_match('~\G([0-9a-fA-F]{1,15})\r\n~', $bytes, $line, 0, $at)) {
            $size = (int) hexdec($line[1]);
            $chunk = substr($bytes, $at + strlen($line[0]), $size);
            $behind = $at + strlen($line[0]) + $size;
            if (strlen($chunk) < $size || substr($bytes, $behind, 2) !== "\r\n") {
                break;
            }
            $at = $behind + 2;
            $body .= $chunk;
            if ($size === 0) {
                return [$body, true];
            }
        }
        $at = strlen($bytes);
        return [$body, false];
    }
}
