<?php

declare(strict_types=1);

namespace Stampede\Library\RemoteObject;

use ArrayIterator;
use Iterator;
use IteratorAggregate;
use Swoole\RemoteObject;
use Swoole\RemoteObject\Context;
use Swoole\RemoteObject\Exception;

/**
 * The objects that one connection has made in this worker, and the calls to them. They are freed with the connection at the
 * latest, and no other connection can name them.
 *
 * @internal
 */
final class Session
{
    private const MOST_OBJECTS = 100_000;

    /** @var array<int, object> */
    private array $objects = [];

    /** @var array<int, Iterator<mixed, mixed>> By object: where the client's iteration is. */
    private array $iterators = [];

    private int $lastId = 0;

    /** @return array<string, mixed> "result", or "error" and "code" */
    public function carryOut(Context $context): array
    {
        $this->free((array) $context->getDataParam('free'));
        try {
            $result = $this->result($context);
            return ['result' => Wire::map($result, fn (object $object): RemoteObject => $this->host($object, $context))];
        } catch (\Throwable $error) {
            return ['error' => $error->getMessage(), 'code' => is_int($error->getCode()) ? $error->getCode() : 0];
        }
    }

    private function result(Context $context): mixed
    {
        $name = (string) $context->getDataParam('name');
        $arguments = (array) Wire::map($context->getDataParam('arguments') ?? [], $this->hosted(...));
        switch ($context->getHandler()) {
            case 'create':
                return $this->create($name, $arguments);
            case 'call':
                return is_callable($name) ? $name(...$arguments) : throw new Exception("The server of remote objects has no function {$name}(): the option bootstrap names a file that it loads.");
            case 'free':
                return null;
        }
        $id = (int) $context->getDataParam('object');
        $object = $this->objects[$id] ?? throw new Exception("The server of remote objects has no object {$id} of this client.");
        return match ($context->getHandler()) {
            'method' => $object->{$name}(...$arguments),
            'get' => $object->{$name},
            'set' => $object->{$name} = $arguments[0],
            'text' => (string) $object,
            'invoke' => $object(...$arguments),
            'count' => count($object),
            'offset-get' => $object[$arguments[0]],
            'offset-set' => $this->setOffset($object, $arguments),
            'offset-unset' => $this->unsetOffset($object, $arguments),
            'offset-exists' => isset($object[$arguments[0]]),
            'rewind', 'next', 'position' => $this->iterate($id, $object, $context->getHandler()),
            default => throw new Exception("A server of remote objects does not know the request \"{$context->getHandler()}\"."),
        };
    }

    /** @param array<mixed> $arguments */
    private function create(string $class, array $arguments): object
    {
        if (!class_exists($class)) {
            throw new Exception("The server of remote objects has no class {$class}: the option bootstrap names a file that it loads.");
        }
        return new $class(...$arguments);
    }

    /** @param array<mixed> $arguments */
    private function setOffset(object $object, array $arguments): void
    {
        if ($arguments[0] === null) {
            $object[] = $arguments[1];
        } else {
            $object[$arguments[0]] = $arguments[1];
        }
    }

    /** @param array<mixed> $arguments */
    private function unsetOffset(object $object, array $arguments): void
    {
        unset($object[$arguments[0]]);
    }

    /** @return array<string, mixed> the place that the iteration has come to */
    private function iterate(int $id, object $object, string $step): array
    {
        if ($step === 'rewind' || !isset($this->iterators[$id])) {
            $this->iterators[$id] = $iterator = $this->iterator($object);
            if ($step === 'rewind' || $iterator !== $object) {
                $iterator->rewind();
            }
        }
        $iterator = $this->iterators[$id];
        if ($step === 'next') {
            $iterator->next();
        }
        return $iterator->valid() ? ['valid' => true, 'key' => $iterator->key(), 'current' => $iterator->current()] : ['valid' => false];
    }

    /** @return Iterator<mixed, mixed> */
    private function iterator(object $object): Iterator
    {
        while ($object instanceof IteratorAggregate) {
            $object = $object->getIterator();
        }
        return $object instanceof Iterator ? $object : new ArrayIterator(get_object_vars($object));
    }

    /** What the client gets instead of the object. */
    private function host(object $object, Context $context): RemoteObject
    {
        if (count($this->objects) === self::MOST_OBJECTS) {
            throw new Exception('The client has ' . self::MOST_OBJECTS . ' objects on this connection: let some of them go.');
        }
        $this->objects[++$this->lastId] = $object;
        return RemoteObject::marshal($this->lastId, $context->getCoroutineId(), $context->getClientId());
    }

    private function hosted(object $object): object
    {
        $id = $object instanceof RemoteObject ? $object->getObjectId() : 0;
        return $this->objects[$id] ?? throw new Exception("The server of remote objects has no object {$id} of this client.");
    }

    /** @param array<mixed> $ids */
    private function free(array $ids): void
    {
        foreach ($ids as $id) {
            if (is_int($id)) {
                unset($this->objects[$id], $this->iterators[$id]);
            }
        }
    }
}
