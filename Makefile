# Everything a newcomer needs is `make serve` and `make test`; the rest is listed by `make help`.
# A build folder per flavour below build/; BUILD=name gives one of your own (make build BUILD=trial).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

PHP ?= php
PHPIZE ?= phpize
PHP_CONFIG ?= php-config
JOBS ?= $(shell nproc)
ROOT := $(CURDIR)
WERROR ?= no
CONFIGURE_FLAGS = --with-php-config=$(PHP_CONFIG) --enable-stampede-werror=$(WERROR)
CCACHE := $(shell command -v ccache)
export CCACHE_BASEDIR := $(ROOT)
export CCACHE_NOHASHDIR := 1
export CCACHE_SLOPPINESS := time_macros

.PHONY: help build debug clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# $(call compile,flavour,configure flags): configure when config.m4 changed, then compile what changed.
# The lock lets several shells share one tree.
define compile
@mkdir -p build/$(1) && exec 9>build/$(1).lock && flock 9 && \
  STAMPEDE_ROOT=$(ROOT) CCACHE=$(CCACHE) tools/configure build/$(1) $(PHPIZE) $(CONFIGURE_FLAGS) $(2) && \
  $(MAKE) --no-print-directory -s -C build/$(1) -j$(JOBS) LIBTOOL="$(ROOT)/build/$(1)/libtool --silent" build-modules >build/$(1)/make.out && \
  echo "build/$(1)/modules/stampede.so is up to date."
endef

build: BUILD ?= release
build: ## compile modules/stampede.so
	$(call compile,$(BUILD),)
	@mkdir -p modules; if ! cmp -s build/$(BUILD)/modules/stampede.so modules/stampede.so; then \
	  tools/check-load build/$(BUILD)/modules/stampede.so; \
	  cp build/$(BUILD)/modules/stampede.so modules/.stampede.so; mv modules/.stampede.so modules/stampede.so; fi

debug: BUILD ?= debug
debug: ## compile build/debug/modules/stampede.so with assertions, ASan and UBSan
	$(call compile,$(BUILD),--enable-stampede-debug)
	@[[ build/$(BUILD)/without_deepbind.so -nt tools/without_deepbind.c ]] || \
	  $(CC) -O1 -shared -fPIC -o build/$(BUILD)/without_deepbind.so tools/without_deepbind.c -ldl

clean: ## remove everything that was built
	rm -rf build modules
