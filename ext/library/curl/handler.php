<?php

declare(strict_types=1);

namespace Swoole\Curl;

use CurlHandle;
use Stringable;

/**
 * A handle of PHP's curl extension as an object: transfers wait in their coroutine (SWOOLE_HOOK_NATIVE_CURL), and every option of
 * libcurl is there. Functions that are given as options get this object where they would get PHP's handle.
 */
final class Handler implements Stringable
{
    /** Options whose value is a function with the handle as first argument. */
    private const CALLBACKS = [
        'CURLOPT_WRITEFUNCTION',
        'CURLOPT_HEADERFUNCTION',
        'CURLOPT_READFUNCTION',
        'CURLOPT_PROGRESSFUNCTION',
        'CURLOPT_XFERINFOFUNCTION',
        'CURLOPT_FNMATCH_FUNCTION',
    ];

    private ?CurlHandle $handle = null;
    private ?string $content = null;

    /** @throws Exception without PHP's curl extension */
    public function __construct(string $url = '')
    {
        if (!extension_loaded('curl')) {
            throw new Exception("Swoole\\Curl\\Handler needs PHP's curl extension, which is not loaded");
        }
        $handle = $url === '' ? curl_init() : curl_init($url);
        if ($handle === false) {
            throw new Exception('a curl handle cannot be made');
        }
        $this->handle = $handle;
    }

    public function __toString(): string
    {
        return sprintf('Object(%d) of type (curl)', spl_object_id($this));
    }

    /** False, with a warning, once it has been closed. */
    public function isAvailable(): bool
    {
        if ($this->handle === null) {
            trigger_error('supplied resource is not a valid cURL handle resource', E_USER_WARNING);
            return false;
        }
        return true;
    }

    public function setOpt(int $opt, mixed $value): bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        if (is_callable($value) && $this->isCallback($opt)) {
            $value = fn (mixed $handle, mixed ...$rest): mixed => $value($this, ...$rest);
        }
        return curl_setopt($this->handle, $opt, $value);
    }

    /** The body with CURLOPT_RETURNTRANSFER, else true; false when the transfer failed. */
    public function exec(): string|bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        $result = curl_exec($this->handle);
        $this->content = is_string($result) ? $result : null;
        return $result;
    }

    /** @return array<string, mixed>|false */
    public function getInfo(): array|false
    {
        return $this->isAvailable() ? curl_getinfo($this->handle) : false;
    }

    public function errno(): int
    {
        return $this->isAvailable() ? curl_errno($this->handle) : 0;
    }

    public function error(): string
    {
        return $this->isAvailable() ? curl_error($this->handle) : '';
    }

    /** All options as they were in the beginning. */
    public function reset(): bool
    {
        if (!$this->isAvailable()) {
            return false;
        }
        curl_reset($this->handle);
        return true;
    }

    /** What the last exec() returned as text. */
    public function getContent(): ?string
    {
        return $this->isAvailable() ? $this->content : null;
    }

    public function close(): void
    {
        if ($this->isAvailable()) {
            $this->handle = null;
        }
    }

    private function isCallback(int $opt): bool
    {
        foreach (self::CALLBACKS as $name) {
            if (defined($name) && constant($name) === $opt) {
                return true;
            }
        }
        return false;
    }

    /** One value of curl_getinfo(), for swoole_curl_getinfo(). */
    private function oneInfo(int $opt): mixed
    {
        return $this->isAvailable() ? curl_getinfo($this->handle, $opt) : false;
    }
}
