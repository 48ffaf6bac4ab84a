<?php

declare(strict_types=1);

namespace Stampede\Bridge;

use Closure;
use Stampede\WebRequest;
use Swoole\Http\Request;

/** What PHP's own functions know of a request, in the coroutine that handles it: superglobals, php://input, header(), sessions ... */
final class RequestScope
{
    /**
     * @param array<string, mixed> $variables of $_SERVER
     * @param (Closure(string, bool): void)|null $output gets what is printed; null: it goes to the output of the server
     */
    public static function begin(Request $request, array $variables, string $body, ?Closure $output = null): void
    {
        WebRequest::begin($variables, $request->get ?? [], $request->post ?? [], $request->cookie ?? [], $request->files ?? [], $body, $output);
    }

    /**
     * What the application has given to header() and setcookie(), and what its session sends.
     *
     * @return array<array-key, list<string>>
     */
    public static function fields(): array
    {
        $fields = [];
        foreach (headers_list() as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
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
