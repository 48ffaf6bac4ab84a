<?php function declared(): string { return "declared"; } final class Declared {} const DECLARED = 1; define("ALSO", 2); echo declared(), count(get_included_files()), "\n";
