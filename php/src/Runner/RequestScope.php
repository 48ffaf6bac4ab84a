<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Closure;
use Stampede\WebRequest;
use Swoole\Http\Request;

/** What PHP's own functions know of a request, in the coroutine that handles it: superglobals, php://input, header(), sessions ... */
final class RequestScope
{
    /**
     * @param array<string, mixed> $variables of $_SERVER
     * @param (Closure(string, bool): (bool|void))|null $output gets what is printed, and returns false when the client has left; null: it goes to the output of the server
     */
    public static function begin(Request $request, array $variables, string $body, ?Closure $output = null): void
    {
        // PHP reads forms of no other method.
        [$post, $files] = $request->server['request_method'] === 'POST' ? [$request->post ?? [], $request->files ?? []] : [[], []];
        WebRequest::begin($variables, $request->get ?? [], $post, $request->cookie ?? [], $files, $body, $output);
        // The command line of PHP writes messages as plain text, which a browser would take for HTML with what the client has sent in it.
        if (!in_array(ini_get('display_errors'), ['', '0'], true) && filter_var(ini_get('display_errors'), FILTER_VALIDATE_BOOL)) {
            ini_set('html_errors', '1'); // until the request ends
        }
    }

    public static function status(): int
    {
        return is_int($status = http_response_code()) ? $status : 200;
    }

    /**
     * The head of a response that header() and http_response_code() have made: its status, the words after it (empty: the usual ones), and its
     * fields. As with FastCGI the field Status is none: it says the status, unless header() was given a whole first line.
     *
     * @return array{int, string, array<array-key, list<string>>}
     */
    public static function head(): array
    {
        $fields = self::fields();
        $status = self::status();
        $line = WebRequest::statusLine();
        $said = (string) strstr($line, ' ');
        foreach ($fields as $name => $values) {
            if (strcasecmp((string) $name, 'Status') === 0) {
                unset($fields[$name]);
                $said = $line === '' ? (string) end($values) : $said;
            }
        }
        if ($said === '' || preg_match('/^ *([1-9]\d\d)(?: +(.*))?$/', $said, $part) !== 1) {
            return [$status, '', $fields];
        }
        // Another status that was set after such a line counts.
        return $line === '' || (int) $part[1] === $status ? [(int) $part[1], $part[2] ?? '', $fields] : [$status, '', $fields];
    }

    /**
     * What the application has given to header() and setcookie(), and what its session sends.
     *
     * @return array<array-key, list<string>>
     */
    public static function fields(): array
    {
        $fields = $names = [];
        foreach (headers_list() as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $name = $names[strtolower($name)] ??= $name; // one field, however it is spelled the next time
            $fields[$name][] = ltrim($value);
        }
        return $fields;
    }

    /**
     * The fields of a response object with those of header() and setcookie(): the object's come first, only cookies are added to its own.
     *
     * @param array<array-key, array<string|null>> $fields
     * @return array<array-key, array<string|null>>
     */
    public static function withNative(array $fields): array
    {
        $native = self::fields();
        if ($native === []) {
            return $fields;
        }
        $names = [];
        foreach ($fields as $name => $_) {
            $names[strtolower((string) $name)] = $name;
        }
        foreach ($native as $name => $values) {
            $lower = strtolower((string) $name);
            if (!isset($names[$lower])) {
                $fields[$name] = $values;
            } elseif ($lower === 'set-cookie') {
                $fields[$names[$lower]] = [...array_values($fields[$names[$lower]]), ...$values];
            }
        }
        return $fields;
    }

    /** Before the response is sent: the client's next request may come as soon as the client has it, and must find the session. */
    public static function writeSession(): void
    {
        // PHP may be built without sessions.
        if (function_exists('session_status') && session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
    }
}
