<?php echo json_encode([$_SERVER["PHP_AUTH_USER"] ?? null, $_SERVER["PHP_AUTH_PW"] ?? null, $_SERVER["REMOTE_USER"], $_SERVER["AUTH_TYPE"] ?? null]);
