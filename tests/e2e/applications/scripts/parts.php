<?php echo getmypid(), "\n"; usleep(isset($_GET["wait"]) ? 400_000 : 0); for ($i = 0; $i < 4; $i++) { @ob_flush(); flush(); usleep(20_000); echo "part\n"; } file_put_contents($_GET["file"], "ended");
