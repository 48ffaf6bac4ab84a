<?php

/* Changes something of its process that PHP does not put back. */

match ($_GET['what'] ?? '') {
    'limit' => posix_setrlimit(POSIX_RLIMIT_NOFILE, 200, 200),
    'priority' => proc_nice(1),
    'group' => posix_setpgid(0, 0),
    'signals' => pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1]),
    default => null,
};
preg_match('/^SigBlk:\s+(\w+)/m', (string) file_get_contents('/proc/self/status'), $blocked);
echo json_encode([getmypid(), posix_getrlimit()['hard openfiles'], pcntl_getpriority(), posix_getpgid(0) === posix_getpid(), $blocked[1]]);
