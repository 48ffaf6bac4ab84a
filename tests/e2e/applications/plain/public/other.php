<?php echo "another script ", $_SERVER["SCRIPT_NAME"], " ", $_SERVER["PATH_INFO"] ?? "";
