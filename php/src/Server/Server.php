<?php

declare(strict_types=1);

namespace Stampede\Server;

use Closure;
use Stampede\Acme\PageProof;
use Stampede\Acme\Renewals;
use Stampede\Application\ApplicationKind;
use Stampede\Application\IsolationMode;
use Stampede\Application\Project;
use Stampede\Application\RouteTable;
use Stampede\Broadcast;
use Stampede\Config\CacheRules;
use Stampede\Config\Configuration;
use Stampede\Config\ListenAddress;
use Stampede\Config\Machine;
use Stampede\Config\OptionType;
use Stampede\Config\ProcessIdentity;
use Stampede\Config\Suggestion;
use Stampede\DevTools\ChangedSources;
use Stampede\DevTools\FileWatcher;
use Stampede\DevTools\ReloadNotifier;
use Stampede\DevTools\SourceTree;
use Stampede\Diagnostics\BootFailure;
use Stampede\Diagnostics\MissingFileNotice;
use Stampede\Endpoint\AllowedOrigins;
use Stampede\Endpoint\Endpoints;
use Stampede\Exception\LaunchException;
use Stampede\Health\Listener;
use Stampede\Health\Supervisor;
use Stampede\Https\CertificateWatch;
use Stampede\Https\HttpsSettings;
use Stampede\Https\Redirect;
use Stampede\Log\AccessLog;
use Stampede\Log\ExceptionFormatter;
use Stampede\Log\LogText;
use Stampede\Php\ExtensionLoader;
use Stampede\Process\ProcessRunner;
use Stampede\Process\ProcessRunnerFactory;
use Stampede\Process\ZygoteClient;
use Stampede\Runner\PooledLaravelRunner;
use Stampede\Runner\Runner;
use Stampede\Runner\RunnerFactory;
use Stampede\Supervisor\BackgroundCommand;
use Stampede\Supervisor\ServerStateFile;
use Stampede\Tls\Certificate;
use Swoole\Atomic;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server as HttpServer;
use Swoole\Server\Helper;
use Swoole\Server\Port;
use Swoole\Timer;
use Throwable;

use function Stampede\run_in_batches;

/** The server of one application: its settings, its workers' events, and what the user is told. */
final class Server
{
    private const WEBSOCKET_MESSAGE = 1 << 20;
    private const WEBSOCKET_MESSAGE_TIME = 30; // seconds from a message's first byte to its last
    private const WEBSOCKET_IDLE_TIME = 60; // seconds without a sign of life; after half of them there is a ping
    private const WATCHDOG_MORE = TimeLimit::AGAIN + 1; // seconds: a worker ends such a request itself, and keeps the others
    private const RESPONSE_SPOOL = 1 << 30; // bytes of a worker's responses that wait for slow clients in temporary files
    private const BODIES = 1 << 30; // bytes of bodies in memory; less where there is little memory, more where --max-body needs it
    private const UPLOADS = 1 << 30; // bytes of uploaded files of all requests together, unless --max-body needs more
    private const DRAIN = 5.0; // seconds in production
    private const REPLACE_MORE = 5; // seconds, that a replaced worker stays for a request after its time limit
    private const REPLACE_TIME = 60; // seconds, where requests have no time limit
    private const WAIT_TIME = 3; // seconds, max_wait_time of a server that was not told
    private const CHECK_END_TIME = 1.0; // seconds between the limit of a health check and its end
    private const START_TIME = 10.0; // seconds until a worker has its endpoints and the processes of its requests

    private HttpServer $server;
    /** @var list<ListenAddress> */
    private array $addresses;
    private ?WorkerKernel $worker = null;
    private readonly Atomic $served;
    private readonly Atomic $failed;
    private readonly AccessLog $log;
    private readonly BootFailure $fault;
    private readonly Generation $generation;
    private readonly ?ReloadNotifier $pages;
    private readonly RouteTable $routes;
    /** @var list<string> noted before the processes of the server change how they are shown by ps */
    private readonly array $command;
    private readonly int $startedAt;
    private ?ProcessRunner $processes = null;
    private ?FileWatcher $watcher = null;
    private readonly ?HttpsSettings $https;
    private ?CertificateWatch $certificateWatch = null;
    private ?Renewals $renewals = null;
    private readonly ?PageProof $page; // that an authority asks for
    private ?Listener $health = null;
    /** @var list<BackgroundCommand> */
    private readonly array $background;

    /**
     * @param Closure(string, string=): void $say lines for the user, and the level of a log
     * @param Closure(): void $serves called once the first worker accepts connections
     */
    public function __construct(
        private readonly Project $project,
        private readonly Configuration $options,
        private readonly Closure $say,
        private readonly Closure $serves,
    ) {
        $this->served = new Atomic(0);
        $this->failed = new Atomic(0);
        $this->log = new AccessLog($options);
        $this->fault = new BootFailure();
        $this->generation = new Generation($project->directory, $this->fault, (float) $options->get('boot-timeout'), fn (ZygoteClient $program): ProcessRunner => $this->runners()->runner($program, static function (): void {}), $project->kind === ApplicationKind::Plain ? new ChangedSources(new SourceTree($project->directory)) : null);
        $this->pages = $options->is('watch') && $options->text('env') !== 'prod' ? new ReloadNotifier($this->fault) : null;
        $this->routes = $project->routes($options);
        $this->addresses = array_map(ListenAddress::parse(...), $options->list('listen'));
        $this->https = HttpsSettings::of($options);
        $this->page = $this->https?->proof instanceof PageProof ? $this->https->proof : null;
        $this->background = BackgroundCommand::read($options->background(), $project->directory);
        $this->command = [PHP_BINARY, ...ExtensionLoader::settings()];
        $this->startedAt = time();
    }

    /** Returns when the server has been stopped. @return bool whether it has served */
    public function run(): bool
    {
        $file = ServerStateFile::fileOf($this->project->directory, $this->options);
        ServerStateFile::demandPlace($file);
        $running = ServerStateFile::find($this->project->directory, $this->options);
        if ($running !== null) {
            throw new LaunchException("This application is served already, by process {$running->pid} on " . implode(', ', $running->urls) . ': stop it with "stampede stop", or give another --pid-file.');
        }
        $this->open();
        $this->server->on('start', function (HttpServer $server) use ($file): void {
            if (!$this->remember($file, $server) || !$this->tellHealth($server)) {
                return;
            }
            BootProgress::show($this->project->entry, (float) $this->options->get('boot-timeout'), fn (): bool => $this->served->get() + $this->failed->get() > 0, $this->say);
            if ($this->options->is('watch')) {
                $this->watch($server);
            }
            if ($this->https !== null) {
                $this->certificateWatch = new CertificateWatch($this->https->certificates, $this->options, $server->reload(...), $this->say);
                $this->certificateWatch->start();
                $this->renewCertificates($this->https, $this->certificateWatch);
            }
        });
        $this->server->on('shutdown', function () use ($file): void {
            $this->watcher?->stop();
            $this->certificateWatch?->stop();
            $this->renewals?->stop();
            $this->health?->stop();
            @unlink($file);
        });
        $this->server->on('beforeShutdown', fn () => $this->health?->announceStop());
        $this->server->on('afterReload', function (): void {
            $this->pages?->changed();
            foreach ($this->background as $command) {
                $command->reload();
            }
        });
        $this->server->on('beforeReload', $this->fault->clear(...));
        $this->bootOnce();
        $this->server->on('workerStart', $this->startWorker(...));
        $this->server->on('pipeMessage', static fn (HttpServer $server, int $from, mixed $message) => Broadcast::receive($message));
        $this->server->on('workerStop', fn () => $this->worker?->reportGrowth());
        $this->server->on('workerExit', function (): void {
            $this->processes?->leave();
            $this->worker?->leave($this->waitTime());
        });
        $this->server->on('workerError', function (HttpServer $server): void {
            if ($this->served->get() === 0 && $this->failed->cmpset(0, 1)) {
                ($this->say)('The application does not boot: its worker ended, see the message before.', 'error');
                $server->shutdown();
            }
        });
        $this->server->on('request', $this->handle(...));
        ProcessIdentity::of($this->options, $this->project->directory)?->setEnvironment();
        try {
            $this->server->start();
        } catch (\Swoole\Exception $exception) {
            throw new LaunchException("The server cannot start: {$exception->getMessage()}.", 0, $exception);
        }
        return $this->failed->get() === 0;
    }

    private function waitTime(): float
    {
        return (float) ($this->server->setting['max_wait_time'] ?? self::WAIT_TIME);
    }

    private function watch(HttpServer $server): void
    {
        $this->watcher = new FileWatcher(
            $this->project->directory,
            fn () => $server->reload(),
            $this->fault->set(...),
            fn () => $this->pages?->changed(),
            $this->say,
        );
        $this->watcher->start();
    }

    private function bootOnce(): void
    {
        $this->server->on('boot', fn () => $this->generation->boot($this->bridgeOfWorkers(), $this->programOfProcesses()));
        $path = $this->options->text('health-check');
        $warmUp = $this->project->kind === ApplicationKind::Plain ? $this->options->list('warm-up') : []; // the programs of other kinds have it before they fork
        if ($path !== '' || $warmUp !== []) {
            $this->server->on('bootCheck', function () use ($path, $warmUp): void {
                $path === '' || $this->generation->check($path);
                array_map($this->generation->warmUp(...), $warmUp);
            });
        }
        $this->server->on('bootError', $this->bootFailed(...));
    }

    private function bridgeOfWorkers(): ?Runner
    {
        if (!$this->routes->uses(IsolationMode::Coroutine) && !$this->routes->uses(IsolationMode::Sequential)) {
            return null;
        }
        $project = $this->project;
        $isolation = $this->routes->uses(IsolationMode::Coroutine) ? IsolationMode::Coroutine : IsolationMode::Sequential;
        return RunnerFactory::of($project->application, $this->options->text('env'), $isolation);
    }

    /** What handles requests in processes of their own is forked from a program that has no socket or event loop of the server. */
    private function programOfProcesses(): ?ZygoteClient
    {
        if (!$this->routes->uses(IsolationMode::Process)) {
            return null;
        }
        return $this->runners()->program($this->command, __DIR__ . '/main.php', ServerProcess::FORKS);
    }

    private function runners(): ProcessRunnerFactory
    {
        return new ProcessRunnerFactory($this->project, $this->options, self::workers($this->options), $this->routes->longest());
    }

    public static function workers(Configuration $options): int
    {
        return $options->number('workers') ?: Machine::here()->workers();
    }

    /** @return list<ListenAddress> where one worker alone listens, by its number */
    public static function ofWorkers(Configuration $options): array
    {
        $first = $options->text('worker-listen');
        return $first === '' ? [] : array_map(ListenAddress::parse($first)->further(...), range(0, self::workers($options) - 1));
    }

    private function open(): void
    {
        [$first] = $this->addresses ?: throw new LaunchException('The option "listen" names no address.');
        try {
            $this->server = new HttpServer($first->host, $first->port, SWOOLE_PROCESS, $first->socketType());
        } catch (\Swoole\Exception $exception) {
            throw new LaunchException("{$first->name()} cannot be listened on: {$exception->getMessage()}. Choose another with --listen.");
        }
        foreach (array_slice($this->addresses, 1) as $address) {
            $this->listen($address, 'listen');
        }
        foreach (self::ofWorkers($this->options) as $worker => $address) {
            $this->listen($address, 'worker-listen')->set(['only_worker' => $worker]);
        }
        $this->set($this->settings());
        if ($this->https !== null) {
            $this->secure($this->https);
        }
        foreach ($this->background as $command) {
            $command->addTo($this->server, $this->waitTime());
        }
    }

    /**
     * A setting that would be passed over with a warning is the user's mistake.
     *
     * @param array<string, mixed> $settings
     */
    private function set(array $settings): void
    {
        $this->refuseWarnings(fn () => $this->server->set($settings));
    }

    /** @param Closure(): mixed $set sets settings of the server or of a port */
    private function refuseWarnings(Closure $set): void
    {
        $known = array_keys(Helper::SERVER_OPTIONS + Helper::PORT_OPTIONS + Helper::GLOBAL_OPTIONS);
        set_error_handler(static function (int $number, string $text) use ($known): never {
            $text = (string) preg_replace('/^\S+\(\): |: (it keeps its value|\d+ is used)$/', '', $text);
            $unknown = preg_match('/^unsupported option \[(.*)\]$/s', $text, $found) === 1;
            throw new LaunchException($unknown
                ? "The option \"server\" has a setting \"{$found[1]}\" that does not exist" . Suggestion::for($found[1], $known) . '.'
                : "The settings of the server cannot be used: {$text}.");
        });
        try {
            $set();
        } finally {
            restore_error_handler();
        }
    }

    private function secure(HttpsSettings $https): void
    {
        foreach ($this->addresses as $i => $address) {
            if ($address->isSecure) {
                $this->refuseWarnings(fn () => $this->server->ports[$i]->set($https->settings()));
            }
        }
        foreach ($https->redirected as $address) {
            $port = $this->listen($address, 'redirect');
            $port->set(['enable_static_handler' => false]);
            $port->on('request', function (Request $request, Response $response): void {
                if ($this->page?->handle($request, $response) === true) {
                    return;
                }
                $began = hrtime(true);
                $this->log->write($request, $this->redirect()->handle($request, $response), hrtime(true) - $began);
            });
        }
    }

    private function renewCertificates(HttpsSettings $https, CertificateWatch $watch): void
    {
        if ($https->acme !== null && $https->proof !== null) {
            $this->renewals = new Renewals($https->acme, $https->proof, $watch->compare(...), $this->say);
            $this->renewals->start();
        }
    }

    private function redirect(): Redirect
    {
        $secure = array_filter($this->addresses, static fn (ListenAddress $address): bool => $address->isSecure);
        return new Redirect($this->options->text('server-name'), $this->server->ports[array_key_first($secure)]->port);
    }

    private function listen(ListenAddress $address, string $option): Port
    {
        $port = @$this->server->listen($address->host, $address->port, $address->socketType());
        if ($port === false) {
            throw new LaunchException("{$address->name()} cannot be listened on: " . (error_get_last()['message'] ?? 'unknown reason') . ". Choose another with --{$option}.");
        }
        return $port;
    }

    /** An eighth of the memory, as long as each worker can have two bodies. */
    private static function bodies(Configuration $options): int
    {
        return max(self::shareOfMemory(), 2 * $options->number('max-body') * self::workers($options));
    }

    private static function shareOfMemory(): int
    {
        $memory = Machine::here()->memory;
        return $memory === null ? self::BODIES : min(self::BODIES, intdiv($memory, 8));
    }

    /** @return array<string, mixed> */
    private function settings(): array
    {
        $options = $this->options;
        // PHP reads the bodies of their forms.
        $isScripts = $this->project->runsScripts($options);
        $settings = [
            'worker_num' => self::workers($this->options),
            'max_request' => $options->number('max-requests'),
            'package_max_length' => $options->number('max-body'),
            'http_parse_files' => !$isScripts,
            'http_parse_post' => !$isScripts,
            'http_parse_cookie' => false, // see Cookies
            'upload_max_total' => max(self::UPLOADS, 2 * $options->number('max-body') * self::workers($options)),
            'body_max_total' => self::bodies($options),
            'unsent_max_total' => self::shareOfMemory(),
            'response_spool_size' => self::RESPONSE_SPOOL,
            'websocket_max_message' => self::WEBSOCKET_MESSAGE,
            'websocket_message_timeout' => self::WEBSOCKET_MESSAGE_TIME,
            'websocket_idle_time' => self::WEBSOCKET_IDLE_TIME,
            'hook_flags' => SWOOLE_HOOK_ALL,
            'stack_size' => ServerProcess::C_STACK,
            'daemonize' => $options->is('daemon'),
            'log_level' => SWOOLE_LOG_WARNING,
            'watchdog_timeout' => $this->routes->longest() > 0 ? $this->routes->longest() + self::WATCHDOG_MORE : 0,
            // The program of the isolation process has the limit itself, and says more about it.
            'boot_timeout' => (float) $options->get('boot-timeout') + ($this->routes->uses(IsolationMode::Process) ? Generation::CHECK_TIME + self::CHECK_END_TIME : 0.0),
            'worker_start_timeout' => self::START_TIME,
            'max_replace_time' => $this->longestRequest(),
            'max_stop_time' => (int) ceil($this->patience('stop-timeout') ?? $this->longestRequest()),
            'drain_time' => $this->patience('drain') ?? ($options->text('env') === 'prod' ? self::DRAIN : 0.0),
        ];
        $places = $this->places($this->project->isolation);
        if ($places > 0 && !$this->countsItself()) {
            $settings['worker_max_concurrency'] = $places;
        }
        if ($options->text('log-file') !== '') {
            $settings['log_file'] = $options->text('log-file');
        }
        $settings += ['enable_static_handler' => true, 'document_root' => $this->project->documentRoot, ...$this->project->application->files()->serverSettings()];
        $settings['static_handler_cached'] = CacheRules::read($options->list('cache'));
        if ($options->list('trusted-proxies') !== []) {
            $settings['trusted_proxies'] = $options->list('trusted-proxies');
        }
        $control = ServerStateFile::controlOf(ServerStateFile::fileOf($this->project->directory, $options));
        if ($control !== '') {
            $settings['control_socket'] = $control;
        } elseif ($options->text('health-listen') !== '') {
            throw new LaunchException('The option "health-listen" needs a control socket beside the pid file, whose path is too long for one: give a shorter --pid-file.');
        }
        return $options->serverSettings() + (ProcessIdentity::of($options, $this->project->directory)?->settings() ?? []) + $settings;
    }

    private function patience(string $option): ?float
    {
        $seconds = (float) $this->options->get($option);
        return $seconds === OptionType::AUTOMATIC ? null : $seconds;
    }

    /** Seconds until a request that has begun has certainly ended. */
    private function longestRequest(): int
    {
        return $this->routes->longest() > 0 ? (int) ceil($this->routes->longest()) + self::REPLACE_MORE : self::REPLACE_TIME;
    }

    private function places(IsolationMode $isolation): int
    {
        return $isolation->places($this->options->number('processes'));
    }

    /**
     * Clients of endpoints and open pages would take places for as long as they stay, and routes of several isolations have several kinds
     * of places: the worker counts requests itself then.
     */
    private function countsItself(): bool
    {
        return $this->options->text('endpoints') !== '' || $this->pages !== null || !$this->routes->isUniform();
    }

    /** A server that cannot be found again does not stay. */
    private function remember(string $file, HttpServer $server): bool
    {
        try {
            $this->describe($server)->write($file);
        } catch (LaunchException $failure) {
            $this->fail($server, $failure);
            return false;
        }
        return true;
    }

    /** A server that those who watch over it cannot ask does not stay. */
    private function tellHealth(HttpServer $server): bool
    {
        $address = $this->options->text('health-listen');
        if ($address === '') {
            return true;
        }
        try {
            $this->health = new Listener(ListenAddress::parse($address), new Supervisor((string) $server->setting['control_socket']), fn (): array => $this->facts($server));
            $this->health->start();
        } catch (LaunchException $failure) {
            $this->fail($server, $failure);
            return false;
        }
        return true;
    }

    /** @return array<string, mixed> for those who watch over the server */
    private function facts(HttpServer $server): array
    {
        $running = $this->describe($server);
        return ['pid' => $running->pid, 'urls' => $running->urls, 'directory' => $running->directory, 'kind' => $running->kind, 'isolation' => $running->isolation,
            'workers' => $running->workers, 'started_at' => $running->startedAt, 'certificates' => $this->certificateWatch?->certificates()->facts() ?? []];
    }

    private function fail(HttpServer $server, LaunchException $failure): void
    {
        $this->failed->set(1);
        ($this->say)($failure->getMessage(), 'error');
        $server->shutdown();
    }

    private function describe(HttpServer $server): ServerStateFile
    {
        return new ServerStateFile(
            $server->master_pid,
            $this->urls(),
            $this->project->directory,
            $this->project->kind->value,
            $this->project->isolation->value,
            self::workers($this->options),
            $this->startedAt,
            (string) ($server->setting['control_socket'] ?? ''),
            ServerStateFile::birthOf($server->master_pid),
            $this->beside(),
            array_map(static fn (Certificate $each): array => [$each->file, $each->keyFile], $this->https?->certificates->all ?? []),
        );
    }

    /** @return list<string> */
    private function beside(): array
    {
        $beside = array_map(static fn (ListenAddress $address): string => "redirects to https on {$address->url($address->port)}", $this->https->redirected ?? []);
        $health = $this->options->text('health-listen');
        return $health === '' ? $beside : [...$beside, 'health on ' . ListenAddress::parse($health)->url(ListenAddress::parse($health)->port)];
    }

    /** @return list<string> */
    private function urls(): array
    {
        return array_map(fn (ListenAddress $address, Port $port): string => $address->url($port->port), $this->addresses, array_slice($this->server->ports, 0, count($this->addresses)));
    }

    /** @return list<string> by the number of the worker */
    private function urlsOfWorkers(): array
    {
        $addresses = self::ofWorkers($this->options);
        return array_map(fn (ListenAddress $address, Port $port): string => $address->url($port->port), $addresses, array_slice($this->server->ports, count($this->addresses), count($addresses)));
    }

    private function startWorker(HttpServer $server): void
    {
        LogText::$worker = $server->worker_id;
        Broadcast::join($server);
        register_shutdown_function($this->log->flush(...));
        $bridge = $this->generation->bridge();
        try {
            chdir($this->project->directory);
            $program = $this->generation->program();
            $this->processes = $program === null ? null : $this->openProcesses($server, $program);
            if ($bridge === null) {
                ini_set('memory_limit', '-1'); // the application has its own in its processes; here are the bodies of many requests
            }
            $endpoints = Endpoints::load($this->endpointsFile(), AllowedOrigins::parse($this->options->text('origins')));
        } catch (Throwable $failure) {
            $this->fault->set(ExceptionFormatter::sentence($failure));
            $this->bootFailed($server, '');
            if ($this->served->get() !== 0) {
                throw new LaunchException('this worker is not used', 0, $failure);
            }
            return;
        }
        $this->worker = new WorkerKernel($server, new Router($bridge, $this->processes, $this->routes, $this->countsItself() ? $this->places(...) : null), $this->options, $this->log, $endpoints, $this->pages, new MissingFileNotice($this->project->application), $this->https?->strictTransport() ?? '');
        // A timer runs once this worker accepts connections.
        Timer::after(1, function (): void {
            if ($this->served->cmpset(0, 1)) {
                $alone = $this->urlsOfWorkers();
                ($this->say)('Listening on ' . implode(', ', $this->urls()) . ($alone === [] ? '' : '; each worker alone on ' . implode(', ', $alone)) . implode('', array_map(static fn (string $each): string => "; {$each}", $this->beside())));
                ($this->serves)();
            }
        });
    }

    /** The first time there is nothing to serve; later the code before goes on. */
    private function bootFailed(HttpServer $server, string $why): void
    {
        if ($this->fault->text() === '') {
            // Code that declares a function again ends the process at once, without an exception.
            $isSecondBoot = $this->project->kind === ApplicationKind::Laravel && $this->routes->uses(IsolationMode::Coroutine) && preg_match('/^Cannot (re)?declare /', $why) === 1;
            $this->fault->set($why . ($isSecondBoot ? '. ' . PooledLaravelRunner::ONCE : ''));
        }
        $isFirst = $this->served->get() === 0;
        if (!$isFirst || $this->failed->cmpset(0, 1)) {
            ($this->say)("The application does not boot: {$this->fault->text()}", 'error');
        }
        if ($isFirst) {
            $server->shutdown();
        }
    }

    private function endpointsFile(): string
    {
        $file = $this->options->text('endpoints');
        return $file === '' || str_starts_with($file, '/') ? $file : "{$this->project->directory}/{$file}";
    }

    private function handle(Request $request, Response $response): void
    {
        if ($this->page?->handle($request, $response) === true) {
            return;
        }
        if ($this->worker !== null) {
            $this->worker->handle($request, $response);
            return;
        }
        $response->status(503);
        $response->header('Retry-After', '1');
        $response->end("The application is still starting in this worker.\n");
    }

    private function openProcesses(HttpServer $server, ZygoteClient $program): ProcessRunner
    {
        $runner = $this->runners()->runner($program, static function () use ($server): void {
            LogText::log('The process that forks those of requests has ended: its worker is replaced.');
            $server->stop($server->worker_id);
        });
        if (!$runner->open()) {
            if ($program->miss()) {
                LogText::log(ZygoteClient::GONE . ' It is booted again.');
                $server->reload();
            }
            throw new LaunchException(ZygoteClient::GONE);
        }
        if ($this->project->kind !== ApplicationKind::Plain) { // processes that run scripts lose more by waiting for the worker than it gains
            run_in_batches();
        }
        return $runner;
    }
}
