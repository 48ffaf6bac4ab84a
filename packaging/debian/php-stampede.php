mod debian/stampede.ini
mod build/release/modules/stampede.so
