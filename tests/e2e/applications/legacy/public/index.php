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
    case '/pattern':
        $isExecutable = static fn (): int => preg_match_all('/^\w+-\w+ ..x. 0+ 00:00 0\s*$/m', (string) file_get_contents('/proc/self/maps'));
        $before = $isExecutable();
        for ($i = 0; $i < 20; $i++) {
            preg_match("/^(?:some|patterns|of|the|request){{$i}}[a-z]+$/", 'text');
        }
        exit(json_encode([$before, $isExecutable()]));
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
    case '/pid':
        exit((string) getmypid());
    case '/background':
        exec('sleep 4 >/dev/null 2>&1 &');
        echo 'started';
        exit;
    case '/everything':
        // What it finds, which must be the same each time, and what it leaves behind.
        $found = [
            ini_get('precision'), getcwd(), getenv('LEFT'), defined('LEFT'), umask(), setlocale(LC_ALL, '0'), date_default_timezone_get(), pcntl_signal_get_handler(SIGUSR2),
            count(scandir('/proc/self/fd') ?: []) < 25, count(get_included_files()), set_error_handler(null), error_get_last(), count(get_declared_classes()), memory_get_usage() < 1_000_000, gc_enabled(),
            mb_internal_encoding(), spl_object_id(new stdClass()), ob_get_level(), function_exists('left'), stream_get_filters(), pcntl_alarm(0),
        ];
        ini_set('precision', '3');
        chdir('/');
        putenv('LEFT=1');
        define('LEFT', str_repeat('left', 100_000));
        umask(0177);
        setlocale(LC_ALL, 'C.UTF-8');
        date_default_timezone_set('Asia/Tokyo');
        pcntl_signal(SIGUSR2, SIG_IGN);
        $GLOBALS['kept'] = [tmpfile(), fopen('/dev/null', 'w'), stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0), str_repeat('x', 5_000_000), array_fill(0, 200_000, new stdClass())];
        file_put_contents(__DIR__ . '/../left.php', '<?php function left() {} final class Left {}');
        require __DIR__ . '/../left.php';
        set_error_handler(static fn (): bool => true);
        gc_disable();
        mb_internal_encoding('ISO-8859-1');
        preg_match('/(a+)+b/', 'aaaaab');
        pcntl_alarm(2);
        register_shutdown_function(static function (): void {
            file_put_contents(__DIR__ . '/../ends', 'shutdown ', FILE_APPEND);
        });
        final class AtTheEnd
        {
            public function __destruct()
            {
                file_put_contents(__DIR__ . '/../ends', 'destructor ', FILE_APPEND);
            }
        }
        $GLOBALS['end'] = new AtTheEnd();
        $GLOBALS['end']->itself = $GLOBALS['end'];
        exit(json_encode([$found, mt_rand(), lcg_value(), bin2hex(random_bytes(8)), bin2hex((string) openssl_random_pseudo_bytes(8)), getmypid()]));
    case '/detach':
        exit((string) posix_setsid());
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
