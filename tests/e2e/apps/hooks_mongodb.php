<?php

declare(strict_types=1);

/* The checks of hooks_mongodb_test.php: the extension mongodb in coroutines. */

use MongoDB\Driver\Command;
use MongoDB\Driver\Manager;
use MongoDB\Driver\Query;
use Swoole\Coroutine;

$address = "mongodb://127.0.0.1:$argv[1]/?serverSelectionTimeoutMS=3000";

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function say(Manager $manager, string $word, int $wait): string
{
    return $manager->executeCommand('db', new Command(['ping' => 1, 'comment' => "wait:$wait:$word "]))->toArray()[0]->word;
}

function find(Manager $manager, string $word, int $wait): string
{
    return $manager->executeQuery('a.b', new Query(['x' => "wait:$wait:$word "]))->toArray()[0]->word;
}

function killed(Manager $manager): int
{
    return $manager->executeCommand('db', new Command(['killed' => 1]))->toArray()[0]->killed;
}

/** What the calls return or throw, made at once, and the seconds that they take together. */
function meanwhile(callable ...$calls): array
{
    $results = [];
    $start = microtime(true);
    $all = new Coroutine\WaitGroup();
    foreach ($calls as $i => $call) {
        $all->add();
        Coroutine::create(static function () use ($i, $call, &$results, $all): void {
            try {
                $results[$i] = $call();
            } catch (Throwable $error) {
                $results[$i] = $error::class . ': ' . $error->getMessage();
            }
            $all->done();
        });
    }
    $all->wait();
    ksort($results);
    return [$results, microtime(true) - $start];
}

$own = static fn (): Manager => new Manager($address, [], ['disableClientPersistence' => true]);
$words = static fn (int $count): array => array_map(static fn (int $i): string => "word$i", range(0, $count - 1));

check('outside of coroutines', ['one', 'two'], [say(new Manager($address), 'one', 0), find(new Manager($address), 'two', 0)]);

Coroutine\run(static function () use ($address, $own, $words): void {
    [$said, $took] = meanwhile(...array_map(static fn (string $word): callable => static function () use ($own, $word): string {
        $manager = $own();
        return say($manager, $word, 200) === $word ? find($manager, $word, 200) : 'mixed up';
    }, $words(50)));
    check('clients of their own: each its response', $words(50), $said);
    check('clients of their own: they overlap', true, $took < 5 ?: $took);

    // Managers of one address share a client: its calls take turns, and whatever else there is goes on.
    $ticks = 0;
    $ticker = Swoole\Timer::tick(10, static function () use (&$ticks): void {
        $ticks++;
    });
    $shared = new Manager($address);
    [$said, $took] = meanwhile(...array_map(static fn (string $word): callable => static function () use ($shared, $address, $word): string {
        $manager = random_int(0, 1) === 0 ? $shared : new Manager($address);
        return say($manager, $word, 30) === $word ? find($manager, $word, 30) : 'mixed up';
    }, $words(20)));
    Swoole\Timer::clear($ticker);
    check('one client: each its response', $words(20), $said);
    check('one client: one after the other, in coroutines', [true, true], [$took > 1.1, $ticks > 50]);

    // What came from a client of its own is that client's, and holds no other one up.
    [, $took] = meanwhile(static fn (): string => find($shared, 'slow', 1000), static function () use ($own): array {
        $server = $own()->selectServer();
        return [$server->executeCommand('db', new Command(['ping' => 1, 'comment' => 'wait:400:x ']))->toArray(), $server->executeCommand('db', new Command(['ping' => 1, 'comment' => 'wait:400:x ']))->toArray()];
    });
    check('servers of other clients do not wait', true, $took < 1.5 ?: $took);

    // Cursors: the next batch is a call, and so is the end, wherever it comes.
    foreach ([$shared, $own()] as $manager) {
        $before = killed($manager);
        [$results, $took] = meanwhile(
            static fn (): string => say($manager, 'said', 300),
            static function () use ($manager): array {
                $seen = [];
                foreach ($manager->executeQuery('a.b', new Query(['x' => 'wait:1:open '])) as $row) {
                    $seen[] = ((array) $row)['word'];
                    if (count($seen) === 3) {
                        break;
                    }
                }
                return $seen;
            },
            static fn (): string => find($manager, 'found', 100),
        );
        check('cursors', ['said', ['open', 'more', 'more'], 'found'], $results);
        check('cursors: one that is not read to its end is killed', $before + 1, killed($manager));
        $cursor = $manager->executeQuery('a.b', new Query(['x' => 'wait:1:open ']));
        [$results] = meanwhile(
            static fn (): string => say($manager, 'said', 300),
            static function () use (&$cursor): string {
                $cursor = null;
                return 'freed';
            },
        );
        check('cursors: freed while another coroutine waits', [['said', 'freed'], $before + 2], [$results, killed($manager)]);
    }

    // One that is cancelled before its turn has done nothing; one that is cancelled in its call leaves its client, and no response reaches another one.
    [$results, $took] = meanwhile(
        static fn (): string => say($shared, 'first', 400),
        static function () use ($shared): string {
            $waiting = Coroutine::getCid();
            Swoole\Timer::after(100, static fn () => Coroutine::cancel($waiting));
            return say($shared, 'second', 0);
        },
        static fn (): string => say($shared, 'third', 0),
    );
    check('cancelled before its turn', ['first', true, 'third'], [$results[0], str_starts_with($results[1], 'Swoole\Error: The client of MongoDB has already been bound to another coroutine#'), $results[2]]);
    $manager = $own();
    say($manager, 'connected', 0);
    [$results, $took] = meanwhile(static function () use ($manager): string {
        $waiting = Coroutine::getCid();
        Swoole\Timer::after(100, static fn () => Coroutine::cancel($waiting));
        return say($manager, 'late', 600);
    });
    check('cancelled in its call', [true, true], [str_contains($results[0], 'MongoDB\Driver\Exception\\'), $took < 0.5]);
    check('cancelled in its call: the client goes on', 'next', say($manager, 'next', 0));

    [$results] = meanwhile(static function (): bool {
        $gone = new Manager('mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300', [], ['disableClientPersistence' => true]);
        try {
            say($gone, 'x', 0);
        } catch (MongoDB\Driver\Exception\ConnectionTimeoutException) {
            return true;
        }
        return false;
    }, static fn (): string => say($own(), 'there', 100));
    check('a server that is not there', [true, 'there'], $results);

    // Selected by its own flag as well, and without any it blocks.
    foreach ([constant('SWOOLE_HOOK_MONGODB') => true, SWOOLE_HOOK_FILE => false] as $flags => $waits) {
        Swoole\Runtime::setHookFlags($flags);
        [, $took] = meanwhile(...array_fill(0, 5, static fn (): string => say($own(), 'x', 100)));
        check("with the flags $flags", $waits, $took < 0.4);
    }
});
echo json_encode(['name' => 'the program ends', 'expected' => true, 'actual' => true]), "\n";
