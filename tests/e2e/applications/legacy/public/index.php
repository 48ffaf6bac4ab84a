<?php

/* A front controller that can be run once only in a process: it declares functions and classes, and keeps what it counts in statics. */

function counted(): int
{
    static $calls = 0;
    return ++$calls;
}

final class Declared
{
    public static int $count = 0;
}

require_once __DIR__ . '/../config.php';
Declared::$count++;
header('Set-Cookie: first=1', false);
header('Set-Cookie: second=2', false);

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/exit':
        http_response_code(404);
        echo 'not here';
        exit;
    case '/fatal':
        ini_set('memory_limit', '32M');
        echo str_repeat('x', 1 << 30);
        exit;
    case '/declare':
        echo 'a part';
        require __DIR__ . '/index.php';
        exit;
    case '/kill':
        posix_kill(getmypid(), SIGKILL);
        exit;
    case '/cut':
        echo 'a part';
        ob_flush();
        flush();
        posix_kill(getmypid(), SIGKILL);
        exit;
    case '/wait':
        usleep(300_000);
        exit('waited');
    case '/slow':
        file_put_contents(__DIR__ . '/../slow', (string) getmypid());
        sleep(30);
        exit;
    case '/stream':
        for ($i = 1; $i <= 3; $i++) {
            echo "part {$i}\n";
            ob_flush();
            flush();
            while ($i === 1 && !is_file(__DIR__ . '/../seen')) {
                usleep(10_000);
                clearstatcache();
            }
        }
        exit;
    case '/large':
        for ($i = 0; $i < 20 << 20; $i += 1 << 16) {
            echo str_repeat(pack('N', $i), 1 << 14);
        }
        exit;
    case '/empty':
        http_response_code(204);
        exit;
    case '/background':
        exec('sleep 4 >/dev/null 2>&1 &');
        echo 'started';
        exit;
    case '/session':
        session_start();
        echo $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1;
        exit;
    case '/upload':
        $file = $_FILES['file'] ?? [];
        echo json_encode([$_POST, $file['size'] ?? 0, is_uploaded_file($file['tmp_name'] ?? ''), sha1((string) @file_get_contents($file['tmp_name'] ?? '')), $file['tmp_name'] ?? '']);
        if (isset($_GET['kill'])) {
            ob_flush();
            flush();
            posix_kill(getmypid(), SIGKILL);
        }
        exit;
    case '/input':
        echo sha1((string) file_get_contents('php://input'));
        exit;
}
echo json_encode([counted(), Declared::$count, $config['name'] ?? null, $_GET, $_POST, $_SERVER['REMOTE_ADDR'], getmypid()]);
