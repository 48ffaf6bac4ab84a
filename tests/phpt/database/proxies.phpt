--TEST--
Database: object proxies, configurations, lost connections by their messages
--FILE--
<?php
use Swoole\Database\DetectsLostConnections;
use Swoole\Database\MysqliConfig;
use Swoole\Database\PDOConfig;
use Swoole\Database\RedisConfig;
use Swoole\ObjectProxy;

class Thing
{
    public $name = 'thing';

    public function add(int $a, int $b = 1)
    {
        return $a + $b;
    }

    public function __invoke(...$arguments)
    {
        return count($arguments);
    }
}
$proxy = new ObjectProxy(new Thing());
var_dump($proxy->name, isset($proxy->name), isset($proxy->none), $proxy->add(2), $proxy->add(a: 2, b: 3), $proxy(1, 2), $proxy->__getObject() instanceof Thing);
$proxy->name = 'other';
unset($proxy->name);
var_dump(isset($proxy->name), isset($proxy->__getObject()->name));
try {
    (new ObjectProxy(new stdClass()))();
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
try {
    clone new Swoole\Database\ObjectProxy(new stdClass());
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

$pdo = new PDOConfig();
var_dump($pdo->getDriver(), $pdo->getHost(), $pdo->getPort(), $pdo->hasUnixSocket(), $pdo->getCharset(), PDOConfig::getAvailableDrivers() === [PDOConfig::DRIVER_MYSQL]);
var_dump($pdo->withDriver('pgsql')->withHost('h')->withPort(1)->withUnixSocket('/s')->withDbname('d')->withCharset('c')->withUsername('u')->withPassword('p')->withOptions([1]) === $pdo);
echo json_encode([$pdo->getDriver(), $pdo->getHost(), $pdo->getPort(), $pdo->getUnixSocket(), $pdo->hasUnixSocket(), $pdo->getDbname(), $pdo->getCharset(), $pdo->getUsername(), $pdo->getPassword(), $pdo->getOptions()]), "\n";
$redis = (new RedisConfig())->withAuth(['u', 'p'])->withOption(1, 2)->withReadTimeout(1.5)->withDbIndex(3);
echo json_encode([$redis->getHost(), $redis->getPort(), $redis->getAuth(), $redis->getOptions(), $redis->getReadTimeout(), $redis->getDbIndex(), $redis->setOptions([])->getOptions(), (new MysqliConfig())->getUnixSocket()]), "\n";

foreach (['MySQL server has gone away', 'SSL connection has been closed unexpectedly', 'Syntax error', ''] as $message) {
    var_dump(DetectsLostConnections::causedByLostConnection(new Exception("SQLSTATE[HY000]: $message")));
}
?>
--EXPECT--
string(5) "thing"
bool(true)
bool(false)
int(3)
int(5)
int(2)
bool(true)
bool(false)
bool(false)
stdClass cannot be called as a function.
Database connections and statements cannot be cloned: take another one from the pool.
string(5) "mysql"
string(9) "127.0.0.1"
int(3306)
bool(false)
string(7) "utf8mb4"
bool(true)
bool(true)
["pgsql","h",1,"\/s",true,"d","c","u","p",[1]]
["127.0.0.1",6379,["u","p"],{"1":2},1.5,3,[],null]
bool(true)
bool(true)
bool(false)
bool(false)
