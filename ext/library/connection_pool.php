<?php

declare(strict_types=1);

namespace Swoole;

use RuntimeException;
use Stampede\LoopControl;
use Stampede\Pool\Lease;
use Swoole\Coroutine\Channel;
use Throwable;
use WeakMap;
use WeakReference;

use function Stampede\count_pool_wait;
use function Stampede\count_pools;
use function count;
use function is_object;

/**
 * Up to $size connections that coroutines take and give back. A connection is made by the constructor when none is
 * free and the pool is not full yet. With $proxy the constructor is passed to a class of that name instead.
 *
 * Whoever waits is served in order. A connection that is dropped instead of given back makes room for another; one
 * that is given back twice, or was never taken, is refused with a warning.
 */
class ConnectionPool
{
    public const DEFAULT_SIZE = 64;

    /** Connections that nobody uses; null once the pool is closed. */
    protected ?Channel $pool;

    /** @var callable */
    protected $constructor;

    protected int $size;

    /** Connections made and not lost. */
    protected int $num = 0;

    protected ?string $proxy;

    /** @var array<int, Channel> whoever waits, in order; gets a connection, or its channel itself for a free place */
    private array $waiting = [];

    /** @var WeakMap<object, Lease> one for each connection, made with it and gone with it */
    private WeakMap $leases;

    /** Whether nothing is ever asked of a connection: neither its age nor its class matters, and each is an object of its own. */
    private bool $isPlain;

    /** Whether get() and put() need nothing but the channel: see chooseWay(). */
    private bool $isDirect = false;

    /** @var array<int, int> by coroutine: lent connections that went away by themselves and whose put(null) may still come, less those that came before */
    private array $gone = [];

    /** Lent values that are no objects. */
    private int $lentValues = 0;

    private float $idleLimit = 0.0;

    private float $waitLimit = -1.0;

    private int|false $idleTimer = false;

    public function __construct(callable $constructor, int $size = self::DEFAULT_SIZE, ?string $proxy = null)
    {
        $this->pool = new Channel($this->size = $size);
        $this->constructor = $constructor;
        $this->proxy = $proxy;
        $this->leases = new WeakMap();
        $this->isPlain = static::class === self::class;
        $this->chooseWay();
        count_pools(static::class, $size, 0, 0);
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Connections that nobody took for so many seconds from now on are closed; 0 keeps them, which is the default. */
    public function setIdleLimit(float $seconds): static
    {
        $this->idleLimit = $seconds;
        if ($this->isPlain && $seconds > 0) {
            foreach ($this->leases as $lease) {
                $lease->idleSince = hrtime(true); // nobody has looked at the clock so far
            }
            $this->isPlain = false;
            $this->chooseWay();
        }
        $this->watchIdle();
        return $this;
    }

    /** How long get() waits when it is not told; -1, the default, for ever. */
    public function setWaitLimit(float $seconds): static
    {
        $this->waitLimit = $seconds;
        return $this;
    }

    /** @return array{size: int, num: int, idle: int, lent: int, waiting: int} */
    public function stats(): array
    {
        return [
            'size' => $this->size,
            'num' => $this->num,
            'idle' => $this->pool?->length() ?? 0,
            'lent' => count($this->lent()) + $this->lentValues,
            'waiting' => count($this->waiting),
        ];
    }

    /** Makes connections until the pool is full. */
    public function fill(): void
    {
        while ($this->size > $this->num) {
            $this->make();
        }
    }

    /**
     * A connection for the caller alone, until put(). Waits at most $timeout seconds when all are in use; false when
     * the time is over. What the constructor throws comes out here.
     *
     * @return mixed|false
     */
    public function get(float $timeout = -1)
    {
        if ($this->isDirect && !$this->pool->isEmpty()) {
            $connection = $this->pool->pop();
            $lease = $this->leases[$connection];
            $lease->cid = Coroutine::getCid();
            return $connection;
        }
        if ($this->pool === null) {
            throw new RuntimeException('Pool has been closed');
        }
        $connection = $this->waiting === [] ? $this->takeIdle() : null;
        if ($connection === null && $this->num < $this->size) {
            $this->num++;
            count_pools(static::class, 0, 1, 0);
            $connection = $this->construct();
        }
        $connection ??= $this->waitForOne($timeout < 0 ? $this->waitLimit : $timeout);
        if (is_object($connection)) {
            $lease = $this->leases[$connection];
            if ($lease->cid !== null) {
                $this->vacate($lease->cid); // the constructor has returned what it had returned before
            }
            $lease->cid = Coroutine::getCid();
        } elseif ($connection !== false) {
            $this->lentValues++;
        }
        return $connection;
    }

    /**
     * Gives a connection back; null says that it was lost, so that another can be made.
     *
     * @param mixed $connection
     */
    public function put($connection): void
    {
        $lease = is_object($connection) ? $this->leases[$connection] ?? null : null;
        $holder = $lease?->cid;
        if ($this->isDirect && $holder !== null) {
            $lease->cid = null;
            $this->pool->push($connection);
            return;
        }
        if ($this->pool === null) {
            return;
        }
        if ($connection === null) {
            $this->forget();
            return;
        }
        if ($holder !== null) {
            $lease->cid = null;
        } elseif ($this->lentValues > 0 && !is_object($connection)) {
            $this->lentValues--;
        } else {
            trigger_error('This connection is not in use: it was given back before, or is not of this pool', E_USER_WARNING);
            return;
        }
        $hasPlace = $holder === null || $this->keepsPlace($holder);
        if ($hasPlace && $this->isReusable($connection)) {
            $this->store($connection);
        } elseif ($hasPlace) {
            $this->vacate();
        }
    }

    /** No connection is handed out any more, and those in the pool are dropped. */
    public function close(): void
    {
        if ($this->pool === null) {
            return;
        }
        foreach ($this->leases as $lease) {
            $lease->cid = null;
        }
        foreach ($this->waiting as $place) {
            $place->close();
        }
        $this->waiting = [];
        $this->stopTimer();
        $this->pool->close();
        $this->pool = null;
        count_pools(static::class, -$this->size, -$this->num, 0);
        $this->num = 0;
        $this->chooseWay();
    }

    /**
     * A lent connection is gone. Called by its lease, with the coroutine that had it.
     *
     * @internal
     */
    public function vacate(?int $cid = null): void
    {
        if ($cid !== null) {
            $this->noteGone($cid, 1);
            if (isset($this->gone[$cid]) ? $this->gone[$cid] < 0 : true) {
                return; // its place was free since put(null)
            }
        }
        if ($this->waiting !== []) {
            $place = $this->nextInLine();
            $place->push($place);
        } elseif ($this->num > 0) {
            $this->num--;
            count_pools(static::class, 0, -1, 0);
        }
    }

    protected function make(): void
    {
        $this->num++;
        count_pools(static::class, 0, 1, 0);
        $this->store($this->construct());
    }

    /**
     * Whether what was given back can be handed out again; makes it so. May wait.
     *
     * @param mixed $connection
     */
    protected function isReusable($connection): bool
    {
        return true;
    }

    /**
     * Whether a connection that was in the pool for so many seconds can be handed out. May wait.
     *
     * @param mixed $connection
     */
    protected function isAlive($connection, float $idle): bool
    {
        return true;
    }

    private function construct(): mixed
    {
        try {
            $constructor = $this->constructor;
            $connection = $this->proxy !== null ? new $this->proxy($constructor) : $constructor();
            if (is_object($connection) && !isset($this->leases[$connection])) {
                $this->leases[$connection] = new Lease($this);
            } else {
                $this->isPlain = false;
                $this->chooseWay();
            }
            return $connection;
        } catch (Throwable $error) {
            $this->vacate();
            throw $error;
        }
    }

    private function store(mixed $connection): void
    {
        if ($this->pool === null) {
            return;
        }
        if ($this->waiting !== []) {
            $this->nextInLine()->push($connection);
            return;
        }
        if (is_object($connection)) {
            $this->leases[$connection]->idleSince = hrtime(true);
        }
        $this->pool->push($connection);
        $this->watchIdle();
    }

    private function nextInLine(): Channel
    {
        $first = array_key_first($this->waiting);
        $place = $this->waiting[$first];
        unset($this->waiting[$first]);
        $this->chooseWay();
        return $place;
    }

    private function takeIdle(): mixed
    {
        while ($this->pool !== null && !$this->pool->isEmpty()) {
            $connection = $this->pool->pop();
            $idle = $this->idleTime($connection);
            if (($this->idleLimit <= 0 || $idle < $this->idleLimit) && $this->isAlive($connection, $idle)) {
                return $connection;
            }
            $this->vacate();
        }
        return null;
    }

    private function waitForOne(float $timeout): mixed
    {
        $place = new Channel(1);
        $this->waiting[] = $place;
        $number = array_key_last($this->waiting);
        $this->chooseWay();
        count_pools(static::class, 0, 0, 1);
        $since = hrtime(true);
        try {
            $connection = \Stampede\observed('Swoole\ConnectionPool::get', $this, static fn () => $place->pop($timeout));
            if ($connection === false && !$place->isEmpty()) {
                $connection = $place->pop();
            }
        } finally {
            unset($this->waiting[$number]);
            $this->chooseWay();
            count_pools(static::class, 0, 0, -1);
            count_pool_wait(static::class, (hrtime(true) - $since) / 1e9);
        }
        return $connection === $place ? $this->construct() : $connection;
    }

    /** Seconds since the connection came into the pool. */
    private function idleTime(mixed $connection): float
    {
        return is_object($connection) ? (hrtime(true) - $this->leases[$connection]->idleSince) / 1e9 : 0.0;
    }

    /** @return list<Lease> those of connections that are with a coroutine */
    private function lent(): array
    {
        $lent = [];
        foreach ($this->leases as $lease) {
            if ($lease->cid !== null) {
                $lent[] = $lease;
            }
        }
        return $lent;
    }

    /**
     * A connection was lost, and which one is not said: the only one that the caller has, or one whose coroutine is
     * gone. Of several a place is free at once, and the one of them that goes next frees none. Nothing is left to do
     * when one went before: the caller may have other connections, which it goes on using.
     */
    private function forget(): void
    {
        $cid = Coroutine::getCid();
        if (($this->gone[$cid] ?? 0) > 0) {
            $this->noteGone($cid, -1);
            return;
        }
        $own = $left = [];
        foreach ($this->lent() as $lease) {
            if ($lease->cid === $cid) {
                $own[] = $lease;
            } elseif (!Coroutine::exists($lease->cid)) {
                $left[] = $lease;
            }
        }
        if (count($own) === 1 || ($own === [] && $left !== [])) {
            $lost = $own[0] ?? $left[0];
            $lost->cid = null;
            $this->vacate();
        } elseif ($this->lentValues > 0) {
            $this->lentValues--;
            $this->vacate();
        } elseif ($own !== []) {
            $this->noteGone($cid, -1);
            $this->vacate();
        }
    }

    /**
     * Whether a connection that comes back from a coroutine still has a place. It has none when the coroutine has said that it lost one
     * of several, and this is the last of them: so none was lost, but the place may be another's by now.
     */
    private function keepsPlace(int $cid): bool
    {
        if (($this->gone[$cid] ?? 0) >= 0) {
            return true;
        }
        foreach ($this->lent() as $lease) {
            if ($lease->cid === $cid) {
                return true;
            }
        }
        $this->noteGone($cid, 1);
        $isFree = $this->num < $this->size;
        $this->num += (int) $isFree;
        return $isFree;
    }

    private function noteGone(int $cid, int $change): void
    {
        $this->gone[$cid] = ($this->gone[$cid] ?? 0) + $change;
        if ($this->gone[$cid] === 0) {
            unset($this->gone[$cid]);
        } elseif (count($this->gone) > 2 * $this->size) {
            $this->gone = array_filter($this->gone, Coroutine::exists(...), ARRAY_FILTER_USE_KEY);
        }
        $this->chooseWay();
    }

    /** Called when anything changes that this depends on, so that get() and put() look at one thing. */
    private function chooseWay(): void
    {
        $this->isDirect = $this->isPlain && $this->pool !== null && $this->waiting === [] && $this->gone === [];
    }

    /** One timer, for the connection that is idle for longest; it does not keep the loop going. */
    private function watchIdle(): void
    {
        if ($this->idleLimit <= 0 || $this->idleTimer !== false || $this->pool === null || $this->pool->isEmpty()) {
            return;
        }
        $self = WeakReference::create($this);
        $this->idleTimer = Timer::after((int) ceil($this->idleLimit * 1000), static fn () => $self->get()?->closeIdle());
        if ($this->idleTimer !== false) {
            LoopControl::ignore(0, 1);
        }
    }

    private function closeIdle(): void
    {
        LoopControl::ignore(0, -1);
        $this->idleTimer = false;
        for ($left = $this->pool?->length() ?? 0; $left > 0; $left--) {
            $connection = $this->pool?->pop();
            $idle = $this->idleTime($connection);
            if ($idle < $this->idleLimit) {
                $this->pool?->push($connection);
            } else {
                $this->vacate();
            }
        }
        $this->watchIdle();
    }

    private function stopTimer(): void
    {
        if ($this->idleTimer !== false && Timer::clear($this->idleTimer)) {
            LoopControl::ignore(0, -1);
        }
        $this->idleTimer = false;
    }
}
