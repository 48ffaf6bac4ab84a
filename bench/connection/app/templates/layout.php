<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title><?= $escape($title) ?></title></head>
<body>
<nav><?php foreach (['/' => 'Home', '/about' => 'About', '/articles' => 'Articles', '/contact' => 'Contact', '/imprint' => 'Imprint'] as $path => $name): ?><a href="<?= $path ?>"><?= $escape($name) ?></a> <?php endforeach ?></nav>
<main>
<?= $content ?>
</main>
</body>
</html>
