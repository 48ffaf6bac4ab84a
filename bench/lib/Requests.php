<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** Requests that a checked load sends in turn, each with the response that is right for it. */
final class Requests
{
    private string $script = '';

    /** One request, sent again and again, whose response has this body. */
    public static function to(string $path, string $body): self
    {
        return (new self())->add('GET', $path, $body);
    }

    /**
     * @param string $expected the whole body, or what it must contain; it goes with the first status
     * @param list<int> $statuses that are right
     * @param list<string> $fields of the request's head
     * @param int $pipelined how many of it are sent at once
     */
    public function add(string $method, string $path, string $expected, array $statuses = [200], array $fields = [], string $body = '', string $check = 'exact', int $pipelined = 1): self
    {
        if ($body !== '') {
            $fields[] = 'Content-Length: ' . strlen($body);
        }
        $request = "$method $path HTTP/1.1\r\nHost: localhost\r\n" . implode('', array_map(static fn (string $field): string => "$field\r\n", $fields)) . "\r\n$body";
        $request = str_repeat($request, $pipelined);
        $this->script .= sprintf("%d %d %d %s %s\n", strlen($request), strlen($expected), $pipelined, $check, implode(',', $statuses)) . $request . $expected;
        return $this;
    }

    public function script(): string
    {
        return $this->script;
    }
}
