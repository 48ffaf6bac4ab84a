<?php

declare(strict_types=1);

namespace Stampede\Doctor;

/** Extensions: those that do not go together with a server of coroutines, and what drivers of databases do. */
final readonly class ExtensionCheck implements Check
{
    private const AGAINST = [
        'openswoole' => 'It defines the same classes: take it out of php.ini.',
        'parallel' => 'It needs the build of PHP for threads.',
        'uopz' => 'It changes functions of the engine while coroutines run them: take it out of php.ini.',
    ];
    private const SLOW = [
        'xdebug' => 'Load it only to debug (xdebug.mode=off in production, better not at all): it makes every call dearer and stops the JIT.',
        'pcov' => 'Load it only for the coverage of tests: it stops the JIT.',
        'blackfire' => 'Its probe looks at one request at a time: use it with --isolation=process or sequential.',
        'tideways' => 'It looks at one request at a time: use it with --isolation=process or sequential.',
        'newrelic' => 'It looks at one request at a time: use it with --isolation=process or sequential.',
        'ddtrace' => 'It looks at one request at a time: use it with --isolation=process or sequential.',
        'grpc' => 'Set grpc.enable_fork_support=1: its threads do not survive the start of a worker otherwise.',
    ];
    private const BLOCKING = [
        'oci8' => 'Oracle', 'pdo_oci' => 'Oracle', 'sqlsrv' => 'SQL Server', 'pdo_sqlsrv' => 'SQL Server', 'ibm_db2' => 'Db2', 'interbase' => 'Firebird', 'pdo_firebird' => 'Firebird',
    ];

    /** @param list<string>|null $loaded names in lower case; null: those of this process */
    public function __construct(private ?array $loaded = null) {}

    public function subject(): string
    {
        return 'extensions';
    }

    public function findings(): array
    {
        $loaded = $this->loaded ?? array_map(strtolower(...), get_loaded_extensions());
        $findings = [];
        foreach (array_intersect_key(self::AGAINST, array_flip($loaded)) as $name => $advice) {
            $findings[] = Finding::problem("the extension {$name} is loaded", $advice);
        }
        foreach (array_intersect_key(self::SLOW, array_flip($loaded)) as $name => $advice) {
            $findings[] = Finding::advice("the extension {$name} is loaded", $advice);
        }
        foreach (array_intersect_key(self::BLOCKING, array_flip($loaded)) as $name => $database) {
            $findings[] = Finding::advice("{$name} ({$database}) blocks its worker while it waits", 'Use --isolation=process or more workers where it is used.');
        }
        $drivers = array_values(array_intersect(['pdo_mysql', 'mysqli', 'pdo_pgsql', 'pgsql', 'pdo_sqlite', 'redis', 'memcached', 'mongodb', 'pdo_odbc'], $loaded));
        if (array_intersect(['pdo_mysql', 'mysqli'], $drivers) !== [] && !in_array('mysqlnd', $loaded, true)) {
            $findings[] = Finding::advice('MySQL is reached by its C library, which blocks its worker while it waits', 'Install the driver that is built with mysqlnd.');
        }
        $findings[] = Finding::good($drivers === [] ? 'no driver of a database is loaded' : 'waits in coroutines: ' . implode(', ', $drivers));
        return $findings;
    }
}
