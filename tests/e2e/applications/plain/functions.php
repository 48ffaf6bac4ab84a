<?php

function used(): string
{
    return 'version 1';
}
