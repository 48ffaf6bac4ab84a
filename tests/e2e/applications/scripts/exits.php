<?php register_shutdown_function(function () { echo " shutdown"; }); final class Last { function __destruct() { echo " destructor"; } } $last = new Last(); echo "before"; exit(" text");
