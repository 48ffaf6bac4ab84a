<?php
// Programs that write their numbers into the file; the script waits for them, or for something else.
$file = $_GET['file'];
$program = 'echo $$ >> ' . escapeshellarg($file) . '; exec sleep 1000';
switch ($_GET['by']) {
    case 'exec':
        exec($program);
        break;
    case 'popen':
        fgets(popen($program, 'r'));
        break;
    case 'proc_open':
        $process = proc_open(['sh', '-c', "({$program}) & {$program}"], [], $pipes);
        sleep(1000);
        break;
    case 'background':
        exec('setsid sh -c ' . escapeshellarg($program) . ' > /dev/null 2>&1 &');
        sleep(1000);
        break;
    case 'detached':
        exec('sh -c ' . escapeshellarg($program) . ' > /dev/null 2>&1 &');
        echo getmypid();
        break;
}
