--TEST--
start() of a server whose constructor was not called, or has failed
--FILE--
<?php
class Forgetful extends Swoole\Http\Server
{
    public function __construct()
    {
        $this->on('request', static fn () => 0);
    }
}

class Careless extends Swoole\Http\Server
{
    public function __construct()
    {
        try {
            parent::__construct('127.0.0.1', -1);
        } catch (Swoole\Exception) {
        }
    }
}

foreach ([new Forgetful(), new Careless(), (new ReflectionClass(Swoole\Server::class))->newInstanceWithoutConstructor()] as $server) {
    $server->on('start', static fn ($server) => $server->shutdown());
    try {
        var_dump($server->start());
    } catch (Swoole\Error $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
must call constructor first
must call constructor first
must call constructor first
