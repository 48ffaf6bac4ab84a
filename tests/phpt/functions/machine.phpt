--TEST--
swoole_cpu_num(), swoole_get_local_ip(), swoole_get_local_mac(), swoole_set_process_name()
--FILE--
<?php
var_dump(swoole_cpu_num() === (int) shell_exec('getconf _NPROCESSORS_ONLN'));
var_dump(swoole_container_cpu_num() >= 1 && swoole_container_cpu_num() <= swoole_cpu_num());
foreach (swoole_get_local_ip() as $interface => $address) {
    if (!is_string($interface) || !filter_var($address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) || $address === '127.0.0.1') {
        echo "unexpected: $interface $address\n";
    }
}
foreach (swoole_get_local_mac() as $interface => $address) {
    if (!preg_match('/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/', $address)) {
        echo "unexpected: $interface $address\n";
    }
}
try {
    swoole_get_local_ip(99);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(swoole_set_process_name('stampede phpt title'));
var_dump(str_contains(file_get_contents('/proc/self/cmdline'), 'stampede phpt title'));
?>
--EXPECT--
bool(true)
bool(true)
swoole_get_local_ip(): Argument #1 ($family) must be AF_INET or AF_INET6
bool(true)
bool(true)
