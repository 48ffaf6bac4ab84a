<?php

declare(strict_types=1);

/* Runs in php-fpm: says what it was asked, or does what `do` wants. */

switch ($_GET['do'] ?? '') {
    case 'headers':
        http_response_code(418);
        header('X-Own: value');
        setcookie('one', '1');
        setcookie('two', '2');
        break;
    case 'big':
        echo str_repeat('0123456789', 300_000);
        return;
    case 'fails':
        error_log('reported');
        exit(1);
    case 'sleep':
        sleep(2);
        break;
    default:
        header('Content-Type: application/json');
}
echo json_encode([
    'method' => $_SERVER['REQUEST_METHOD'], 'uri' => $_SERVER['REQUEST_URI'], 'script' => $_SERVER['SCRIPT_NAME'], 'info' => $_SERVER['PATH_INFO'] ?? '',
    'get' => $_GET, 'post' => $_POST, 'cookie' => $_COOKIE, 'body' => md5((string) file_get_contents('php://input')),
    'header' => $_SERVER['HTTP_X_TEST'] ?? '', 'proxy' => $_SERVER['HTTP_PROXY'] ?? '', 'https' => $_SERVER['HTTPS'] ?? '',
    'files' => array_map(static fn (array $file): string => $file['name'] . ' ' . md5_file($file['tmp_name']), $_FILES),
], JSON_UNESCAPED_SLASHES);
