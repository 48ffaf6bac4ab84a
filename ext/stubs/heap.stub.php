<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * What this process holds: unit and size of each collection that has a name, by its path (`App\\Audit::$entries`, `$kernel->cache['users']`), and of each
 * class ("class NAME"), its instances. The process does nothing else meanwhile.
 * @param float $pause seconds that this may take
 * @return array<string, array{string, int}>|null null: there is more than can be looked at in that time
 */
function heap_sizes(float $pause): ?array {}

/**
 * By what path an instance of each class is held, by the name of the class; classes without an instance that is held are left out.
 * @param string[] $classes
 * @return array<string, string>
 */
function heap_paths(array $classes, float $pause): array {}

/**
 * Who answers when the operator asks this process by the control socket what grows ("growth"): the function gets the number of the question and returns an
 * array, without waiting for anything.
 */
function answer_growth(?\Closure $answer): void {}

/** What this worker has found to grow, for the metric `stampede_growth_findings`. */
function growth_findings(int $count): void {}
