<?php

declare(strict_types=1);

/* The checks of database_clients_test.php on Swoole\Coroutine\Redis. A check is a line of JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\Redis;
use Swoole\Coroutine\Socket;
use Swoole\Coroutine\WaitGroup;

/** @var array{redis: int, redisSocket: string} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => "Redis client: $name", 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

/** A server that says what it is told, once somebody has spoken, and closes. @return int its port */
function says(string $answer, bool $close = true): int
{
    $server = new Socket(AF_INET, SOCK_STREAM, 0);
    $server->bind('127.0.0.1', 0);
    $server->listen(8);
    Coroutine::create(static function () use ($server, $answer, $close): void {
        while ($peer = $server->accept(2)) {
            $peer->recv();
            $peer->sendAll($answer);
            $close ? $peer->close() : $peer->recv(1, 2);
        }
    });
    return $server->getsockname()['port'];
}

Coroutine\run(static function () use ($at): void {
    $redis = new Redis();
    check('a new one', ['', 0, -1, false, 0, 0, ''], [$redis->host, $redis->port, $redis->sock, $redis->connected, $redis->errType, $redis->errCode, $redis->errMsg]);
    check('a command before connect', [false, 6], [$redis->get('a'), $redis->errType]);
    check('connect', [true, true, true, '127.0.0.1', $at['redis']], [$redis->connect('127.0.0.1', $at['redis']), $redis->connected, $redis->sock > 0, $redis->host, $redis->port]);
    $refused = new Redis();
    check('refused', [false, 1, 111, 'Connection refused', false], [$refused->connect('127.0.0.1', 1), $refused->errType, $refused->errCode, $refused->errMsg, $refused->connected]);
    check('a unix socket', [true, 'PONG'], [($byPath = new Redis())->connect("unix:$at[redisSocket]"), $byPath->ping()]);

    $redis->flushAll();
    check('set and get', [true, "v\r\n\0v", null], [$redis->set('a', "v\r\n\0v"), $redis->get('a'), $redis->get('missing')]);
    check('set with options', [true, null, true, true], [$redis->set('b', '1', ['nx', 'ex' => 100]), $redis->set('b', '2', ['nx']), $redis->ttl('b') > 90, $redis->set('b', 1, 100)]);
    check('numbers', [2, 5, '5.5'], [$redis->incr('b'), $redis->incrBy('b', 3), $redis->incrByFloat('b', 0.5)]);
    check('many', [true, ['1', '2', null], 2, 2], [$redis->mSet(['x' => 1, 'y' => 2]), $redis->mGet(['x', 'y', 'z']), $redis->exists('x', 'y'), $redis->del(['x', 'y'])]);
    check('an empty value and a large one', [true, '', true, 20_000_000], [$redis->set('e', ''), $redis->get('e'), $redis->set('large', str_repeat('x', 20_000_000)), strlen($redis->get('large'))]);
    check('hashes', [1, true, ['f', '1', 'g', '2'], ['1', null], ['f', 'g'], 1], [$redis->hSet('h', 'f', 1), $redis->hMSet('h', ['g' => 2]), $redis->hGetAll('h'), $redis->hMGet('h', ['f', 'n']), $redis->hKeys('h'), $redis->hDel('h', 'g')]);
    check('lists', [3, ['1', '2', '3'], 1, '2', ['l', '3']], [$redis->rPush('l', 1, 2, 3), $redis->lRange('l', 0, -1), $redis->lRem('l', 1), $redis->lPop('l'), $redis->blPop(['l'], 1)]);
    check('sets', [2, true, 2], [$redis->sAdd('s', ['m', 'n']), (bool) $redis->sismember('s', 'm'), count($redis->sMembers('s'))]);
    check('sorted sets', [2, ['m', 'n'], ['m', '1', 'n', '2'], ['n']], [$redis->zAdd('z', 1, 'm', 2, 'n'), $redis->zRange('z', 0, -1), $redis->zRange('z', 0, -1, true), $redis->zRangeByScore('z', 0, 5, ['limit' => [1, 1]])]);
    check('types', [1, 5, 4], [$redis->type('a'), $redis->type('h'), $redis->type('z')]);
    check('streams', ['1-1', [['st', [['1-1', ['k', 'v']]]]]], [$redis->xAdd('st', '1-1', ['k' => 'v']), $redis->xRead(['st' => '0'], ['count' => 10])]);
    check('scripts', [[1, 'k', 'v'], 3], [$redis->eval('return {1, KEYS[1], ARGV[1]}', ['k', 'v'], 1), $redis->evalSha($redis->script('load', 'return 3'))]);
    check('compatible', [true, ['f' => '1'], ['f' => '1', 'n' => false], ['m' => 1.0, 'n' => 2.0]], [$redis->setOptions(['compatibility_mode' => true]), $redis->hGetAll('h'), $redis->hMGet('h', ['f', 'n']), $redis->zRange('z', 0, -1, true)]);
    $redis->setOptions(['compatibility_mode' => false]);
    check('an error', [false, 2, true, true], [$redis->incr('a'), $redis->errType, str_contains($redis->errMsg, 'not an integer'), $redis->connected]);
    check('and the command behind it', ['PONG', 0, ''], [$redis->ping(), $redis->errType, $redis->errMsg]);
    check('any command', ['redis', true], [$redis->request(['ECHO', 'redis']), is_string($redis->request(['INFO', 'server']))]);
    check('transactions', [true, 'QUEUED', 'QUEUED', [1, false]], [$redis->multi(), $redis->incr('t'), $redis->lPop('t'), $redis->exec()]);
    check('serialize', [true, ['a' => 1], 'plain'], [$redis->setOptions(['serialize' => true]) && $redis->set('o', ['a' => 1]), $redis->get('o'), $redis->request(['ECHO', 'plain'])]);
    $redis->setOptions(['serialize' => false]);
    check('select', [true, 3, null, true], [$redis->select(3), $redis->getDBNum(), $redis->get('a'), $redis->select(0)]);

    check('defer', [true, true, true, true, true, "v\r\n\0v", false, false], [$redis->setDefer(), $redis->getDefer(), $redis->set('d', 1), $redis->get('a'), $redis->recv(), $redis->recv(), $redis->recv(), !$redis->setDefer(false)]);

    $listener = new Redis();
    $listener->connect('127.0.0.1', $at['redis']);
    $heard = new Channel(10);
    Coroutine::create(static function () use ($listener, $heard): void {
        $listener->subscribe(['news', 'more']);
        $listener->pSubscribe(['p*']);
        while ($message = $listener->recv()) {
            $heard->push($message);
        }
        $heard->push('over');
    });
    check('subscribed', [['subscribe', 'news', 1], ['subscribe', 'more', 2], ['psubscribe', 'p*', 3]], [$heard->pop(10), $heard->pop(10), $heard->pop(10)]);
    check('published', [1, ['message', 'news', 'text'], 1, ['pmessage', 'p*', 'pq', 'x']], [$redis->publish('news', 'text'), $heard->pop(10), $redis->publish('pq', 'x'), $heard->pop(10)]);
    $id = explode(' id=', ' ' . array_values(array_filter(explode("\n", $redis->request(['CLIENT', 'LIST'])), static fn (string $line): bool => str_contains($line, 'psub=1')))[0])[1];
    $redis->request(['CLIENT', 'KILL', 'ID', (string) (int) $id]);
    check('the end of a subscription', ['over', false], [$heard->pop(10), $listener->connected]);

    $killed = new Redis();
    $killed->connect('127.0.0.1', $at['redis']);
    $killed->select(2);
    $killed->set('where', 'two');
    $id = $killed->request(['CLIENT', 'ID']);
    $redis->request(['CLIENT', 'KILL', 'ID', (string) $id]);
    while (str_contains($redis->request(['CLIENT', 'LIST']), "id={$id} ")) { // the server closes the connection after it has said so
        Coroutine::sleep(0.001);
    }
    check('connects again, to its database', ['two', true], [$killed->get('where'), $killed->connected]);
    Coroutine::create(static function () use ($redis): void {
        Coroutine::sleep(0.05);
        $list = array_filter(explode("\n", $redis->request(['CLIENT', 'LIST'])), static fn (string $line): bool => str_contains($line, 'cmd=blpop'));
        foreach ($list as $line) {
            $redis->request(['CLIENT', 'KILL', 'ID', (string) (int) explode('id=', $line)[1]]);
        }
    });
    check('lost under way', [false, 3, false], [$killed->blPop('never', 10), $killed->errType, $killed->connected]);
    $slow = new Redis(['timeout' => 0.1]);
    $slow->connect('127.0.0.1', $at['redis']);
    $start = microtime(true);
    check('a time limit', [false, 1, 110, false], [$slow->blPop('never', 20), $slow->errType, $slow->errCode, $slow->connected]);
    check('in time', true, microtime(true) - $start < 10);
    check('and a fresh connection behind it', [1, 'PONG'], [$slow->publish('none', '') + 1, $slow->ping()]);

    foreach (["J\0\0\0\x0a5.5.5-10.11" => 4, "HTTP/1.1 400 Bad Request\r\n\r\n" => 4, "\$99999999999999\r\n" => 4, "*2\r\n\$1\r\nabc\r\n" => 4, str_repeat("*1\r\n", 100) => 4, ":x\r\n" => 4, "+PO" => 3, "\$10\r\nabc" => 3, '' => 3] as $answer => $type) {
        $bad = new Redis(['reconnect' => 0]);
        $bad->connect('127.0.0.1', says((string) $answer));
        check('a server that says ' . json_encode(substr((string) $answer, 0, 12)), [false, $type, false, -1], [$bad->get('a'), $bad->errType, $bad->connected, $bad->sock]);
    }
    $endless = new Redis(['timeout' => 5]);
    $endless->connect('127.0.0.1', says('+' . str_repeat('x', 1_000_000), false));
    check('a line without end', [false, 4], [$endless->get('a'), $endless->errType]);

    $given = (static function () use ($at): Redis {
        $redis = new Redis();
        $redis->connect('127.0.0.1', $at['redis']);
        return $redis;
    })();
    $cid = Coroutine::create(static function () use ($given, &$outcome): void {
        try {
            $outcome = $given->blPop('never', 20);
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    });
    Coroutine::cancel($cid, true);
    check('cancelled with an exception', [Coroutine\CanceledException::class, false], [$outcome, $given->connected]);
    $late = (static function () use ($at): Redis {
        $redis = new Redis();
        $redis->connect('127.0.0.1', $at['redis']);
        return $redis;
    })();
    Coroutine::join([Coroutine::create(static function () use ($late, &$outcome): void {
        Coroutine::setTimeLimit(0.1);
        try {
            $outcome = $late->blPop('never', 20);
        } catch (Throwable $error) {
            $outcome = $error::class;
        }
    })], 20);
    check('a time limit of the coroutine', [Coroutine\TimeoutException::class, false], [$outcome, $late->connected]);
    $shared = (static function () use ($at): Redis {
        $redis = new Redis();
        $redis->connect('127.0.0.1', $at['redis']);
        return $redis;
    })();
    $cid = Coroutine::create(static fn () => $shared->blPop('never', 1));
    $said = '';
    try {
        $shared->get('a');
    } catch (Swoole\Error $error) {
        $said = $error->getMessage();
    }
    $named = preg_match("~bound to another coroutine#$cid, which is waiting for a reply in .+redis_client\.php:\d+; .+ at the same time, in .+redis_client\.php:\d+~", $said);
    check('two at once are told, with both places', 1, $named ?: $said);
    Coroutine::join([$cid], 20);
    check('and the first goes on', 'PONG', $shared->ping());
    $group = new WaitGroup();
    $sum = 0;
    $start = microtime(true);
    for ($i = 0; $i < 200; $i++) {
        $group->add();
        Coroutine::create(static function () use ($at, $i, $group, &$sum): void {
            $redis = new Redis();
            $redis->connect('127.0.0.1', $at['redis']);
            $redis->set("k$i", $i);
            $redis->blPop("never$i", 1);
            $sum += (int) $redis->get("k$i");
            $group->done();
        });
    }
    $group->wait();
    check('200 at once', array_sum(range(0, 199)), $sum);
    check('they overlap', true, microtime(true) - $start < 50 ?: microtime(true) - $start);
    check('close', [true, false, false], [$redis->close(), $redis->connected, $redis->close()]);
});
