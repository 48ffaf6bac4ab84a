<?php echo $undefined, fopen("/nothing/<i>here", "r") === false ? "no file" : "";
