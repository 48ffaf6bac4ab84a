<?php

declare(strict_types=1);

namespace Swoole;

use Swoole\Coroutine\Http\ClientProxy;
use Swoole\NameResolver\Cluster;
use Swoole\NameResolver\Exception;

/**
 * Finds the nodes of a service by its name, for clients in coroutines that connect to that name. swoole_name_resolver_add()
 * or the option name_resolver of Coroutine::set() puts one to use.
 */
abstract class NameResolver
{
    /** @var string */
    protected $baseUrl;

    /** @var array<string, int|string> The parts of the address, as parse_url() gives them. */
    protected $info;

    /** @var callable|null */
    private $filter;

    /**
     * @param string $url where the registry is
     * @param string $prefix before the names of services there
     * @throws Exception when that is no address
     */
    public function __construct(string $url, protected $prefix = 'swoole_service_')
    {
        $this->checkServerUrl($url);
    }

    /** @param array<string, mixed> $options "weight": 0 to 100; others are given to the registry as they are */
    abstract public function join(string $name, string $ip, int $port, array $options = []): bool;

    abstract public function leave(string $name, string $ip, int $port): bool;

    /** The nodes of the service; null when there is no such service. */
    abstract public function getCluster(string $name): ?Cluster;

    /**
     * Only names for which the function returns true are looked for here.
     *
     * @param callable(string): bool $fn
     * @return $this
     */
    public function withFilter(callable $fn): self
    {
        $this->filter = $fn;
        return $this;
    }

    /** @return callable|null */
    public function getFilter()
    {
        return $this->filter;
    }

    public function hasFilter(): bool
    {
        return $this->filter !== null;
    }

    /**
     * @return Cluster|array{host: string, port: int, weight: int}|string|null null: ask the next resolver; a Cluster: any of its nodes; an
     *     array or "host:port": the only one; "": there is none
     */
    public function lookup(string $name)
    {
        if ($this->filter !== null && ($this->filter)($name) !== true) {
            return null;
        }
        $cluster = $this->getCluster($name);
        return match ($cluster?->count() ?? 0) {
            0 => '',
            1 => $cluster?->pop() ?: '',
            default => $cluster,
        };
    }

    /** @throws Exception */
    protected function checkServerUrl(string $url): void
    {
        $parts = parse_url($url);
        if (!is_array($parts) || !isset($parts['scheme'], $parts['host'])) {
            throw new Exception("\"{$url}\" is no address of a server: give it as scheme://host:port.");
        }
        $ip = trim($parts['host'], '[]');
        $ip = filter_var($ip, FILTER_VALIDATE_IP) !== false ? $ip : gethostbyname($ip);
        if (filter_var($ip, FILTER_VALIDATE_IP) === false) {
            throw new Exception("The host of \"{$url}\" has no address.");
        }
        $this->info = $parts + ['ip' => $ip];
        // TLS needs the name, which the certificate is for.
        $host = $parts['scheme'] === 'https' ? $parts['host'] : (str_contains($ip, ':') ? "[{$ip}]" : $ip);
        $this->baseUrl = "{$parts['scheme']}://{$host}" . (isset($parts['port']) ? ":{$parts['port']}" : '') . rtrim($parts['path'] ?? '', '/');
    }

    /**
     * @param array<string, string>|null $headers
     * @throws Exception when the registry cannot be reached
     */
    protected function request(string $path, string $method, mixed $data = null, ?array $headers = null): ClientProxy
    {
        try {
            return Coroutine\Http\request($this->baseUrl . $path, $method, $data, null, $headers);
        } catch (Coroutine\Http\Client\Exception $error) {
            throw new Exception("{$this->baseUrl}: {$error->getMessage()}", $error->getCode(), $error);
        }
    }

    /** @throws Exception when the registry has refused */
    protected function checkResponse(ClientProxy $response): bool
    {
        if ($response->getStatusCode() === 200) {
            return true;
        }
        $why = $response->getBody() === '' ? "status {$response->getStatusCode()}" : $response->getBody();
        throw new Exception("{$this->baseUrl}: {$why}", $response->getStatusCode());
    }
}
