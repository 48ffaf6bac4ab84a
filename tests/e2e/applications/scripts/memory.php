<?php echo "before"; ini_set("memory_limit", "32M"); str_repeat("x", 64 << 20);
