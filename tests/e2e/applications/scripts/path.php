<?php echo json_encode([$_SERVER["PATH_INFO"], $_SERVER["SCRIPT_NAME"], $_SERVER["PHP_SELF"], $_SERVER["DOCUMENT_URI"], basename($_SERVER["SCRIPT_FILENAME"])]);
