--TEST--
Runtime: a class whose loader looks at many files is loaded once, whichever coroutines ask for it at once
--FILE--
<?php
$folder = __DIR__ . '/loading-' . getmypid();
mkdir($folder);
file_put_contents("$folder/Shape.php", '<?php interface Shape {}');
file_put_contents("$folder/Square.php", '<?php class Square implements Shape {}');
file_put_contents("$folder/Circle.php", '<?php class Circle implements Shape {}');
spl_autoload_register(static function (string $class) use ($folder): void {
    for ($i = 0; $i < 5000; $i++) { // some milliseconds
        clearstatcache();
        file_exists("$folder/no$i.php");
    }
    $class === 'Circle' ? require "$folder/$class.php" : require_once "$folder/$class.php";
});
Swoole\Coroutine\run(static function (): void {
    foreach (['Square', 'Circle'] as $class) {
        $made = 0;
        $users = [];
        for ($i = 0; $i < 5; $i++) {
            $users[] = go(static function () use ($class, &$made): void {
                for ($until = hrtime(true) + 2_000_000; hrtime(true) < $until;); // its turn has lasted
                $made += new $class() instanceof Shape ? 1 : 0;
            });
        }
        Swoole\Coroutine::join($users);
        echo "$class: $made\n";
    }
});
?>
--CLEAN--
<?php
foreach (glob(__DIR__ . '/loading-*') as $folder) {
    array_map(unlink(...), glob("$folder/*"));
    rmdir($folder);
}
?>
--EXPECT--
Square: 5
Circle: 5
