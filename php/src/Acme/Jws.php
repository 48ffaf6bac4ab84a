<?php

declare(strict_types=1);

namespace Stampede\Acme;

use OpenSSLAsymmetricKey;

/** Signed messages of ACME: RFC 7515 with ES256, and HS256 for the binding to an external account. */
final readonly class Jws
{
    private const COORDINATE = 32; // bytes of a number of the curve P-256

    /** @var array<string, string> the public key */
    public array $jwk;

    public function __construct(private OpenSSLAsymmetricKey $key)
    {
        $curve = openssl_pkey_get_details($key)['ec'] ?? [];
        $this->jwk = ['crv' => 'P-256', 'kty' => 'EC', 'x' => self::encode(self::padded($curve['x'] ?? '')), 'y' => self::encode(self::padded($curve['y'] ?? ''))];
    }

    public static function encode(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }

    public static function decode(string $text): string
    {
        return (string) base64_decode(strtr($text, '-_', '+/'), true);
    }

    /** What tells this key from others: RFC 7638. */
    public function thumbprint(): string
    {
        return self::encode(hash('sha256', json_encode($this->jwk, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), true));
    }

    /**
     * @param array<string, mixed> $head besides the algorithm
     * @param array<string, mixed>|null $payload null: none, as for what is only read
     */
    public function sign(array $head, ?array $payload): string
    {
        $text = $payload === null ? '' : json_encode($payload === [] ? (object) [] : $payload, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
        return self::message(['alg' => 'ES256'] + $head, $text, function (string $input): string {
            if (!openssl_sign($input, $signature, $this->key, OPENSSL_ALGO_SHA256)) {
                throw new AcmeException('A message to the authority cannot be signed: ' . (openssl_error_string() ?: 'unknown reason') . '.');
            }
            return self::numbers($signature);
        });
    }

    /**
     * Says to the authority that this key belongs to an account which its customer has by other means.
     *
     * @return array<string, string>
     */
    public function bind(string $url, string $account, string $secret): array
    {
        $head = ['alg' => 'HS256', 'kid' => $account, 'url' => $url];
        $message = self::message($head, json_encode($this->jwk, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), static fn (string $input): string => hash_hmac('sha256', $input, $secret, true));
        return json_decode($message, true);
    }

    /**
     * @param array<string, mixed> $head
     * @param callable(string): string $sign
     */
    private static function message(array $head, string $payload, callable $sign): string
    {
        $protected = self::encode(json_encode($head, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR));
        $payload = self::encode($payload);
        return json_encode(['protected' => $protected, 'payload' => $payload, 'signature' => self::encode($sign("{$protected}.{$payload}"))], JSON_THROW_ON_ERROR);
    }

    /** OpenSSL writes the two numbers of a signature as a sequence of DER; JWS has them one after the other, with leading zeros. */
    private static function numbers(string $der): string
    {
        $at = 2; // after the head of the sequence, whose length is below 128
        $numbers = '';
        for ($i = 0; $i < 2; $i++) {
            $length = ord($der[$at + 1]);
            $numbers .= self::padded(ltrim(substr($der, $at + 2, $length), "\0"));
            $at += 2 + $length;
        }
        return $numbers;
    }

    private static function padded(string $number): string
    {
        return str_pad($number, self::COORDINATE, "\0", STR_PAD_LEFT);
    }
}
