<?php

declare(strict_types=1);

namespace Stampede\Config;

use Stampede\Exception\ConfigurationException;

/** The options of an application, and where each value comes from. */
final readonly class Configuration
{
    private const AUTHORITY = 'https://acme-v02.api.letsencrypt.org/directory'; // Let's Encrypt
    /** Settings of the server that the command itself must know. */
    private const HAS_OPTION = ['worker_num' => 'workers', 'daemonize' => 'daemon', 'static_handler_cached' => 'cache'];
    private const TLS_OPTION = ['ssl_cert_file' => 'tls-certificate', 'ssl_key_file' => 'tls-key', 'ssl_sni_certs' => 'tls-certificate', 'ssl_client_cert_file' => 'tls-client-ca', 'ssl_verify_peer' => 'tls-client-ca', 'ssl_cafile' => 'tls-client-ca'];

    /**
     * @param array<string, mixed> $values
     * @param array<string, string> $sources
     */
    public function __construct(private array $values, private array $sources) {}

    /** @return list<OptionDefinition> */
    public static function table(): array
    {
        return [
            new OptionDefinition('listen', OptionType::Addresses, ['127.0.0.1:8000'], 'ADDRESS:PORT, https://ADDRESS:PORT or unix:PATH, several separated by commas; port 0 picks a free one'),
            new OptionDefinition('redirect', OptionType::Texts, [], 'http://ADDRESS:PORT where every request is sent to the https address'),
            new OptionDefinition('tls-certificate', OptionType::Texts, [], 'certificates of the https addresses, each a PEM file with its chain, several separated by commas: the first for clients that ask for no other name'),
            new OptionDefinition('tls-key', OptionType::Texts, [], 'their keys, in the same order (default: in the files of the certificates)'),
            new OptionDefinition('tls-client-ca', OptionType::Path, '', 'a PEM file of authorities: https is for clients with a certificate of one of them alone'),
            new OptionDefinition('acme', OptionType::Texts, [], 'host names for which an authority such as Let\'s Encrypt makes the certificate, proved by http; giving it means agreeing to the terms of that authority'),
            new OptionDefinition('acme-email', OptionType::Text, '', 'where the authority may write to'),
            new OptionDefinition('acme-directory', OptionType::Text, self::AUTHORITY, 'the URL of the authority (RFC 8555)'),
            new OptionDefinition('acme-external-account', OptionType::Text, '', 'KEY-ID:SECRET of an account that the authority asks for'),
            new OptionDefinition('acme-folder', OptionType::Path, '', 'where the account and the certificate are kept (default: /var/lib/stampede/acme, or stampede/acme in the data folder of a user other than root)'),
            new OptionDefinition('hsts', OptionType::Number, 0, 'seconds for which browsers use https alone after a response of an https address (Strict-Transport-Security); 0: not told'),
            new OptionDefinition('worker-listen', OptionType::Text, '', 'ADDRESS:PORT or unix:PATH where the first worker alone listens besides, each further one a port higher (paths get .0, .1 ...): for a balancer in front'),
            new OptionDefinition('workers', OptionType::Workers, 'auto', 'worker processes, or "auto": as many as processors and memory allow'),
            new OptionDefinition('processes', OptionType::Processes, 16, 'processes of each worker that handle its requests in the isolation process; they are made when requests need them'),
            new OptionDefinition('isolation', OptionType::Text, 'auto', 'what requests share with each other', ['auto', 'coroutine', 'sequential', 'process']),
            new OptionDefinition('bridge', OptionType::Text, 'auto', 'what kind of application it is', ['auto', 'symfony', 'laravel', 'psr15', 'plain']),
            new OptionDefinition('entry', OptionType::Path, '', 'the file that gives the application (default: found by the bridge)'),
            new OptionDefinition('document-root', OptionType::Path, '', 'the folder of static files (default: the folder of the entry, or public or web); all of it but sources, databases, backups and the like is for everybody then'),
            new OptionDefinition('links', OptionType::Text, 'anywhere', 'where symbolic links in the document root may lead', ['anywhere', 'inside']),
            new OptionDefinition('cache', OptionType::Texts, [], 'PATTERN:TIME for which browsers keep files of the document root without asking again, such as /build/*:1y (a star at an end stands for anything; s, m, h, d, w, y)'),
            new OptionDefinition('header', OptionType::Lines, [], 'PATTERN:NAME=VALUE for a field of all responses whose path fits and which do not have it yet, such as "/*:X-Frame-Options=DENY" (the option may be given several times; a star at an end stands for anything)'),
            new OptionDefinition('trusted-proxies', OptionType::Texts, [], 'addresses of proxies, such as 127.0.0.1, 10.0.0.0/8 or "unix", whose X-Forwarded-* fields are believed'),
            new OptionDefinition('server-name', OptionType::Text, '', 'the name of the site, for $_SERVER[\'SERVER_NAME\'] and nginx (default: what the client calls it)'),
            new OptionDefinition('env', OptionType::Text, 'dev', 'the environment: prod, dev (errors show source code) or test. APP_ENV is not read: the start warns where it says production', ['dev', 'prod', 'test']),
            new OptionDefinition('php-ini', OptionType::Path, '', 'the php.ini that counts, such as /etc/php/8.2/fpm/php.ini (default: that of the command php)'),
            new OptionDefinition('ini', OptionType::Text, '', 'settings of php.ini as JSON (in stampede.php: an array), such as {"memory_limit": "256M"}'),
            new OptionDefinition('watch', OptionType::Flag, false, 'reload when a file of the application changes'),
            new OptionDefinition('log-format', OptionType::Text, 'auto', 'lines of requests; auto: json with --env=prod, unless it is a terminal', ['auto', 'text', 'json', 'off']),
            new OptionDefinition('log-level', OptionType::Text, 'notice', 'messages of this level and above', ['debug', 'info', 'notice', 'warning', 'error']),
            new OptionDefinition('access-log', OptionType::Text, 'all', 'which requests have a line: all, errors (status 400 and above), slow:MILLISECONDS or off'),
            new OptionDefinition('log-fields', OptionType::Texts, [], 'what lines of requests have besides, such as query, referer or ua; values of parameters whose names speak of secrets are hidden'),
            new OptionDefinition('log-sample', OptionType::Seconds, 1.0, 'the share of requests without errors that have a line, from 0 to 1'),
            new OptionDefinition('slow-log', OptionType::Seconds, 0.0, 'a request that took so many seconds has a line that says where its time went: queue, CPU, each kind of wait; 0: none'),
            new OptionDefinition('server-timing', OptionType::Text, 'auto', 'the same in the field Server-Timing of each response, which browsers show; auto: unless --env=prod', ['auto', 'on', 'off']),
            new OptionDefinition('trace-values', OptionType::Flag, false, 'traces have the values in statements and the queries of addresses'),
            new OptionDefinition('log-file', OptionType::Path, '', 'where the engine logs; with --daemon also requests and messages, which go to standard error else'),
            new OptionDefinition('pid-file', OptionType::Path, '', 'where the number of the first process is kept (default: in a private folder below $XDG_RUNTIME_DIR, /run or the folder for temporary files)'),
            new OptionDefinition('user', OptionType::Text, '', 'NAME[:GROUP] that the application runs as when root starts the server, or "auto": the owner of its folder'),
            new OptionDefinition('daemon', OptionType::Flag, false, 'go on in the background'),
            new OptionDefinition('max-requests', OptionType::Number, 0, 'a worker is replaced after so many requests; 0: never'),
            new OptionDefinition('max-memory', OptionType::Size, 256 << 20, 'a worker is replaced when it uses more between two requests; 0: never'),
            new OptionDefinition('growth-report', OptionType::Number, 0, 'one of so many requests is measured, and what grew is told when a worker ends; 0: none'),
            new OptionDefinition('max-body', OptionType::Size, 32 << 20, 'the largest body of a request'),
            new OptionDefinition('request-timeout', OptionType::Seconds, 60.0, 'seconds after which a request ends with 504; 0: never'),
            new OptionDefinition('drain', OptionType::Patience, 'auto', 'seconds from the request to stop (SIGTERM, the command stop) during which everything is served as before, so that a balancer notices; auto: 5 with --env=prod, else 0. A second SIGTERM ends that'),
            new OptionDefinition('stop-timeout', OptionType::Patience, 'auto', 'seconds that requests under way have to end when the server stops; auto: the longest request-timeout and 5 seconds'),
            new OptionDefinition('boot-timeout', OptionType::Seconds, 60.0, 'seconds that the application may need to boot, with its health check'),
            new OptionDefinition('health-check', OptionType::UrlPath, '', 'a path such as /up that new code must respond to with a status below 500 before it serves'),
            new OptionDefinition('health-listen', OptionType::Text, '', 'ADDRESS:PORT or unix:PATH where the supervisor says how the server is: /live, /ready, /status, /metrics'),
            new OptionDefinition('dashboard', OptionType::Flag, false, 'a page for people at /dashboard of the address of --health-listen: what the server does now'),
            new OptionDefinition('dashboard-token', OptionType::Text, '', 'who gives it may look at the dashboard: at /dashboard?token=TOKEN, or with "Authorization: Bearer TOKEN"; needed unless the address is local'),
            new OptionDefinition('warm-up', OptionType::UrlPaths, [], 'a path that is requested after the boot (the option may be given several times): in the isolation process what a framework loads for it is there in every request; of a plain application it is requested twice, and must not fail'),
            new OptionDefinition('preload', OptionType::Path, '', 'a PHP file for opcache.preload in the processes of a plain application: what it compiles is there in every request, until a reload'),
            new OptionDefinition('fresh-processes', OptionType::Flag, false, 'the isolation process ends each process after its request, instead of putting it back to what it was before'),
            new OptionDefinition('routes', OptionType::Text, '', 'isolation, request-timeout and max-body by path, as JSON (in stampede.php: an array)'),
            new OptionDefinition('endpoints', OptionType::Path, '', 'a PHP file that returns WebSocket and event-stream endpoints beside the application'),
            new OptionDefinition('origins', OptionType::Text, '', 'origins of pages that may open WebSocket endpoints besides those of the own host, such as https://example.com, separated by commas; *: any'),
            new OptionDefinition('background', OptionType::Text, '', 'commands that run beside the workers, as JSON (in stampede.php: an array)'),
            new OptionDefinition('server', OptionType::Text, '', 'further settings of Swoole\Http\Server as JSON (in stampede.php: an array)'),
        ];
    }

    public function get(string $name): mixed
    {
        return $this->values[$name];
    }

    public function text(string $name): string
    {
        return (string) $this->values[$name];
    }

    public function number(string $name): int
    {
        return (int) $this->values[$name];
    }

    public function is(string $name): bool
    {
        return (bool) $this->values[$name];
    }

    /** @return list<string> */
    public function list(string $name): array
    {
        return $this->values[$name];
    }

    public function source(string $name): string
    {
        return $this->sources[$name];
    }

    public function workers(): int
    {
        return $this->number('workers') ?: Machine::here()->workers();
    }

    /** @return list<ListenAddress> of the server, for all workers */
    public function addresses(): array
    {
        return array_map(ListenAddress::parse(...), $this->list('listen'));
    }

    /** @return list<ListenAddress> where one worker alone listens, by its number */
    public function addressesOfWorkers(): array
    {
        $first = $this->text('worker-listen');
        return $first === '' ? [] : array_map(ListenAddress::parse($first)->further(...), range(0, $this->workers() - 1));
    }

    /** @return array<string, mixed> */
    public function serverSettings(): array
    {
        $settings = $this->object('server', 'settings, such as {"backlog": 1024}');
        foreach (array_keys($settings) as $name) {
            if (isset(self::HAS_OPTION[$name])) {
                throw new ConfigurationException(sprintf('The option "server" must not have the setting "%s": use the option "%s".', $name, self::HAS_OPTION[$name]));
            }
            if (str_starts_with($name, 'ssl_')) {
                if (isset(self::TLS_OPTION[$name])) {
                    throw new ConfigurationException(sprintf('The option "server" must not have the setting "%s": use the option "%s".', $name, self::TLS_OPTION[$name]));
                }
                if (array_filter($this->list('listen'), static fn (string $address): bool => ListenAddress::parse($address)->isSecure) === []) {
                    throw new ConfigurationException("The setting \"{$name}\" of the option \"server\" has no effect: no address of --listen begins with https://.");
                }
            }
        }
        return $settings;
    }

    /** @return array<string, mixed> commands by name */
    public function background(): array
    {
        return $this->object('background', 'commands, such as {"queue": ["php", "bin/queue.php"]}');
    }

    /** @return array<string, mixed> settings of php.ini */
    public function ini(): array
    {
        return $this->object('ini', 'settings of php.ini, such as {"memory_limit": "256M"}');
    }

    /** @return array<string, mixed> isolation and time limit by path */
    public function routes(): array
    {
        return $this->object('routes', 'paths, such as {"/reports/*": {"request-timeout": 300}}');
    }

    /** @return array<string, mixed> */
    private function object(string $option, string $wanted): array
    {
        $text = $this->text($option);
        $object = $text === '' ? [] : json_decode($text, true);
        if (!is_array($object) || ($object !== [] && array_is_list($object))) {
            throw new ConfigurationException("The option \"{$option}\" must be a JSON object of {$wanted}.");
        }
        return $object;
    }
}
