<?php
function free_list(int $count): void
{
    ini_set('memory_limit', '-1');
    for ($i = 0, $first = null; $i < $count; $i++) {
        $object = new stdClass();
        $object->next = $first;
        $first = $object;
    }
    unset($object);
    $first = null;
}
function endless($value)
{
    return array_map('endless', [$value]);
}
switch ($_GET['by']) {
    case 'list':
        free_list(500_000);
        break;
    case 'calls':
        endless(1);
        break;
    case 'caught':
        for ($i = 0; $i < 3; $i++) {
            try {
                endless(1);
            } catch (Error $error) {
                echo $error::class, '.'; // PHP 8.3 and later see it themselves, and say it in other words
            }
        }
        break;
    case 'fiber':
        (new Fiber(fn () => endless(1)))->start();
        break;
}
