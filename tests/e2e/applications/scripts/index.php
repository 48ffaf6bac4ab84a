<?php echo "front ", $_SERVER["REQUEST_URI"], " ", $_SERVER["SCRIPT_NAME"], " ", $_SERVER["PHP_SELF"], "\n";
