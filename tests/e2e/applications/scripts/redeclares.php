<?php echo "before"; eval("function strlen() {}");
