<?php

declare(strict_types=1);

namespace Paddock;

use Paddock\Accounts\Counters;
use Paddock\Accounts\DatabaseCounters;
use Paddock\Accounts\RedisCounters;
use Paddock\Accounts\Sessions;
use Paddock\Accounts\Tokens;
use Paddock\Accounts\Users;
use Paddock\Data\Database;
use Paddock\Data\Redis;
use Paddock\Data\Schema;
use Paddock\Live\ChangeStream;
use Paddock\Live\DraftSocket;
use Paddock\Live\Hub;
use Paddock\Live\RedisWire;
use Paddock\Live\WorkerWire;
use Paddock\Notes\Files;
use Paddock\Notes\Notes;
use Paddock\Web\AccountPages;
use Paddock\Web\Api;
use Paddock\Web\FilePages;
use Paddock\Web\NotePages;
use Paddock\Web\Router;
use Paddock\Web\Site;
use Paddock\Web\TokenPages;
use Paddock\Web\Views;

/** The parts of Paddock, put together once in each worker. Nothing is connected before the first request. */
final readonly class Application
{
    public Site $site;
    public ChangeStream $changes;
    public DraftSocket $drafts;

    public function __construct(Settings $settings)
    {
        Schema::create($settings);
        $database = new Database($settings);
        $redis = $settings->redis === null ? null : new Redis($settings->redis);
        $hub = new Hub($redis === null ? new WorkerWire() : new RedisWire($redis));

        $users = new Users($database, $redis === null ? new DatabaseCounters($database) : new RedisCounters($redis));
        $sessions = new Sessions($database);
        $tokens = new Tokens($database);
        $files = new Files("{$settings->folder}/files");
        $notes = new Notes($database, $files, $hub);
        $views = new Views(dirname(__DIR__) . '/templates');

        $router = new Router();
        (new NotePages($notes, $views))->addTo($router);
        (new FilePages($notes, $files))->addTo($router);
        (new AccountPages($users, $sessions, $views))->addTo($router);
        (new TokenPages($tokens, $views))->addTo($router);
        (new Api($notes))->addTo($router);

        $this->site = new Site($router, $sessions, $tokens, $views);
        $this->changes = new ChangeStream($hub, $notes, $sessions, $tokens, $views);
        $this->drafts = new DraftSocket($hub, $sessions);
    }

    /** The one of this process: app.php and endpoints.php ask for it. */
    public static function started(): self
    {
        static $application = null;
        return $application ??= new self(Settings::of((string) getenv('DATABASE_URL'), dirname(__DIR__) . '/var'));
    }
}
