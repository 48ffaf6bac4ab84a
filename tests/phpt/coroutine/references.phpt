--TEST--
References and generators live across waits
--FILE--
<?php

Co\run(function () {
    $list = [1, 2, 3];
    $total = 0;
    $walk = go(function () use (&$list, &$total) {
        foreach ($list as &$value) {
            Co::sleep(0.001);
            $value *= 10;
            $total += $value;
        }
    });
    $gen = (function () {
        for ($i = 0; $i < 3; $i++) {
            Co::sleep(0.001);
            $x = yield $i => $i * $i;
            if ($x) echo "got $x\n";
        }
        return 'done';
    })();
    $generate = go(function () use ($gen) { foreach ($gen as $k => $v) { echo "$k => $v\n"; } echo $gen->getReturn(), "\n"; });
    Co::join([$walk, $generate]);
    var_dump($list, $total);
});
--EXPECT--
0 => 0
1 => 1
2 => 4
done
array(3) {
  [0]=>
  int(10)
  [1]=>
  int(20)
  [2]=>
  int(30)
}
int(60)
