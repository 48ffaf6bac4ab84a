--TEST--
The limit on coroutines gives a warning and false
--FILE--
<?php

Co::set(['max_coroutine' => 3]);
Co\run(function () {
    $made = [];
    for ($i = 0; $i < 4; $i++) {
        $made[] = go(function () { Co::sleep(0.001); });
    }
    var_dump($made);
    Co::sleep(0.01);
    var_dump(go(function () {}));
});
--EXPECTF--

Warning: go(): exceed max number of coroutine 3 in %slimit.php on line 7

Warning: go(): exceed max number of coroutine 3 in %slimit.php on line 7
array(4) {
  [0]=>
  int(2)
  [1]=>
  int(3)
  [2]=>
  bool(false)
  [3]=>
  bool(false)
}
int(4)
