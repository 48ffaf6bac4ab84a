# Part of phpize's Makefile when config.m4 has --enable-stampede-precompiled (make build, make debug): the headers of
# src/base/precompiled.h and ext/zend/precompiled.h are parsed once, not once for each file. A compiler looks for NAME.gch before it
# opens NAME, and where it cannot use that (GCC does not say so), it reads the header itself.

stampede_compile = $(CXX) -I. -I$(stampede_root) $(COMMON_FLAGS) $(CXXFLAGS_CLEAN) $(EXTRA_CXXFLAGS) $(stampede_flags) \
	-DZEND_COMPILE_DL_EXT=1 -fPIC -DPIC

%/precompiled.h.gch: $(stampede_root)/%/precompiled.h
	@mkdir -p $(@D)
	$(stampede_compile) -x c++-header -c $< -o $@ -MD -MP -MF $*/precompiled.dep -MT $@

-include src/base/precompiled.dep ext/zend/precompiled.dep

$(filter src/%,$(shared_objects_stampede)): src/base/precompiled.h.gch
$(filter ext/%,$(shared_objects_stampede)): ext/zend/precompiled.h.gch

# Private: the precompiled header is made without them. -fpch-preprocess is what ccache needs.
src/%.lo: private EXTRA_CXXFLAGS += -fpch-preprocess -include src/base/precompiled.h
ext/%.lo: private EXTRA_CXXFLAGS += -fpch-preprocess -include ext/zend/precompiled.h
