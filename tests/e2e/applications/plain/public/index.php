<?php

/* A front controller as it was written for other web servers: superglobals, header(), echo, sessions, exit. */

session_start();
$_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
header('X-Application: plain');
setcookie('seen', 'yes it is');
function_exists('used') || require __DIR__ . '/../functions.php';
$global = ($global ?? 0) + 1;
register_shutdown_function(fn () => print('|end'));

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/exit':
        http_response_code(404);
        echo 'not here';
        exit;
    case '/exit-text':
        exit('a text');
    case '/throw':
        echo 'a part';
        throw new RuntimeException('thrown on purpose');
    case '/fatal':
        ini_set('memory_limit', '32M');
        str_repeat('x', 1 << 30);
        exit;
    case '/slow':
        sleep(30);
        exit;
    case '/busy':
        for (;;) {
        }
    case '/stream':
        for ($i = 1; $i <= 3; $i++) {
            echo "part {$i}\n";
            ob_flush();
            flush();
        }
        exit;
    case '/settings':
        ini_set('precision', '3');
        setlocale(LC_ALL, 'C.UTF-8');
        date_default_timezone_set('Asia/Tokyo');
        chdir('/');
        umask(0);
        exit;
}
echo json_encode([
    'get' => $_GET, 'post' => $_POST, 'files' => array_keys($_FILES), 'cookie' => $_COOKIE['given'] ?? null, 'input' => file_get_contents('php://input'),
    'uri' => $_SERVER['REQUEST_URI'], 'script' => $_SERVER['SCRIPT_NAME'], 'visits' => $_SESSION['visits'], 'used' => used(), 'global' => $GLOBALS['global'],
    'moved' => isset($_FILES['file']) && move_uploaded_file($_FILES['file']['tmp_name'], __DIR__ . '/../uploaded'),
    'state' => [ini_get('precision'), setlocale(LC_ALL, '0'), date_default_timezone_get(), basename(getcwd()), umask()],
]);
