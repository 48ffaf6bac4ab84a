--TEST--
An observer is told of calls, may change their arguments, and does not observe itself
--EXTENSIONS--
pdo
pdo_sqlite
--FILE--
<?php
use Swoole\Coroutine;
use function Stampede\observe_calls;

class Own extends PDO {}

$log = [];
$begin = function (string $function, ?object $object, array $arguments) use (&$log): ?array {
    (new PDO('sqlite::memory:'))->query('SELECT 1'); // not observed
    if (($arguments[0] ?? '') === 'SELECT 0') {
        return null;
    }
    $log[] = "begin {$function} " . ($object === null ? '-' : $object::class) . ' ' . json_encode($arguments);
    return [count($log), ($arguments[0] ?? '') === 'SELECT 3' ? ['SELECT 4'] : null];
};
$end = function (mixed $token, mixed $result, ?Throwable $thrown) use (&$log): void {
    $log[] = "end {$token} " . get_debug_type($result) . ' ' . ($thrown === null ? '-' : $thrown::class);
};

function work(): string
{
    $seen = '';
    $pdo = new Own('sqlite::memory:');
    $pdo->query('SELECT 0');
    $seen .= $pdo->query('SELECT 3')->fetchColumn();
    $statement = $pdo->prepare('SELECT ?');
    $statement->execute([1]);
    try {
        $pdo->query('SELECT nothing');
    } catch (PDOException $failure) {
        $seen .= ' ' . $failure::class;
    }
    @file_get_contents(__FILE__);
    return "{$seen}\n";
}

observe_calls($begin, $end);
echo work();
echo implode("\n", $log), "\n";
$log = [];
Coroutine\run(function (): void {
    for ($i = 0; $i < 3; $i++) {
        Coroutine::create(static function (): void { echo work(); });
    }
});
echo count($log), "\n";
observe_calls(null);
$log = [];
echo work();
echo count($log), "\n";
// What it throws itself is thrown, and what waits in a coroutine that ends has no end.
observe_calls(fn () => throw new LogicException('observer'), $end);
try {
    new PDO('sqlite::memory:');
} catch (LogicException $failure) {
    echo $failure->getMessage(), "\n";
}
?>
--EXPECT--
4 PDOException
begin PDO::__construct Own ["sqlite::memory:"]
end 1 null -
begin PDO::query Own ["SELECT 3"]
end 3 PDOStatement -
begin PDO::prepare Own ["SELECT ?"]
end 5 PDOStatement -
begin PDOStatement::execute PDOStatement [[1]]
end 7 bool -
begin PDO::query Own ["SELECT nothing"]
end 9 null PDOException
4 PDOException
4 PDOException
4 PDOException
30
3 PDOException
0
observer
