<?php

declare(strict_types=1);

namespace Stampede\Library;

use Swoole\Coroutine;
use Swoole\Coroutine\Http\Client;
use Swoole\Coroutine\Http\Client\Exception;
use Swoole\Coroutine\Http\ClientProxy;

/**
 * The functions of Swoole\Coroutine\Http, three ways to make one request. Options are those of the way used.
 *
 * @internal
 */
final class Requests
{
    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function request(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $driver = swoole_library_get_option('http_client_driver') ?: (Coroutine::getCid() > 0 ? 'swoole' : 'curl');
        if ($driver === 'swoole') {
            return self::byClient($url, $method, $data, $options, $headers, $cookies);
        }
        if ($driver === 'curl' && extension_loaded('curl')) {
            return self::byCurl($url, $method, $data, $options, $headers, $cookies);
        }
        return self::byStream($url, $method, $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function get(string $url, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'GET', null, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function post(string $url, mixed $data, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        return self::request($url, 'POST', $data, $options, $headers, $cookies);
    }

    /**
     * @param array<string, mixed>|null $options
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byClient(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $parts = parse_url($url);
        if (!is_array($parts) || empty($parts['host'])) {
            throw new Exception("The URL \"$url\" names no host.");
        }
        $tls = strcasecmp($parts['scheme'] ?? 'http', 'https') === 0;
        $client = new Client(trim($parts['host'], '[]'), $parts['port'] ?? ($tls ? 443 : 80), $tls);
        $client->setMethod(strtoupper($method));
        if ($data !== null && $data !== '' && $data !== []) {
            $client->setData(is_array($data) ? $data : (string) $data);
        }
        if ($options) {
            $client->set($options);
        }
        $client->setHeaders($headers ?? []);
        if ($cookies) {
            $client->setCookies($cookies);
        }
        if (isset($parts['user'])) {
            $client->setBasicAuth(rawurldecode($parts['user']), rawurldecode($parts['pass'] ?? ''));
        }
        $query = isset($parts['query']) ? '?' . $parts['query'] : '';
        if (!$client->execute(($parts['path'] ?? '/') . $query)) {
            throw new Exception($client->errMsg, $client->errCode);
        }
        $response = new ClientProxy($client->body, $client->statusCode, $client->headers, $client->cookies);
        $client->close();
        return $response;
    }

    /**
     * @param array<string, mixed>|null $options timeout, connect_timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byCurl(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $handle = curl_init($url);
        if ($handle === false) {
            throw new Exception("curl refuses the URL \"$url\".");
        }
        $responseHeaders = $responseCookies = [];
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CUSTOMREQUEST => strtoupper($method),
            CURLOPT_HTTPHEADER => self::lines($headers, $cookies),
            CURLOPT_TIMEOUT_MS => (int) (1000 * max(0, (float) ($options['timeout'] ?? 0))),
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$responseHeaders, &$responseCookies): int {
                self::takeLine($line, $responseHeaders, $responseCookies);
                return strlen($line);
            },
        ]);
        if (isset($options['connect_timeout'])) {
            curl_setopt($handle, CURLOPT_CONNECTTIMEOUT_MS, (int) (1000 * (float) $options['connect_timeout']));
        }
        if ($data !== null && $data !== '' && $data !== []) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, is_array($data) ? http_build_query($data) : (string) $data);
        }
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw new Exception(curl_error($handle), curl_errno($handle));
        }
        return new ClientProxy($body, (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $responseHeaders, $responseCookies);
    }

    /**
     * @param array<string, mixed>|null $options timeout
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     */
    public static function byStream(string $url, string $method, mixed $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy
    {
        $lines = self::lines($headers, $cookies);
        $http = ['method' => strtoupper($method), 'ignore_errors' => true, 'follow_location' => 0];
        if ($data !== null && $data !== '' && $data !== []) {
            $http['content'] = is_array($data) ? http_build_query($data) : (string) $data;
            if (is_array($data) && !isset(array_change_key_case($headers ?? [])['content-type'])) {
                $lines[] = 'Content-Type: application/x-www-form-urlencoded';
            }
        }
        if (isset($options['timeout'])) {
            $http['timeout'] = (float) $options['timeout'];
        }
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http + ['header' => $lines]]));
        if ($stream === false) {
            throw new Exception(error_get_last()['message'] ?? "\"$url\" cannot be opened.");
        }
        $status = 0;
        $responseHeaders = $responseCookies = [];
        foreach ((array) (stream_get_meta_data($stream)['wrapper_data'] ?? []) as $line) {
            if (preg_match('~^HTTP/[\d.]+ (\d{3})~', (string) $line, $parts) === 1) {
                $status = (int) $parts[1];
            }
            self::takeLine((string) $line, $responseHeaders, $responseCookies);
        }
        $body = stream_get_contents($stream);
        fclose($stream);
        return new ClientProxy((string) $body, $status, $responseHeaders, $responseCookies);
    }

    /**
     * @param array<string, string>|null $headers
     * @param array<string, string>|null $cookies
     * @return list<string>
     */
    private static function lines(?array $headers, ?array $cookies): array
    {
        $lines = [];
        foreach ($headers ?? [] as $name => $value) {
            $lines[] = str_replace(["\r", "\n", "\0"], '', "$name: $value");
        }
        $pairs = [];
        foreach ($cookies ?? [] as $name => $value) {
            $pairs[] = $name . '=' . rawurlencode((string) $value);
        }
        return $pairs === [] ? $lines : [...$lines, 'Cookie: ' . implode('; ', $pairs)];
    }

    /**
     * @param array<string, mixed> $headers
     * @param array<string, string> $cookies
     */
    private static function takeLine(string $line, array &$headers, array &$cookies): void
    {
        $parts = explode(':', rtrim($line, "\r\n"), 2);
        if (count($parts) < 2) {
            return;
        }
        [$name, $value] = [strtolower($parts[0]), trim($parts[1])];
        $headers[$name] = isset($headers[$name]) ? [...(array) $headers[$name], $value] : $value;
        if ($name === 'set-cookie' && preg_match('~^([^=;]+)=([^;]*)~', $value, $pair) === 1) {
            $cookies[$pair[1]] = urldecode($pair[2]);
        }
    }
}
