<h1><?= $escape($title) ?></h1>
<?php foreach ($paragraphs as $paragraph): ?>
<p><?= $escape($paragraph) ?></p>
<?php endforeach ?>
