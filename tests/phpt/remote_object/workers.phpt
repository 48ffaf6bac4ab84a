--TEST--
Remote objects: blocking calls of two coroutines overlap, those of one coroutine share a worker; objects are freed with theirs
--FILE--
<?php
require __DIR__ . '/client.inc';
use Swoole\Coroutine;

Coroutine\run(static function (): void {
    $client = remote_client();
    [$one, $two] = [note_file(), note_file()];
    $met = $pids = [];
    Coroutine::join([
        go(static function () use ($client, $one, $two, &$met, &$pids): void {
            $shelf = $client->create('Shelf');
            $met[] = $shelf->meet($one, $two);
            $pids[] = $shelf->pid();
            var_dump($client->create('Shelf')->pid() === $shelf->pid());
        }),
        go(static function () use ($client, $one, $two, &$met, &$pids): void {
            $shelf = $client->create('Shelf');
            $met[] = $shelf->meet($two, $one);
            $pids[] = $shelf->pid();
        }),
    ]);
    var_dump($met, count(array_unique($pids)));
    @unlink($one);
    @unlink($two);

    // An object can be used by other coroutines: their calls wait for one another. It cannot go to another worker.
    $shelf = $client->create('Shelf');
    $labels = [];
    $others = [];
    foreach (range(1, 20) as $i) {
        $others[] = go(static function () use ($shelf, $i, &$labels): void {
            $labels[] = $shelf->echo($i);
        });
    }
    Coroutine::join($others);
    sort($labels);
    var_dump($labels === range(1, 20));
    $foreign = null;
    Coroutine::join([go(static function () use ($client, &$foreign): void {
        $foreign = $client->create('Shelf');
    })]);
    echo thrown(static fn () => $shelf->same($foreign)), "\n";
    unset($foreign);

    // Freed by unset(), by the end of a coroutine, with an iteration that held it, and with the client.
    $mark = note_file();
    $freed = static fn (int $times): bool => wait_until(static fn (): bool => is_file($mark) && count(file($mark)) >= $times) && count(file($mark)) === $times;
    $object = $client->create('Shelf', $mark);
    $again = $object->itself();
    unset($object);
    $again->pid();
    clearstatcache();
    var_dump(is_file($mark));
    unset($again);
    var_dump($freed(1));
    go(static function () use ($client, $mark): void {
        $shelf = $client->create('Shelf', $mark);
    });
    var_dump($freed(2));
    $shelf = $client->create('Shelf', $mark);
    $shelf[] = $client->create('Shelf', $mark);
    foreach ($shelf as $inner) {
        break;
    }
    unset($inner, $shelf);
    var_dump($freed(4));
    unlink($mark);
});
?>
--EXPECT--
bool(true)
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(true)
}
int(2)
bool(true)
Swoole\RemoteObject\Exception: The remote object is in another worker of the server than the one that is called: make both in the same coroutine. (0)
bool(false)
bool(true)
bool(true)
bool(true)
