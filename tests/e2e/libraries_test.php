<?php

declare(strict_types=1);

/* Libraries that know nothing of coroutines run in many: Doctrine, predis, php-amqplib, Guzzle, Symfony, the SDK of AWS. */

namespace Stampede\Tests\E2e;

final class libraries_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        $autoload = exec(escapeshellarg(__DIR__ . '/libraries/install'), $lines, $status);
        if ($status !== 0 || $autoload === false) {
            $this->check('the packages are there', false, implode("\n", $lines));
            return;
        }
        $rabbit = new RabbitMq();
        $mysql = Database::mariadb();
        $pg = Database::postgres();
        $redis = Database::redis();
        $http = new Server('object_store');
        $mails = External::folder();
        $smtp = new External([PHP_BINARY, '-n', __DIR__ . '/apps/smtp_server.php', (string) ($smtpPort = Server::freePort()), $mails], $mails, "tcp://127.0.0.1:$smtpPort");
        $module = getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so';
        $at = json_encode(['autoload' => $autoload, 'mysql' => $mysql->port, 'pg' => $pg->port, 'redis' => $redis->port, 'amqp' => $rabbit->port, 'smtp' => $smtpPort,
            'mails' => $mails, 'http' => $http->port], JSON_THROW_ON_ERROR);
        Companion::reportChecks($this, [PHP_BINARY, '-d', "extension=$module", '-d', 'memory_limit=512M', '-d', 'error_reporting=8191', __DIR__ . '/apps/libraries.php', $at], 90.0);
    }
}
