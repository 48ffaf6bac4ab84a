--TEST--
Runtime: negative times are refused in coroutines as outside of them
--EXTENSIONS--
sockets
--FILE--
<?php
$refused = static function (): array {
    $socket = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
    $answers = [];
    foreach ([[-1, 0], [0, -1], [-1, -1], [0, 0]] as [$seconds, $microseconds]) {
        $read = [$socket];
        $none = null;
        error_clear_last();
        $answers[] = [@socket_select($read, $none, $none, $seconds, $microseconds), error_get_last()['message'] ?? ''];
    }
    return $answers;
};
$outside = $refused();
Swoole\Runtime::enableCoroutine(SWOOLE_HOOK_ALL);
Swoole\Coroutine\run(static fn () => var_dump($refused() === $outside));
echo json_encode($outside), "\n";
?>
--EXPECT--
bool(true)
[[false,"socket_select(): Unable to select [22]: Invalid argument"],[false,"socket_select(): Unable to select [22]: Invalid argument"],[false,"socket_select(): Unable to select [22]: Invalid argument"],[0,""]]
