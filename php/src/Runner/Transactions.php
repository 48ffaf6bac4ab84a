<?php

declare(strict_types=1);

namespace Stampede\Runner;

use Doctrine\DBAL\Connection as DoctrineConnection;
use Illuminate\Foundation\Application;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Throwable;

/**
 * Connections to databases outlive requests: a transaction that one has begun and neither committed nor rolled back, as after exit or an
 * exception, would go on in the next one, and nothing of it might ever be committed. Where each request has a process, its end is a rollback.
 */
final class Transactions
{
    public static function endThoseOfDoctrine(ContainerInterface $container): void
    {
        foreach ($container->initialized('doctrine') ? $container->get('doctrine')->getConnectionNames() : [] as $service) {
            $connection = $container->initialized($service) ? $container->get($service) : null;
            if ($connection instanceof DoctrineConnection && $connection->isTransactionActive()) {
                try {
                    while ($connection->isTransactionActive()) {
                        $connection->rollBack(); // the innermost one
                    }
                } catch (Throwable) {
                    $connection->close();
                }
            }
        }
    }

    public static function endThoseOfLaravel(Application $application): void
    {
        foreach ($application->resolved('db') ? $application->make('db')->getConnections() : [] as $connection) {
            $connection->flushQueryLog();
            $connection->forgetRecordModificationState(); // after which a request reads where it has written
            if ($connection->transactionLevel() > 0) {
                try {
                    $connection->rollBack(0); // all of them
                } catch (Throwable) {
                    $connection->disconnect();
                }
            }
        }
    }
}
