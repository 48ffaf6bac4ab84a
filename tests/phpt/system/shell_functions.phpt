--TEST--
swoole_exec() and swoole_shell_exec() do what PHP's own do
--FILE--
<?php
Co\run(function () {
    foreach (['echo a; echo "b  "', 'printf x', 'true', 'echo no; exit 3', "printf 'a\\n\\nb'", "printf '\\n'"] as $command) {
        $mine = $theirs = ['before'];
        $code = $status = null;
        $last = swoole_exec($command, $mine, $code);
        if ([$last, $mine, $code] !== [exec($command, $theirs, $status), $theirs, $status]) {
            echo "$command: ";
            var_dump($last, $mine, $code);
        }
        if (swoole_shell_exec($command) !== shell_exec($command)) {
            echo "shell_exec: $command\n";
        }
    }
    go(function () {
        swoole_shell_exec('sleep 0.05');
        echo "second\n";
    });
    echo "first\n";
    var_dump(swoole_exec('echo alone'));
});
?>
--EXPECT--
first
string(5) "alone"
second
