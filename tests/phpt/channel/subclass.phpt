--TEST--
Subclasses have own properties, and errCode can be written from outside
--FILE--
<?php

class Mine extends Swoole\Coroutine\Channel {
    protected bool $closed = false;
    public $extra = 'x';
    function close(): bool { $this->closed = true; return parent::close(); }
    function isClosed() { return $this->closed; }
}
Co\run(function () {
    $m = new Mine(3);
    var_dump($m->capacity, $m->extra, $m->isClosed());
    $m->errCode = -5;
    $m->push(1);
    var_dump($m->errCode);
    $m->errCode = 'text';
    $m->push(2);
    var_dump($m->errCode);
    $m->dynamic = 1;
    $m->close();
    var_dump($m->isClosed(), $m->pop(), $m->pop(), $m->pop());
    class NoParent extends Swoole\Coroutine\Channel { function __construct() {} }
    try { (new NoParent)->push(1); } catch (Swoole\Error $e) { echo $e->getMessage(), "\n"; }
    try { clone $m; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { serialize($m); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
    var_dump((new Chan(0))->capacity, (new Chan(-4))->capacity);
});
--EXPECTF--
int(3)
string(1) "x"
bool(false)
int(0)
int(0)

Deprecated: Creation of dynamic property Mine::$dynamic is deprecated in %ssubclass.php on line 18
bool(true)
int(1)
int(2)
bool(false)
must call constructor first
Trying to clone an uncloneable object of class Mine
Serialization of 'Mine' is not allowed
int(1)
int(1)
