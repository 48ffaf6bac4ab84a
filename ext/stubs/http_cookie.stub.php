<?php

/** @generate-class-entries */

namespace Swoole\Http;

/** A cookie put together step by step, for Response::cookie(). Each with...() changes this object and returns it. */
class Cookie
{
    /** $encode: the value is url-encoded when the cookie is written. */
    public function __construct(bool $encode = true) {}

    public function withName(string $name): Cookie {}

    /** An empty value deletes the cookie at the peer. */
    public function withValue(string $value = ''): Cookie {}

    /** Unix time; 0: until the browser ends. */
    public function withExpires(int $expires = 0): Cookie {}

    public function withPath(string $path = '/'): Cookie {}

    public function withDomain(string $domain = ''): Cookie {}

    public function withSecure(bool $secure = false): Cookie {}

    public function withHttpOnly(bool $httpOnly = false): Cookie {}

    public function withSameSite(string $sameSite = ''): Cookie {}

    public function withPriority(string $priority = ''): Cookie {}

    public function withPartitioned(bool $partitioned = false): Cookie {}

    /** The value of a Set-Cookie field; false, with a warning, when a part would break the field. */
    public function toString(): string|false {}

    /** name, value, path, domain, sameSite, priority, encode, expires, secure, httpOnly, partitioned. */
    public function toArray(): array {}

    /** Forgets everything but whether values are encoded. */
    public function reset(): void {}
}
