<?php

declare(strict_types=1);

/** Functions that tell a value when they are given nothing. */
const TELLING = [
    'error_reporting', 'mb_internal_encoding', 'mb_substitute_character', 'mb_regex_encoding', 'mb_detect_order', 'mb_http_output', 'mb_language', 'mb_regex_set_options',
    'spl_autoload_extensions', 'libxml_get_external_entity_loader', 'libxml_use_internal_errors', 'libxml_get_errors', 'getcwd', 'umask', 'date_default_timezone_get',
    'locale_get_default', 'ignore_user_abort', 'gc_enabled', 'get_include_path', 'stream_get_wrappers', 'stream_get_filters', 'error_get_last', 'json_last_error',
    'preg_last_error', 'session_name', 'session_cache_limiter', 'session_cache_expire', 'session_save_path', 'session_get_cookie_params', 'http_response_code',
    'headers_list', 'ob_get_level', 'pcntl_async_signals', 'getenv', 'connection_status', 'iconv_get_encoding',
];

/** Not what a request may set: they start sessions and compression in this one, or crash PHP itself when they are set late. */
function is_left_alone(string $name): bool
{
    return str_starts_with($name, 'opcache.jit') || str_starts_with($name, 'zlib.') || in_array($name, ['session.auto_start', 'session.upload_progress.enabled', 'session.save_handler'], true);
}

/** @return array<string, mixed> */
function present_values(): array
{
    $values = [];
    foreach ((array) ini_get_all(null, false) as $name => $value) {
        $values["setting $name"] = $value;
    }
    foreach (TELLING as $function) {
        $values["$function()"] = function_exists($function) ? $function() : null;
    }
    $values['setlocale()'] = setlocale(LC_ALL, '0');
    $values['textdomain()'] = function_exists('textdomain') ? textdomain(null) : null;
    foreach ([ASSERT_ACTIVE, ASSERT_BAIL, ASSERT_CALLBACK, ASSERT_WARNING, ASSERT_EXCEPTION] as $option) {
        $values["assert_options($option)"] = @assert_options($option);
    }
    $values['context'] = stream_context_get_options(stream_context_get_default());
    $values['strtok()'] = strtok('/');
    $values['formatting'] = [sprintf('%.1f', 1.5), date('e'), json_encode(0.1), serialize(0.1)];
    $values['handlers'] = [set_error_handler(null), set_exception_handler(null)];
    return $values;
}

function another(string $name, ?string $value): string
{
    $known = [
        'date.timezone' => 'Asia/Tokyo', 'default_charset' => 'ISO-8859-1', 'memory_limit' => '300M', 'error_reporting' => '1', 'precision' => '5', 'serialize_precision' => '6',
        'include_path' => '/usr:/tmp', 'mbstring.language' => 'Japanese', 'intl.default_locale' => 'de_DE', 'assert.callback' => 'strlen', 'unserialize_callback_func' => 'strlen',
        'mbstring.detect_order' => 'ASCII', 'error_log' => '/dev/null', 'session.name' => 'OTHER', 'session.cache_limiter' => 'public', 'arg_separator.output' => '|',
        'session.serialize_handler' => 'php_serialize', 'mbstring.substitute_character' => '65', 'open_basedir' => '',
    ];
    return match (true) {
        isset($known[$name]) => $known[$name],
        str_contains($name, 'encoding'), str_contains($name, 'http_output') => 'ISO-8859-1',
        $value === '1', $value === 'On' => '0',
        $value === '0', $value === '', $value === null => '1',
        is_numeric($value) => (string) ((int) $value + 1),
        default => $value,
    };
}

function change_settings(): void
{
    set_error_handler(static fn (): bool => true);  // some are deprecated
    set_exception_handler(static fn () => null);
    foreach ((array) ini_get_all() as $name => $setting) {
        if (($setting['access'] & INI_USER) !== 0 && !is_left_alone($name)) {
            ini_set($name, another($name, $setting['local_value']));
        }
    }
}

function call_functions(): void
{
    $calls = [
        'error_reporting' => [E_ERROR | E_PARSE], 'mb_internal_encoding' => ['ISO-8859-1'], 'mb_substitute_character' => [0x41], 'mb_regex_encoding' => ['SJIS'],
        'mb_detect_order' => [['ASCII']], 'mb_http_output' => ['ASCII'], 'mb_language' => ['English'], 'mb_regex_set_options' => ['x'], 'spl_autoload_extensions' => ['.x'],
        'libxml_set_external_entity_loader' => [static fn () => null], 'libxml_use_internal_errors' => [true], 'simplexml_load_string' => ['<a>'], 'chdir' => ['/usr'],
        'umask' => [0], 'date_default_timezone_set' => ['Asia/Tokyo'], 'locale_set_default' => ['fr_FR'], 'ignore_user_abort' => [ignore_user_abort() === 0], 'gc_disable' => [],
        'set_include_path' => ['/opt'], 'set_time_limit' => [55], 'setlocale' => [LC_ALL, 'C.UTF-8'], 'putenv' => ['PATH=/x'], 'textdomain' => ['other'],
        'stream_context_set_default' => [['http' => ['method' => 'POST']]], 'stream_wrapper_unregister' => ['glob'], 'stream_wrapper_register' => ['own', 'ArrayObject'],
        'stream_filter_register' => ['own', 'php_user_filter'], 'strtok' => ['a/b/c', '/'], 'json_decode' => ['{'], 'preg_match' => ['/(?:\D+|<\d+>)*[!?]/', 'foobar foobar foobar'],
        'hex2bin' => ['1'], 'pcntl_async_signals' => [true], 'session_name' => ['own'], 'iconv_set_encoding' => ['internal_encoding', 'ISO-8859-1'], 'header' => ['X: y'],
        'ob_implicit_flush' => [true], 'mt_srand' => [5], 'bcscale' => [7],
    ];
    foreach ($calls as $function => $arguments) {
        if (function_exists($function)) {
            $function(...$arguments);
        }
    }
    assert_options(ASSERT_CALLBACK, 'strrev');
    assert_options(ASSERT_EXCEPTION, 0);
    assert_options(ASSERT_BAIL, 1);
    ob_start();
}
