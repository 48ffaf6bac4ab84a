--TEST--
Stampede\WebRequest: header fields, input, output, session, settings and variables belong to one request
--FILE--
<?php
use Stampede\WebRequest;

$script = __DIR__ . '/main_script.inc';
file_put_contents($script, <<<'SCRIPT'
<?php
$visits = ($visits ?? 0) + 1;
header('X-One: 1');
http_response_code(201);
setcookie('name', 'value');
session_save_path(sys_get_temp_dir());
session_start();
$_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
var_dump(headers_sent());
echo 'input ', file_get_contents('php://input'), " visits {$visits} {$GLOBALS['visits']} {$_SESSION['visits']} precision ", ini_get('precision'), "\n";
ini_set('precision', '5');
date_default_timezone_set('UTC');
register_shutdown_function(function () { echo "end of the script\n"; });
return 7;
SCRIPT);
ini_set('serialize_precision', '10');
register_shutdown_function(function () { echo "end of the process\n"; });

function request(string $body, callable $more): string
{
    global $script;
    $told = '';
    $first = true;
    WebRequest::begin(['REQUEST_METHOD' => 'POST', 'REQUEST_URI' => '/x?y', 'QUERY_STRING' => 'y'], [], [], [], [], $body, function (string $data, bool $last) use (&$told, &$first) {
        if ($first) {
            $fields = preg_grep('/^(X-One|Set-Cookie: name|Content-type)/', headers_list());
            $told .= http_response_code() . ' ' . implode(' | ', $fields) . "\n";
        }
        $first = false;
        $told .= $data . ($last ? '[last]' : '[more]');
    });
    ob_start();
    var_dump(WebRequest::run($script));
    $more();
    WebRequest::end();
    return "{$told}\n";
}

Co\run(function () {
    echo request('one', fn () => 0);
    echo request('two', function () {
        ob_flush();
        flush();
        go(fn () => print("another coroutine\n"));
        Co::sleep(0.001);
        ini_set('serialize_precision', '3');
        echo 'later, ';
        ob_start();
        echo "in a buffer that stays open\n";
    });
});
echo request('three', fn () => print(strlen(str_repeat('-', 65536)) . "\n"));

var_dump(isset($GLOBALS['visits']), headers_list(), ini_get('precision'), ini_get('serialize_precision'), session_status() === PHP_SESSION_NONE);
try {
    WebRequest::end();
} catch (Swoole\Exception $exception) {
    echo $exception->getMessage(), "\n";
}
WebRequest::begin([], [], [], [], [], '', fn () => 0);
try {
    WebRequest::begin([], [], [], [], [], '', fn () => 0);
} catch (Swoole\Exception $exception) {
    $refused = $exception->getMessage();
}
register_shutdown_function(fn () => throw new Exception('thrown at the end'));
try {
    WebRequest::end();
} catch (Exception $exception) {
    echo $refused, ', ', $exception->getMessage(), "\n";
}
unlink($script);
?>
--EXPECT--
201 X-One: 1 | Set-Cookie: name=value | Content-type: text/html; charset=UTF-8
bool(false)
input one visits 1 1 1 precision 14
int(7)
end of the script
[last]
another coroutine
201 X-One: 1 | Set-Cookie: name=value | Content-type: text/html; charset=UTF-8
bool(false)
input two visits 1 1 1 precision 14
int(7)
[more]later, in a buffer that stays open
end of the script
[last]
201 X-One: 1 | Set-Cookie: name=value | Content-type: text/html; charset=UTF-8
bool(false)
input three visits 1 1 1 precision 14
int(7)
65536
end of the script
[last]
bool(false)
array(0) {
}
string(2) "14"
string(2) "10"
bool(true)
no request is under way: call Stampede\WebRequest::begin() first
a request is under way already in this coroutine, thrown at the end
end of the process
