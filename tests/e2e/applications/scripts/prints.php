<?php
// Prints for ever, whether or not there is somebody who reads.
ignore_user_abort(true);
set_time_limit(0);
while (true) {
    echo str_repeat('x', 65536);
}
