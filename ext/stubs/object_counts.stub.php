<?php

/** @generate-function-entries */

namespace Stampede;

/** How many objects of each class there are in this process, by the name of the class. */
function object_counts(): array {}
