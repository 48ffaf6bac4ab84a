<?php posix_kill(getmypid(), SIGKILL);
