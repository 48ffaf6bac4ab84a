<?php

/* A command that runs in the background: notes that it was started, and works until it is told to end. */

file_put_contents("{$argv[1]}/started", getmypid() . ' ' . (extension_loaded('stampede') ? 'with' : 'without') . "\n", FILE_APPEND);
pcntl_async_signals(true);
pcntl_signal(SIGTERM, static function () use ($argv): never {
    file_put_contents("{$argv[1]}/ended", getmypid() . "\n", FILE_APPEND);
    exit(0);
});
for (;;) {
    sleep(10);
}
