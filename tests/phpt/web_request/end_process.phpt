--TEST--
Stampede\WebRequest::endProcessToo(): shutdown functions and destructors run, the exit status stays
--FILE--
<?php
final class Ending
{
    public function __destruct()
    {
        echo "destructor\n";
    }
}

$pid = pcntl_fork();
if ($pid === 0) {
    Stampede\WebRequest::endProcessToo();
    register_shutdown_function(static function (): void { echo "shutdown function\n"; });
    $object = new Ending();
    exit(7);
}
pcntl_waitpid($pid, $status);
echo pcntl_wexitstatus($status), "\n";
?>
--EXPECT--
shutdown function
destructor
7
