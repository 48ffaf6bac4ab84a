--TEST--
Metrics of the application: wrong names and values are told, and without a server nothing is counted
--FILE--
<?php
use Stampede\Metrics;

$refused = static function (Closure $call): void {
    try {
        $call();
        echo "accepted\n";
    } catch (ValueError $error) {
        echo preg_replace('/^Stampede.*?[(][^)]*[)]: (Argument #\\d+ [(][^)]*[)] )?/', '', $error->getMessage()), "\n";
    }
};
$refused(fn () => Metrics::counter(''));
$refused(fn () => Metrics::counter('9_lives'));
$refused(fn () => Metrics::gauge('a-b'));
$refused(fn () => Metrics::gauge('stampede_mine'));
$refused(fn () => Metrics::histogram('sizes_bucket'));
$refused(fn () => Metrics::counter('orders', '', ['__name']));
$refused(fn () => Metrics::histogram('sizes', '', ['le']));
$refused(fn () => Metrics::histogram('sizes', '', [], [2, 1]));
$refused(fn () => Metrics::counter('orders', '', range(1, 9)));
$refused(fn () => Metrics::counter('orders', '', ['kind'])->inc());
$refused(fn () => Metrics::counter('orders', '', ['kind'])->inc(['a', 'b']));
$refused(fn () => Metrics::counter('orders', '', ['kind'])->inc(['sort' => 'a']));
$refused(fn () => Metrics::counter('orders')->inc([], -1));
$refused(fn () => Metrics::gauge('load')->set(NAN));
$refused(fn () => Metrics::counter('orders', '', ['kind'])->inc(['kind' => 'a'], 2.5));
$refused(fn () => Metrics::histogram('sizes')->observe(3));
Metrics::route('/a/{b}');
var_dump(Stampede\metrics_text());
try {
    clone Metrics::counter('orders');
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
is no name of a metric: "" must have 1 to 120 letters, digits, "_" and ":", and must not begin with a digit
is no name of a metric: "9_lives" must have 1 to 120 letters, digits, "_" and ":", and must not begin with a digit
is no name of a metric: "a-b" must have letters, digits, "_" and ":" only
is no name of a metric: "stampede_mine" begins with "stampede_", which are the server's own metrics
is no name of a metric: "sizes_bucket" ends in _total, _created, _bucket, _sum, _count or _info, which the text form of metrics adds itself
must be a list of names of labels: each at most 30 letters, digits and "_", not beginning with a digit or "__"
must be a list of names of labels: each at most 30 letters, digits and "_", not beginning with a digit or "__", and not "le"
must be at most 24 numbers, each larger than the one before
must name at most 8 labels
the metric "orders" has the labels kind: there is no value for "kind"
the metric "orders" has 1 labels, not 2
the metric "orders" has the labels kind: there is no value for "kind"
must not be below 0: a counter only grows
the value of a metric must be a finite number
accepted
accepted
NULL
Trying to clone an uncloneable object of class Stampede\Metrics\Counter
