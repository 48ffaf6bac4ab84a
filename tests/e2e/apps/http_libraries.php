<?php

declare(strict_types=1);

/* The part of hooks_curl.php that needs packages from Composer. */

require $at['autoload'];
$guzzle = new GuzzleHttp\Client();
atOnce('Guzzle', static fn (): mixed => (string) $guzzle->get($slow)->getBody(), 'slept');
atOnce('Guzzle, several promises', static function () use ($guzzle, $slow): mixed {
    $responses = GuzzleHttp\Promise\Utils::unwrap([$guzzle->getAsync($slow), $guzzle->getAsync($slow)]);
    return array_map(static fn (Psr\Http\Message\ResponseInterface $response): string => (string) $response->getBody(), $responses);
}, ['slept', 'slept']);
$symfony = static fn (): Symfony\Contracts\HttpClient\HttpClientInterface => new Symfony\Component\HttpClient\CurlHttpClient();
atOnce('Symfony HttpClient over curl', static fn (): mixed => $symfony()->request('GET', $slow)->getContent(), 'slept');
atOnce('Symfony HttpClient over streams', static fn (): mixed => (new Symfony\Component\HttpClient\NativeHttpClient())->request('GET', $slow)->getContent(), 'slept');
$one = $symfony();
atOnce('Symfony HttpClient, one for all', static fn (): mixed => $one->request('GET', $slow)->getContent(), 'slept');
