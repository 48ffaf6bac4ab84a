<?php echo "the client has this"; header("X-Finished: 1"); fastcgi_finish_request(); echo " and not this"; var_dump(fastcgi_finish_request());
