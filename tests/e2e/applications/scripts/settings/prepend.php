<?php echo "prepended ";
