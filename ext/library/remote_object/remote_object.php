<?php

declare(strict_types=1);

namespace Swoole;

use Stampede\Library\RemoteObject\Line;
use Swoole\RemoteObject\Client;
use Swoole\RemoteObject\Exception;

/**
 * An object that lives in a server of remote objects. What is done with it is done there, and waits in the calling coroutine.
 * It is freed there when this one is.
 *
 * @implements \ArrayAccess<mixed, mixed>
 * @implements \Iterator<mixed, mixed>
 */
class RemoteObject implements \ArrayAccess, \Stringable, \Iterator, \Countable
{
    private int $objectId = 0;

    /** null in the server, and where this was unserialized by the application. */
    private ?Line $line = null;

    /** @var array<string, mixed>|null Where the iteration is. */
    private ?array $position = null;

    /** @internal create(), and what calls give, make these objects. */
    public function __construct(private int $coroutineId, private string $clientId)
    {
    }

    public function __destruct()
    {
        $this->line?->release($this->objectId);
    }

    /** @param array<mixed> $args */
    public function __call(string $method, array $args): mixed
    {
        return $this->ask('method', ['name' => $method, 'arguments' => $args]);
    }

    public function __get(string $property): mixed
    {
        return $this->ask('get', ['name' => $property]);
    }

    public function __set(string $property, mixed $value): void
    {
        $this->ask('set', ['name' => $property, 'arguments' => [$value]]);
    }

    /** @param array<mixed> $data */
    public function __unserialize(array $data): void
    {
        $this->objectId = (int) ($data['object'] ?? 0);
        $this->coroutineId = (int) ($data['coroutine'] ?? 0);
        $this->clientId = is_string($data['client'] ?? null) ? $data['client'] : '';
        $this->line = Line::receiving();
        $this->line?->hold();
    }

    /** @return array<string, mixed> its name, for the server */
    public function __serialize(): array
    {
        return ['object' => $this->objectId, 'coroutine' => $this->coroutineId, 'client' => $this->clientId, 'line' => $this->line?->number];
    }

    public function __toString(): string
    {
        return (string) $this->ask('text');
    }

    public function __invoke(mixed ...$args): mixed
    {
        return $this->ask('invoke', ['arguments' => $args]);
    }

    /** @throws Exception */
    private function __clone()
    {
    }

    /**
     * @param array<mixed> $args
     * @return mixed
     */
    public static function call(Client $client, string $fn, array $args)
    {
        return $client->execute('call', ['name' => $fn, 'arguments' => $args]);
    }

    public function getObjectId(): int
    {
        return $this->objectId;
    }

    /** @param array<mixed> $args */
    public static function create(Client $client, string $class, array $args): RemoteObject
    {
        return $client->execute('create', ['name' => $class, 'arguments' => $args]);
    }

    /** @internal What the server sends in the place of an object. */
    public static function marshal(int $objectId, int $ownerCoroutineId, string $clientId): RemoteObject
    {
        $object = new self($ownerCoroutineId, $clientId);
        $object->objectId = $objectId;
        return $object;
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->ask('offset-get', ['arguments' => [$offset]]);
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        $this->ask('offset-set', ['arguments' => [$offset, $value]]);
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->ask('offset-unset', ['arguments' => [$offset]]);
    }

    public function offsetExists(mixed $offset): bool
    {
        return (bool) $this->ask('offset-exists', ['arguments' => [$offset]]);
    }

    public function current(): mixed
    {
        return $this->position()['current'] ?? null;
    }

    public function next(): void
    {
        $this->position = (array) $this->ask('next');
    }

    public function key(): mixed
    {
        return $this->position()['key'] ?? null;
    }

    public function valid(): bool
    {
        return (bool) ($this->position()['valid'] ?? false);
    }

    public function rewind(): void
    {
        $this->position = null;  // what it holds is freed first
        $this->position = (array) $this->ask('rewind');
    }

    public function count(): int
    {
        return (int) $this->ask('count');
    }

    /** @return array<string, mixed> */
    private function position(): array
    {
        return $this->position ??= (array) $this->ask('position');
    }

    /** @param array<string, mixed> $data */
    private function ask(string $path, array $data = []): mixed
    {
        $line = $this->line ?? throw new Exception('This remote object was not received from its server: use the one that create() or a call has given.');
        return $line->call($path, $data + ['object' => $this->objectId]);
    }
}
