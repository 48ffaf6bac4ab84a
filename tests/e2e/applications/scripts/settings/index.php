<?php echo 1 / 3, " ", ini_get("user_agent");
