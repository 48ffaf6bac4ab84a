<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** Asks a server for pages and keeps its cookies. It follows no redirect. */
final class Browser
{
    /** What is new in each page, or is the address of a server. */
    private const FLEETING = [
        '/127\.0\.0\.1:\d+|localhost:\d+/', '/[0-9a-f]{16,128}|\bTR[0-9a-f]{8}\b/', '~[A-Za-z0-9+/]{40,}={0,2}~', '/(token|nonce|csrf|sectok|sid|PHPSESSID) *["\']?[=:] *["\']?[\w%\/+-]+/i',
        '/value=(["\'])[^"\']{10,}\1/', '/(["\'])\d+:\d+\1/', '/\b\d{6,14}\b/', '/\d\d(:|%3A)\d\d((:|%3A)\d\d)?/', '/\b[\d.E-]+ sec/', '/\d+\.\d+(E-\d+)?/', '/"wgRequestId":"\w+"|"wgBackendResponseTime":\d+/',
    ];

    public int $status = 0;
    /** @var array<string, string> */
    private array $cookies = [];

    public function __construct(private readonly int $port)
    {
    }

    public function get(string $path): string
    {
        return $this->ask($path, null);
    }

    /** @param array<string, string> $form */
    public function post(string $path, array $form): string
    {
        return $this->ask($path, http_build_query($form));
    }

    /** A page without what is new in each. */
    public static function lasting(string $page): string
    {
        return (string) preg_replace(self::FLEETING, '', $page);
    }

    /** The value of a hidden field of a page. */
    public static function hidden(string $page, string $name): string
    {
        $quoted = preg_quote($name, '/');
        foreach (['/name=["\']?' . $quoted . '["\'][^>]*value=["\']([^"\']*)/', '/value=["\']([^"\']*)["\'][^>]*name=["\']' . $quoted . '["\']/'] as $pattern) {
            if (preg_match($pattern, $page, $found) === 1) {
                return html_entity_decode($found[1]);
            }
        }
        throw new \RuntimeException("The page has no hidden field $name: " . substr($page, 0, 1000));
    }

    /** The field of a request's head with the cookies it has. */
    public function cookies(): string
    {
        return 'Cookie: ' . implode('; ', array_map(static fn (string $name, string $value): string => "$name=$value", array_keys($this->cookies), $this->cookies));
    }

    private function ask(string $path, ?string $form): string
    {
        $fields = ['Host: localhost', 'Expect:', ...($this->cookies === [] ? [] : [$this->cookies()])];
        $request = curl_init("http://127.0.0.1:$this->port$path") ?: throw new \RuntimeException("$path is no path.");
        curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $fields, CURLOPT_TIMEOUT => 60, CURLOPT_HEADERFUNCTION => function ($request, string $line): int {
            if (preg_match('/^set-cookie: ([^=]+)=([^;\r\n]*)/i', $line, $found) === 1) {
                $this->cookies[$found[1]] = $found[2];
            }
            return strlen($line);
        }]);
        if ($form !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, $form);
        }
        $body = curl_exec($request);
        if (!is_string($body)) {
            throw new \RuntimeException("$path on port $this->port: " . curl_error($request));
        }
        $this->status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        return $body;
    }
}
