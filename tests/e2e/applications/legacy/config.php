<?php

$config = ['name' => 'version 1'];
