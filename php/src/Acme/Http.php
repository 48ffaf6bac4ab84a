<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Swoole\Coroutine\Http\Client;

/** Requests to the authority, in a coroutine: nothing else of the process waits for them. */
final class Http
{
    private const TIME = 30.0; // seconds
    private const MOST_BYTES = 1 << 20;

    public function request(string $method, string $url, string $body = ''): HttpResponse
    {
        $part = parse_url($url);
        $scheme = $part['scheme'] ?? '';
        if (!isset($part['host']) || !in_array($scheme, ['http', 'https'], true)) {
            throw new AcmeException("The authority names the URL {$url}, which is none.");
        }
        $client = new Client($part['host'], $part['port'] ?? ($scheme === 'https' ? 443 : 80), $scheme === 'https');
        $client->set(['timeout' => self::TIME, 'ssl_verify_peer' => true, 'ssl_allow_self_signed' => false, 'ssl_host_name' => $part['host'], 'package_max_length' => self::MOST_BYTES, 'keep_alive' => false]);
        $client->setMethod($method);
        $client->setHeaders(['Host' => $part['host'] . (isset($part['port']) ? ":{$part['port']}" : ''), 'User-Agent' => 'stampede/' . phpversion('stampede'), ...($body === '' ? [] : ['Content-Type' => 'application/jose+json'])]);
        if ($body !== '') {
            $client->setData($body);
        }
        $done = @$client->execute(($part['path'] ?? '/') . (isset($part['query']) ? "?{$part['query']}" : ''));
        $response = new HttpResponse((int) $client->statusCode, array_change_key_case($client->headers ?? []), (string) $client->body);
        $reason = $client->errMsg;
        $client->close();
        if (!$done || $response->status < 100) {
            throw new AcmeException("The authority at {$part['host']} cannot be reached: " . ($reason !== '' ? $reason : 'no response') . '.');
        }
        return $response;
    }
}
