<?php header("X-Before: 1"); throw new DomainException("on purpose");
