<?php echo "folder ", basename(getcwd()), " ", $_SERVER["SCRIPT_NAME"];
