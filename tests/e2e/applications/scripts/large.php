<?php for ($i = 0; $i < 3000; $i++) { echo $i, " ", str_repeat(chr(65 + $i % 26), 400), "\n"; }
