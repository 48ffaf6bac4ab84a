<?php

declare(strict_types=1);

namespace Swoole\Server;

use Swoole\Coroutine;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Process;
use Swoole\Server;
use Swoole\Timer;

/**
 * With the setting admin_server ("127.0.0.1:9502", "[::1]:9502" or "unix:/path") a process of the server tells in JSON what the others do:
 * "/api/COMMAND/PROCESS" with the arguments in the query, or in the body of a POST. PROCESS is master, manager, worker-N, task_worker-N, or
 * all, all_worker, all_task_worker for each of them. {"code": 0, "data": ...}, or another code, that of the response's status, and a sentence.
 */
class Admin
{
    /** Bytes of the engine's structures, 64 bit. */
    public const SIZE_OF_ZVAL = 16;

    public const SIZE_OF_ZEND_STRING = 32;

    public const SIZE_OF_ZEND_OBJECT = 56;

    public const SIZE_OF_ZEND_ARRAY = 56;

    private const PROCESSES = SWOOLE_SERVER_COMMAND_MASTER | SWOOLE_SERVER_COMMAND_MANAGER | SWOOLE_SERVER_COMMAND_EVENT_WORKER | SWOOLE_SERVER_COMMAND_TASK_WORKER;

    private const COMMANDS = [
        'get_resources' => 'handlerGetResources',
        'get_worker_info' => 'handlerGetWorkerInfo',
        'close_session' => 'handlerCloseSession',
        'get_timer_list' => 'handlerGetTimerList',
        'get_coroutine_list' => 'handlerGetCoroutineList',
        'get_objects' => 'handlerGetObjects',
        'get_class_info' => 'handlerGetClassInfo',
        'get_function_info' => 'handlerGetFunctionInfo',
        'get_object_by_handle' => 'handlerGetObjectByHandle',
        'get_version_info' => 'handlerGetVersionInfo',
        'get_defined_functions' => 'handlerGetDefinedFunctions',
        'get_declared_classes' => 'handlerGetDeclaredClasses',
        'get_server_memory_usage' => 'handlerGetServerMemoryUsage',
        'get_server_cpu_usage' => 'handlerGetServerCpuUsage',
        'get_static_property_value' => 'handlerGetStaticPropertyValue',
    ];

    /** Those that change something are refused by GET: a link or an image of any page could ask for them. */
    private const POST_ONLY = ['close_session'];

    private const LOCAL_NAMES = ['127.0.0.1', 'localhost', '::1'];

    /** Entries of a list of one response. */
    private const MOST_ENTRIES = 10000;

    /** The kernel's, of a second, in /proc/PID/stat. */
    private const TICKS = 100;

    private static string $accessToken = '';

    private static string $host = '';

    /**
     * Before the server starts: opens the address, so that one that cannot be used stops the start.
     *
     * @throws \Swoole\Exception
     */
    public static function init(Server $server): void
    {
        $address = (string) ($server->setting['admin_server'] ?? '');
        self::$accessToken = (string) ($server->setting['admin_server_token'] ?? '');
        if (str_starts_with($address, 'unix:/')) {
            $path = substr($address, strlen('unix:'));
            $umask = umask(0177);
            $http = new Coroutine\Http\Server("unix:{$path}");
            umask($umask);
        } elseif (preg_match('/^(?:\[([0-9a-fA-F:.]+)\]|([0-9a-zA-Z.-]+)):(\d{1,5})$/D', $address, $parts) === 1 && (int) $parts[3] <= 65535) {
            self::$host = $parts[1] !== '' ? $parts[1] : $parts[2];
            if (self::$accessToken === '' && !in_array(self::$host, self::LOCAL_NAMES, true)) {
                throw new \Swoole\Exception("admin_server on {$address} needs the option admin_server_token: others than this machine can reach it");
            }
            $http = new Coroutine\Http\Server(self::$host, (int) $parts[3]);
        } else {
            throw new \Swoole\Exception("admin_server must be an address and a port, or \"unix:/path\", not \"{$address}\"");
        }
        foreach (self::COMMANDS as $command => $handler) {
            $server->addCommand($command, self::PROCESSES, [self::class, $handler]);
        }
        $server->admin_server = $http;
        $server->addProcess(new Process(static fn () => self::start($server), false, 0, true));
    }

    /** What clients say as "Authorization: Bearer TOKEN"; empty when none is asked for. */
    public static function getAccessToken(): string
    {
        return self::$accessToken;
    }

    /** In the process that responds, until the server ends. */
    public static function start(Server $server): void
    {
        $http = $server->admin_server;
        if (!$http instanceof Coroutine\Http\Server) {
            return;
        }
        $http->set(['package_max_length' => 65536, 'http_compression' => false]);
        $http->handle('/', static function (Request $request, Response $response) use ($server): void {
            $response->header('Content-Type', 'application/json');
            $response->header('Cache-Control', 'no-store');
            $body = self::refusal($request) ?? self::respond($server, $request);
            $code = self::code($body);
            if ($code !== 0) {
                $response->status($code);
            }
            $response->end($body);
        });
        Process::signal(SIGTERM, static function () use ($http): void {
            $http->shutdown();
            if (str_starts_with((string) $http->host, 'unix:')) {
                @unlink(substr((string) $http->host, strlen('unix:')));
            }
        });
        $http->start();
    }

    /** @return string */
    public static function handlerGetResources(Server $server, string $msg)
    {
        $list = [];
        foreach (array_slice(get_resources(), 0, self::MOST_ENTRIES, true) as $resource) {
            $list[] = ['id' => get_resource_id($resource), 'type' => get_resource_type($resource)];
        }
        return self::data($list);
    }

    /** @return string */
    public static function handlerGetWorkerInfo(Server $server, string $msg)
    {
        return self::data([
            'id' => $server->worker_id,
            'pid' => getmypid(),
            'task_worker' => $server->taskworker,
            'coroutine_stats' => Coroutine::stats(),
            'timer_stats' => Timer::stats(),
            'vm_status' => swoole_get_vm_status(),
            'memory_usage' => memory_get_usage(),
            'memory_real_usage' => memory_get_usage(true),
            'gc_status' => gc_status(),
            'stats' => $server->stats(),
        ]);
    }

    /** @return string */
    public static function handlerCloseSession(Server $server, string $msg)
    {
        $id = self::argument($msg, 'session_id');
        if (preg_match('/^\d{1,18}$/D', $id) !== 1) {
            return self::error('session_id must be the number of a connection', 400);
        }
        return $server->exists((int) $id) && $server->close((int) $id) ? self::data(true) : self::error("there is no connection {$id}", 404);
    }

    /** @return string */
    public static function handlerGetTimerList(Server $server, string $msg)
    {
        $list = [];
        foreach (Timer::list() as $id) {
            $list[] = ['id' => $id] + (array) Timer::info($id);
        }
        return self::data($list);
    }

    /**
     * Where each coroutine is, without the values that are passed there.
     *
     * @return string
     */
    public static function handlerGetCoroutineList(Server $server, string $msg)
    {
        $list = [];
        foreach (Coroutine::list() as $id) {
            $trace = Coroutine::getBackTrace($id, DEBUG_BACKTRACE_IGNORE_ARGS, 64);
            $frames = [];
            foreach (is_array($trace) ? $trace : [] as $frame) {
                $frames[] = array_intersect_key($frame, ['file' => 0, 'line' => 0, 'function' => 0, 'class' => 0, 'type' => 0]);
            }
            $list[] = ['id' => $id, 'elapsed' => Coroutine::getElapsed($id), 'stack_usage' => Coroutine::getStackUsage($id), 'backTrace' => $frames];
            if (count($list) >= self::MOST_ENTRIES) {
                break;
            }
        }
        return self::data($list);
    }

    /**
     * Which objects there are, without what is in them.
     *
     * @return string
     */
    public static function handlerGetObjects(Server $server, string $msg)
    {
        $list = [];
        foreach (array_slice((array) swoole_get_objects(), 0, self::MOST_ENTRIES) as $object) {
            if (is_object($object)) {
                $list[] = ['id' => spl_object_id($object), 'hash' => spl_object_hash($object), 'class' => $object::class];
            }
        }
        return self::data($list);
    }

    /**
     * The names in a class that is loaded, without values.
     *
     * @return string
     */
    public static function handlerGetClassInfo(Server $server, string $msg)
    {
        $name = self::argument($msg, 'class_name');
        if (!class_exists($name, false) && !interface_exists($name, false) && !trait_exists($name, false)) {
            return self::error("there is no class [{$name}] in this process", 404);
        }
        $class = new \ReflectionClass($name);
        $names = static fn (array $members): array => array_map(static fn (\ReflectionMethod|\ReflectionProperty|\ReflectionClassConstant $member): array => [
            'name' => $member->getName(),
            'modifiers' => implode(' ', \Reflection::getModifierNames($member->getModifiers())),
        ], $members);
        return self::data([
            'name' => $class->getName(),
            'filename' => $class->getFileName(),
            'line' => $class->getStartLine(),
            'parent' => $class->getParentClass() ? $class->getParentClass()->getName() : '',
            'interfaces' => $class->getInterfaceNames(),
            'constants' => $names($class->getReflectionConstants()),
            'properties' => $names($class->getProperties()),
            'methods' => $names($class->getMethods()),
        ]);
    }

    /** @return string */
    public static function handlerGetFunctionInfo(Server $server, string $msg)
    {
        $name = self::argument($msg, 'function_name');
        $class = self::argument($msg, 'class_name');
        if ($class === '' ? !function_exists($name) : (!class_exists($class, false) || !method_exists($class, $name))) {
            return self::error('there is no function [' . ($class === '' ? '' : "{$class}::") . "{$name}] in this process", 404);
        }
        $function = $class === '' ? new \ReflectionFunction($name) : new \ReflectionMethod($class, $name);
        $parameters = [];
        foreach ($function->getParameters() as $parameter) {
            $parameters[] = ['name' => $parameter->getName(), 'type' => (string) $parameter->getType(), 'is_optional' => $parameter->isOptional()];
        }
        return self::data([
            'name' => $function->getName(),
            'filename' => $function->getFileName(),
            'line' => $function->getStartLine(),
            'num' => $function->getNumberOfParameters(),
            'user_defined' => $function->isUserDefined(),
            'return_type' => (string) $function->getReturnType(),
            'params' => $parameters,
        ]);
    }

    /** @return string */
    public static function handlerGetObjectByHandle(Server $server, string $msg)
    {
        return self::error('the values in objects are not told: passwords and data of users are among them', 501);
    }

    /** @return string */
    public static function handlerGetVersionInfo(Server $server, string $msg)
    {
        return self::data(['os' => php_uname('s') . '-' . php_uname('r'), 'swoole' => SWOOLE_VERSION, 'php' => PHP_VERSION, 'ip' => swoole_get_local_ip()]);
    }

    /** @return string */
    public static function handlerGetDefinedFunctions(Server $server, string $msg)
    {
        return self::data(['user' => get_defined_functions()['user']]);
    }

    /** @return string */
    public static function handlerGetDeclaredClasses(Server $server, string $msg)
    {
        $known = static fn (array $names): array => array_values(array_filter($names, static fn (string $name): bool => !(new \ReflectionClass($name))->isAnonymous()));
        return self::data(['classes' => $known(get_declared_classes()), 'interfaces' => get_declared_interfaces(), 'traits' => get_declared_traits()]);
    }

    /**
     * Bytes in memory of each process; pages that they share are counted in each.
     *
     * @return string
     */
    public static function handlerGetServerMemoryUsage(Server $server, string $msg)
    {
        $usage = [];
        foreach (self::pids($server) as $name => $pid) {
            $pages = explode(' ', (string) @file_get_contents("/proc/{$pid}/statm"));
            $usage[$name] = (int) ($pages[1] ?? 0) * 4096;
        }
        return self::data($usage + ['total' => array_sum($usage)]);
    }

    /**
     * Percent of one processor that each process has used since it began.
     *
     * @return string
     */
    public static function handlerGetServerCpuUsage(Server $server, string $msg)
    {
        $now = (float) @file_get_contents('/proc/uptime');
        $usage = [];
        foreach (self::pids($server) as $name => $pid) {
            $text = (string) @file_get_contents("/proc/{$pid}/stat");
            $fields = explode(' ', substr($text, (int) strrpos($text, ')') + 2));
            $age = $now - (int) ($fields[19] ?? 0) / self::TICKS;
            $usage[$name] = round(100 * ((int) ($fields[11] ?? 0) + (int) ($fields[12] ?? 0)) / self::TICKS / max($age, 1 / self::TICKS), 2);
        }
        return self::data($usage + ['total' => round(array_sum($usage), 2)]);
    }

    /** @return string */
    public static function handlerGetStaticPropertyValue(Server $server, string $msg)
    {
        return self::error('the values of properties are not told: passwords and data of users are among them', 501);
    }

    /** Why this client is not to be listened to; null when it is. */
    private static function refusal(Request $request): ?string
    {
        if (self::$accessToken !== '') {
            $known = hash_equals('Bearer ' . self::$accessToken, (string) ($request->header['authorization'] ?? ''));
            return $known ? null : self::error('the field Authorization must be "Bearer" and the option admin_server_token', 401);
        }
        // Pages of the web, which a browser on this machine shows, can reach loopback addresses, under names of their own, too.
        $site = $request->header['sec-fetch-site'] ?? 'none';
        $host = (string) ($request->header['host'] ?? '');
        $name = trim((string) preg_replace('/:\d+$/D', '', $host), '[]');
        if (self::$host !== '' && !in_array($name, self::LOCAL_NAMES, true)) {
            return self::error('the field Host must name this machine: 127.0.0.1, [::1] or localhost', 403);
        }
        $origin = $request->header['origin'] ?? "http://{$host}";
        return $origin === "http://{$host}" && in_array($site, ['none', 'same-origin'], true) ? null : self::error('pages of other sites may not ask', 403);
    }

    private static function respond(Server $server, Request $request): string
    {
        $parts = explode('/', trim((string) $request->server['path_info'], '/'));
        if ($parts[0] !== 'api' || count($parts) < 2 || count($parts) > 3) {
            return self::error('requests are /api/COMMAND/PROCESS', 404);
        }
        [$command, $process] = [$parts[1], $parts[2] ?? 'master'];
        if (!isset(self::COMMANDS[$command])) {
            return self::error("there is no command [{$command}]: there are " . implode(', ', array_keys(self::COMMANDS)), 404);
        }
        $method = (string) $request->server['request_method'];
        if (!in_array($method, in_array($command, self::POST_ONLY, true) ? ['POST'] : ['GET', 'HEAD', 'POST'], true)) {
            return self::error("[{$command}] is asked for by POST", 405);
        }
        $arguments = array_filter((array) ($request->get ?? []) + (array) ($request->post ?? []), is_string(...));
        if (str_starts_with($process, 'all')) {
            return self::askAll($server, $command, $process, $arguments);
        }
        $targets = self::targets($server);
        return isset($targets[$process])
            ? self::ask($server, $command, $targets[$process], $arguments)
            : self::error("there is no process [{$process}]: there are " . implode(', ', array_keys($targets)), 404);
    }

    /** @param array<string, string> $arguments */
    private static function askAll(Server $server, string $command, string $which, array $arguments): string
    {
        $kinds = ['all' => '', 'all_worker' => 'worker-', 'all_task_worker' => 'task_worker-'];
        if (!isset($kinds[$which])) {
            return self::error("there is no group of processes [{$which}]: there are " . implode(', ', array_keys($kinds)), 404);
        }
        $results = [];
        foreach (self::targets($server) as $name => $target) {
            if (str_starts_with($name, $kinds[$which])) {
                $body = self::ask($server, $command, $target, $arguments);
                $results[] = json_encode($name) . ':' . (self::code($body) === 0 ? substr($body, strlen('{"code":0,"data":'), -1) : $body);
            }
        }
        return '{"code":0,"data":{' . implode(',', $results) . '}}';
    }

    /**
     * @param array{int, int} $target
     * @param array<string, string> $arguments
     */
    private static function ask(Server $server, string $command, array $target, array $arguments): string
    {
        $result = @$server->command($command, $target[1], $target[0], $arguments, false);
        return is_string($result) ? $result : self::error('the process does not respond', 504);
    }

    /** @return array<string, array{int, int}> type and number of the processes that run, by name */
    private static function targets(Server $server): array
    {
        $targets = ['master' => [SWOOLE_SERVER_COMMAND_MASTER, 0], 'manager' => [SWOOLE_SERVER_COMMAND_MANAGER, 0]];
        $workers = (int) $server->setting['worker_num'];
        $all = $workers + (int) ($server->setting['task_worker_num'] ?? 0);
        for ($id = 0; $id < $all; $id++) {
            if (@$server->getWorkerPid($id) !== false) {
                $targets[$id < $workers ? "worker-{$id}" : 'task_worker-' . ($id - $workers)] =
                    $id < $workers ? [SWOOLE_SERVER_COMMAND_EVENT_WORKER, $id] : [SWOOLE_SERVER_COMMAND_TASK_WORKER, $id - $workers];
            }
        }
        return $targets;
    }

    /** @return array<string, int> */
    private static function pids(Server $server): array
    {
        $pids = ['master' => $server->master_pid];
        $workers = (int) $server->setting['worker_num'];
        $places = $workers + (int) ($server->setting['task_worker_num'] ?? 0);
        for ($id = 0; $id < $places; $id++) {
            $pid = @$server->getWorkerPid($id);
            if (is_int($pid)) {
                $pids[$id < $workers ? "worker-{$id}" : 'task_worker-' . ($id - $workers)] = $pid;
            }
        }
        return $pids;
    }

    private static function argument(string $message, string $name): string
    {
        $arguments = json_decode($message, true);
        $value = is_array($arguments) ? ($arguments[$name] ?? '') : '';
        return is_string($value) ? $value : '';
    }

    private static function code(string $body): int
    {
        return (int) substr($body, strlen('{"code":'));
    }

    private static function data(mixed $data): string
    {
        return json_encode(['code' => 0, 'data' => $data], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_UNESCAPED_SLASHES);
    }

    private static function error(string $text, int $code): string
    {
        return json_encode(['code' => $code, 'data' => $text], JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES);
    }
}
