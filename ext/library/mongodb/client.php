<?php

declare(strict_types=1);

namespace Swoole\MongoDB;

use Swoole\Coroutine;
use Swoole\RemoteObject;
use Swoole\RemoteObject\Exception;
use Swoole\RemoteObject\ProxyTrait;

/**
 * MongoDB's client in the default server of remote objects, one for each coroutine. Needs there PHP's extension mongodb and the
 * package mongodb/mongodb.
 *
 * @mixin \MongoDB\Client
 */
class Client
{
    use ProxyTrait;

    public const DEFAULT_URI = 'mongodb://127.0.0.1/';

    /** @var \WeakMap<object, RemoteObject> By context of a coroutine. */
    private \WeakMap $objects;

    /**
     * @param array<string, mixed> $uriOptions
     * @param array<string, mixed> $driverOptions
     */
    public function __construct(private readonly ?string $uri = self::DEFAULT_URI, private readonly array $uriOptions = [], private readonly array $driverOptions = [])
    {
        $this->objects = new \WeakMap();
    }

    protected function getObject(): RemoteObject
    {
        $context = Coroutine::getContext() ?? throw new Exception('Calls of MongoDB wait in coroutines: make them in Swoole\Coroutine\run() or go().');
        return $this->objects[$context] ??= $this->make();
    }

    private function make(): RemoteObject
    {
        $client = swoole_get_default_remote_object_client();
        if ($client->call('extension_loaded', 'mongodb') !== true) {
            throw new Exception('Swoole\MongoDB\Client needs PHP\'s extension mongodb in the server of remote objects.');
        }
        return $client->create('MongoDB\Client', $this->uri, $this->uriOptions, $this->driverOptions);
    }
}
