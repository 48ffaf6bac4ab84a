<?php

declare(strict_types=1);

namespace Stampede\Server;

use Stampede\Application\IsolationMode;
use Stampede\Config\CacheRules;
use Stampede\Config\Configuration;
use Stampede\Config\Machine;
use Stampede\Config\OptionType;
use Stampede\Config\ProcessIdentity;
use Stampede\Config\ResponseFieldRules;
use Stampede\Exception\ConfigurationException;
use Stampede\Log\AccessLog;
use Stampede\Log\LogLevel;
use Stampede\Middleware\TimeLimit;
use Stampede\Runner\Runner;
use Stampede\Supervisor\ServerStateFile;

/** The settings of Swoole\Http\Server for an application. */
final readonly class ServerSettings
{
    /** Seconds between the time limit of a health check and its end. */
    private const CHECK_END_TIME = 1.0;

    private const WEBSOCKET_MESSAGE = 1 << 20;
    private const WEBSOCKET_MESSAGE_TIME = 30; // seconds from a message's first byte to its last
    private const WEBSOCKET_IDLE_TIME = 60; // seconds without a sign of life; after half of them there is a ping
    private const WATCHDOG_MORE = TimeLimit::AGAIN + 1; // seconds: a worker ends such a request itself, and keeps the others
    private const RESPONSE_SPOOL = 1 << 30; // bytes of a worker's responses that wait for slow clients in temporary files
    private const BODIES = 1 << 30; // bytes of bodies in memory; less where there is little memory, more where --max-body needs it
    private const UPLOADS = 1 << 30; // bytes of uploaded files of all requests together, unless --max-body needs more
    private const DRAIN = 5.0; // seconds in production
    private const START_TIME = 10.0; // seconds until a worker has its endpoints and the processes of its requests

    private Configuration $options;

    public function __construct(private ServedApplication $application)
    {
        $this->options = $application->options;
    }

    /** @return array<string, mixed> @throws ConfigurationException */
    public function all(): array
    {
        $identity = ProcessIdentity::of($this->options, $this->application->project->directory);
        return $this->options->serverSettings() + ($identity?->settings() ?? []) + [
            ...$this->processes(),
            ...$this->times(),
            ...$this->memory(),
            ...$this->parsing(),
            ...$this->files(),
            ...$this->controlSocket(),
            'websocket_max_message' => self::WEBSOCKET_MESSAGE,
            'websocket_message_timeout' => self::WEBSOCKET_MESSAGE_TIME,
            'websocket_idle_time' => self::WEBSOCKET_IDLE_TIME,
        ];
    }

    /** @return array<string, mixed> */
    private function processes(): array
    {
        $concurrency = $this->application->countsRequests() ? 0 : $this->application->concurrency($this->application->project->isolation);
        $log = $this->options->text('log-file');
        return [
            'worker_num' => $this->options->workers(),
            'max_request' => $this->options->number('max-requests'),
            'hook_flags' => SWOOLE_HOOK_ALL,
            'stack_size' => Runner::C_STACK,
            'daemonize' => $this->options->is('daemon'),
            'log_level' => LogLevel::ofEngine(),
            'request_id' => true,
            ...AccessLog::settings($this->options),
        ] + ($concurrency > 0 ? ['worker_max_concurrency' => $concurrency] : []) + ($log !== '' ? ['log_file' => $log] : []);
    }

    /** @return array<string, mixed> */
    private function times(): array
    {
        $longest = $this->application->routes->longest();
        return [
            'watchdog_timeout' => $longest > 0 ? $longest + self::WATCHDOG_MORE : 0,
            // The program of the isolation process has the limit itself, and says more about it.
            'boot_timeout' => $this->application->bootTimeout() + ($this->application->routes->uses(IsolationMode::Process) ? Generation::CHECK_TIME + self::CHECK_END_TIME : 0.0),
            'worker_start_timeout' => self::START_TIME,
            'max_replace_time' => $this->application->longestRequest(),
            'max_stop_time' => (int) ceil($this->patience('stop-timeout') ?? $this->application->longestRequest()),
            'enable_metrics' => $this->options->text('health-listen') !== '',
            'metrics_isolation' => $this->application->project->isolation->value,
            'drain_time' => $this->patience('drain') ?? ($this->application->isProduction() ? self::DRAIN : 0.0),
        ];
    }

    private function patience(string $option): ?float
    {
        $seconds = (float) $this->options->get($option);
        return $seconds === OptionType::AUTOMATIC ? null : $seconds;
    }

    /** @return array<string, mixed> */
    private function memory(): array
    {
        $body = $this->options->number('max-body');
        $ofTwoBodies = 2 * $this->application->routes->largestBody($body) * $this->options->workers(); // in each worker
        $memory = Machine::here()->memory;
        $share = $memory === null ? self::BODIES : min(self::BODIES, intdiv($memory, 8));
        return [
            'package_max_length' => $body,
            'body_limits' => $this->application->routes->bodyLimits($body),
            'upload_max_total' => max(self::UPLOADS, $ofTwoBodies),
            'body_max_total' => max($share, $ofTwoBodies),
            'unsent_max_total' => $share,
            'response_spool_size' => self::RESPONSE_SPOOL,
        ];
    }

    /** @return array<string, mixed> */
    private function parsing(): array
    {
        $isScripts = $this->application->project->runsScripts($this->options); // PHP reads the bodies of their forms
        $proxies = $this->options->list('trusted-proxies');
        $uploads = (string) ini_get('upload_tmp_dir');
        return [
            'http_parse_files' => !$isScripts,
            'http_parse_post' => !$isScripts,
            'http_parse_cookie' => false, // Middleware\Cookies does it
        ] + ($proxies !== [] ? ['trusted_proxies' => $proxies] : []) + ($uploads !== '' ? ['upload_tmp_dir' => $uploads] : []);
    }

    /** @return array<string, mixed> */
    private function files(): array
    {
        $project = $this->application->project;
        return [
            'enable_static_handler' => true,
            'document_root' => $project->documentRoot,
            ...$project->application->files()->serverSettings(),
            'response_fields' => ResponseFieldRules::read($this->options->list('header')),
            'static_handler_cached' => CacheRules::read($this->options->list('cache')),
        ];
    }

    /** @return array<string, mixed> */
    private function controlSocket(): array
    {
        $control = ServerStateFile::controlOf(ServerStateFile::fileOf($this->application->project->directory, $this->options));
        if ($control === '' && $this->options->text('health-listen') !== '') {
            throw new ConfigurationException('The option "health-listen" needs a control socket beside the pid file, whose path is too long for one: give a shorter --pid-file.');
        }
        return $control === '' ? [] : ['control_socket' => $control];
    }
}
