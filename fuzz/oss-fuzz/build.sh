#!/bin/bash -eu
# Run by OSS-Fuzz in the folder of the source, with CC, CXX, CXXFLAGS, LIB_FUZZING_ENGINE, WORK and OUT. fuzz/oss-fuzz/try does the same on any machine with clang.
# The machine that fuzzes has none of the libraries: they lie beside the programs.
cmake -S . -B "$WORK/build" -G Ninja -DCMAKE_CXX_COMPILER="$CXX" -DSTAMPEDE_FUZZ=ON -DSTAMPEDE_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,'\$ORIGIN/lib',--disable-new-dtags"
ninja -C "$WORK/build"

mkdir -p "$OUT/lib" "$WORK/seeds"
fuzz/seed_corpus.py tests/fixtures/http1 "$WORK/seeds/http1_parser"
for folder in fuzz/corpus/*/; do
    mkdir -p "$WORK/seeds/$(basename "$folder")"
    cp "$folder"* "$WORK/seeds/$(basename "$folder")/"
done
for program in "$WORK"/build/*_fuzz; do
    name=$(basename "$program")
    cp "$program" "$OUT/"
    seeds=$WORK/seeds/${name%_fuzz}
    if [[ -d $seeds ]]; then
        zip --quiet --junk-paths -r "$OUT/${name}_seed_corpus.zip" "$seeds"
    fi
    ldd "$program" | awk '/\/lib(ssl|crypto|nghttp2|cares|uring|z|brotli\w*|zstd)\.so/ { print $3 }' | xargs --no-run-if-empty cp --update --target-directory="$OUT/lib"
done
