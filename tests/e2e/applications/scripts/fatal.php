<?php echo "printed before "; register_shutdown_function(function () { echo " shutdown ", error_get_last()["type"]; }); undefined_function();
