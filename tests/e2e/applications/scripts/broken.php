<?php echo "never printed"; this is no code
