<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A client of a site with forms: keeps its cookies, and sends the hidden field of the page that it has seen last. */
final class Visitor
{
    /** @var array<string, string> */
    private array $cookies = [];
    private string $formToken = '';

    public function __construct(private readonly Application $app) {}

    /** @return array{int, string, string} status, header fields, body */
    public function get(string $path): array
    {
        return $this->ask($path, '', [], 'GET');
    }

    /**
     * @param array<string, string> $fields
     * @param array<string, string> $files content by name
     * @return array{int, string, string}
     */
    public function post(string $path, array $fields = [], array $files = []): array
    {
        $body = '';
        foreach ($fields + ['form_token' => $this->formToken] as $name => $value) {
            $body .= "--border\r\nContent-Disposition: form-data; name=\"{$name}\"\r\n\r\n{$value}\r\n";
        }
        foreach ($files as $name => $content) {
            $body .= "--border\r\nContent-Disposition: form-data; name=\"files[]\"; filename=\"" . addcslashes((string) $name, '\\"') . "\"\r\nContent-Type: image/png\r\n\r\n{$content}\r\n";
        }
        return $this->ask($path, "{$body}--border--\r\n", ['Content-Type: multipart/form-data; boundary=border', 'Accept: application/json'], 'POST');
    }

    public function cookieField(): string
    {
        return 'Cookie: ' . implode('; ', array_map(static fn (string $name, string $value): string => "{$name}={$value}", array_keys($this->cookies), $this->cookies));
    }

    public function formToken(): string
    {
        return $this->formToken;
    }

    /**
     * @param list<string> $fields
     * @return array{int, string, string}
     */
    private function ask(string $path, string $body, array $fields, string $method): array
    {
        [$status, $head, $html] = $this->app->ask($path, $body, [...$fields, ...($this->cookies === [] ? [] : [$this->cookieField()])], $method);
        preg_match_all('/^Set-Cookie: ([^=]+)=([^;\r]*)/mi', $head, $set, PREG_SET_ORDER);
        foreach ($set as [, $name, $value]) {
            $this->cookies[$name] = $value;
        }
        $this->formToken = preg_match('/name="form_token" value="([^"]+)"/', $html, $found) === 1 ? $found[1] : $this->formToken;
        return [$status, $head, $html];
    }
}
