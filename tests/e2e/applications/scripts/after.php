<?php echo "done"; fastcgi_finish_request(); usleep(2_000_000); file_put_contents($_GET["file"], "after");
