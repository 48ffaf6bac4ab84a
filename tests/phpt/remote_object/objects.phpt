--TEST--
Remote objects: calls, properties, array access, iteration, counting, exceptions; what can and cannot be sent
--FILE--
<?php
require __DIR__ . '/client.inc';

Swoole\Coroutine\run(static function (): void {
    $client = remote_client();
    var_dump($client->ping(), $client === Swoole\RemoteObject\Client::getInstance($client->getId()));

    $shelf = $client->create('Shelf');
    var_dump($shelf instanceof Swoole\RemoteObject, $shelf->pid() !== getmypid(), $shelf->pid() === $client->call('getmypid'));
    $shelf->label = 'three';
    var_dump($shelf->label, "$shelf", $shelf(1, 2, 3), count($shelf));
    $shelf['a'] = "\0\xff";
    $shelf[] = [1.5, null, ['deep' => true]];
    var_dump(isset($shelf['a']), isset($shelf['b']), $shelf['a'] === "\0\xff", count($shelf));
    foreach ($shelf as $key => $value) {
        echo $key, ' => ', json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
    }
    unset($shelf['a']);
    echo implode(',', array_keys(iterator_to_array($shelf))), "\n";

    // Objects come back as remote objects, and go there as what they stand for.
    $same = $shelf->itself();
    var_dump($same instanceof Swoole\RemoteObject, $shelf->same($same), $shelf->echo(['x' => [$same]])['x'][0]->label);
    $shelf->owner = $same;
    var_dump($shelf->owner->label);
    $closure = $client->call('Closure::fromCallable', 'strtoupper');
    var_dump($closure('done'));
    $list = $client->create('ArrayIterator', [10, 20]);
    var_dump(iterator_to_array($list));

    echo thrown(static fn () => $shelf->fail()), "\n";
    echo thrown(static fn () => $shelf->missing()), "\n";
    echo thrown(static fn () => $client->create('NoSuchClass')), "\n";
    echo thrown(static fn () => $client->call('no_such_function')), "\n";
    echo thrown(static fn () => $shelf->echo(new DateTime())), "\n";
    echo thrown(static fn () => $shelf->echo(STDIN)), "\n";
    echo thrown(static fn () => $shelf->file()), "\n";
    echo thrown(static fn () => count($closure)), "\n";
    echo thrown(static fn () => unserialize(serialize($shelf))->pid()), "\n";
    $endless = [];
    $endless[0] = &$endless;
    echo thrown(static fn () => $shelf->echo($endless)), "\n";
    $endless[0] = $shelf->owner = null;  // cycles that no collection would come to
    echo $shelf->label, "\n";
});
echo thrown(static fn () => swoole_get_default_remote_object_client()->call('getmypid')), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
string(5) "three"
string(11) "shelf three"
int(6)
int(0)
bool(true)
bool(false)
bool(true)
int(2)
a => null
0 => [1.5,null,{"deep":true}]
0
bool(true)
bool(true)
string(5) "three"
string(5) "three"
string(4) "DONE"
array(2) {
  [0]=>
  int(10)
  [1]=>
  int(20)
}
Swoole\RemoteObject\Exception: no such book (42)
Swoole\RemoteObject\Exception: Call to undefined method Shelf::missing() (0)
Swoole\RemoteObject\Exception: The server of remote objects has no class NoSuchClass: the option bootstrap names a file that it loads. (0)
Swoole\RemoteObject\Exception: The server of remote objects has no function no_such_function(): the option bootstrap names a file that it loads. (0)
Swoole\RemoteObject\Exception: An object of the class DateTime cannot be sent to the server of remote objects: make it there with create(). (0)
Swoole\RemoteObject\Exception: A resource cannot leave its process: let an object that is hosted keep it. (0)
Swoole\RemoteObject\Exception: A resource cannot leave its process: let an object that is hosted keep it. (0)
Swoole\RemoteObject\Exception: count(): Argument #1 ($value) must be of type Countable|array, Closure given (0)
Swoole\RemoteObject\Exception: This remote object was not received from its server: use the one that create() or a call has given. (0)
Swoole\RemoteObject\Exception: An array of more than 64 levels cannot be sent. (0)
three
Swoole\RemoteObject\Exception: Calls of remote objects wait in coroutines: make them in Swoole\Coroutine\run() or go(). (0)
