--TEST--
Stampede\WebRequest: requests of many coroutines at once each keep what PHP's functions know of a request
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

// Where PHP has mbstring.
function encoding(string ...$new): mixed
{
    return function_exists('mb_internal_encoding') ? mb_internal_encoding(...$new) : '';
}

$root = sys_get_temp_dir() . '/web_request_' . getmypid();
mkdir($root);
$script = "{$root}/script.php";
file_put_contents($script, <<<'SCRIPT'
<?php
$own = $_GET['id'];
session_save_path($GLOBALS['root']);
session_id("session{$own}");
session_start();
$_SESSION['id'] = $own;
header("X-Id: {$own}");
setcookie('id', $own);
http_response_code(200 + $own);
ini_set('precision', $own + 1);
date_default_timezone_set(timezone_identifiers_list()[$own]);
mkdir("{$root}/{$own}");
chdir("{$root}/{$own}");
umask((int) $own);
encoding($own % 2 ? 'ISO-8859-1' : 'ASCII');
setlocale(LC_ALL, $own % 2 ? 'C.UTF-8' : 'C');
register_shutdown_function(static function () use ($own): void {
    Swoole\Coroutine::sleep(0.001);
    echo "end {$own} {$_GET['id']} {$GLOBALS['own']}";
});
@trigger_error("error {$own}");
$begin = file_get_contents('php://input', length: 3);
for ($step = 0; $step < 5; $step++) {
    Swoole\Coroutine::sleep(random_int(1, 3) / 1000);
    $found = [$own, $_GET['id'], $_POST['id'], $_COOKIE['id'], $_FILES['id'], $_REQUEST['id'], $_SERVER['ID'], $_SESSION['id'], substr(session_id(), 7),
        substr(current(preg_grep('/^X-Id/', headers_list())), 6), (string) (http_response_code() - 200), (string) (ini_get('precision') - 1),
        (string) array_search(date_default_timezone_get(), timezone_identifiers_list()), basename(getcwd()), (string) umask(),
        substr(error_get_last()['message'], 6), $GLOBALS['own']];
    $same = [in_array(encoding(), ['', $own % 2 ? 'ISO-8859-1' : 'ASCII'], true), setlocale(LC_ALL, '0') === ($own % 2 ? 'C.UTF-8' : 'C'), $step < 5, $shared === 'boot'];
    if (array_unique($found) !== [$own] || in_array(false, $same, true)) {
        $wrong[] = json_encode([$own, $found, $same]);
    }
}
// A coroutine that is created in a request sees it.
$child = null;
Swoole\Coroutine::join([go(static function () use (&$child): void {
    Swoole\Coroutine::sleep(0.001);
    $child = $_GET['id'];
})]);
echo implode(', ', $wrong ?? []), $child === $own ? '' : "child {$child}", $begin . file_get_contents('php://input', offset: 3) === "body {$own}" ? '' : 'input', 'printed ';
$shared = 'changed';
SCRIPT);
$shared = 'boot';
$before = [getcwd(), umask(), date_default_timezone_get(), setlocale(LC_ALL, '0'), encoding(), ini_get('precision')];

Coroutine\run(static function () use ($script): void {
    $wrong = [];
    for ($id = 1; $id <= 99; $id++) {
        go(static function () use ($id, $script, &$wrong): void {
            $id = (string) $id;
            $one = ['id' => $id];
            $told = '';
            WebRequest::begin(['ID' => $id], $one, $one, $one, $one, "body {$id}", static function (string $data, bool $last) use (&$told): void {
                $told .= $data;
            });
            ob_start();
            Coroutine::sleep(0.001);
            WebRequest::run($script);
            WebRequest::end();
            $wrong[] = $told === "printed end {$id} {$id} {$id}" ? '' : $told;
            $wrong[] = isset($_GET['id']) ? 'after the end' : '';
        });
    }
    while (count($wrong) < 198) {
        Coroutine::sleep(0.001);
    }
    var_dump(array_values(array_filter($wrong)));
});
$after = [getcwd(), umask(), date_default_timezone_get(), setlocale(LC_ALL, '0'), encoding(), ini_get('precision')];
var_dump(isset($own) || isset($_SESSION), $after === $before, $shared, error_get_last(), headers_list());
for ($id = 1, $kept = 0; $id <= 99; $id++) {
    $kept += (int) (file_get_contents("{$root}/sess_session{$id}") === 'id|s:' . strlen($id) . ":\"{$id}\";");
    unlink("{$root}/sess_session{$id}");
    rmdir("{$root}/{$id}");
}
var_dump($kept);
unlink($script);
rmdir($root);
?>
--EXPECT--
array(0) {
}
bool(false)
bool(true)
string(4) "boot"
NULL
array(0) {
}
int(99)
