--TEST--
error_reporting() and its ini entry are a coroutine's own, also where several set it back
--FILE--
<?php
error_reporting(30719); // E_ALL of PHP 8.4
Co\run(function () {
    $quiet = function (float $seconds) {
        $before = ini_set('error_reporting', '0');
        Co::sleep($seconds);
        echo json_encode([error_reporting(), ini_get('error_reporting'), ini_get_all('core')['error_reporting']['local_value']]), "\n";
        ini_set('error_reporting', $before);
        echo json_encode([error_reporting(), ini_get('error_reporting')]), "\n";
    };
    go($quiet, 0.01);
    go($quiet, 0.02);
    echo json_encode([error_reporting(), ini_get('error_reporting')]), "\n";
    error_reporting(E_ERROR);
    go(function () { echo json_encode([error_reporting(), ini_get('error_reporting')]), "\n"; });
    @go(function () { echo json_encode([error_reporting(), @ini_get('error_reporting')]), "\n"; ini_restore('error_reporting'); });
    Co::sleep(0.03);
    echo json_encode([error_reporting(), ini_get('error_reporting')]), "\n";
});
echo json_encode([error_reporting(), ini_get('error_reporting')]), "\n";
?>
--EXPECT--
[30719,"30719"]
[1,"1"]
[1,"1"]
[0,"0","0"]
[30719,"30719"]
[0,"0","0"]
[30719,"30719"]
[1,"1"]
[30719,"30719"]
