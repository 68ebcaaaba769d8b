#!/bin/sh
# Builds CPython in a chroot of Ubuntu 22.04, from /build/source.tar and /build/patches; `installer.python.recipe`
# calls it. The result is /build/python.tar, the same bytes from the same packages.
set -eu

export LC_ALL=C TZ=UTC PYTHONHASHSEED=0
cd /build
mkdir source
tar --extract --file source.tar --directory source --strip-components 1
for patch in patches/*; do
    if [ -e "$patch" ]; then patch --silent --directory source --strip 1 <"$patch"; fi
done

# The libraries are linked in, with their names hidden. As files beside Python they would come between the system's
# libraries (of Qt's plugins, say) and those that these were built for: a process has one libcrypto.so.3.
hidden=
for library in ssl crypto sqlite3 ffi z lzma bz2; do
    rm -f "/usr/lib/x86_64-linux-gnu/lib$library.so"
    hidden="$hidden${hidden:+:}lib$library.a"
done

cd source
# These cannot be libraries of their own: Ubuntu's libbz2.a is made for programs alone, and Debian's corrections take
# pyexpat as a part of the interpreter.
cat >Modules/Setup.local <<'END'
*static*
_bz2 _bz2module.c
pyexpat pyexpat.c
END
# What is tried by running it needs /dev/shm, which a chroot lacks.
./configure --quiet --prefix=/python --without-ensurepip --without-static-libpython --without-readline \
    --disable-test-modules OPT='-DNDEBUG -fwrapv -O3' LDFLAGS="-Wl,--exclude-libs,$hidden" \
    LIBS=-lm ac_cv_posix_semaphores_enabled=yes ac_cv_broken_sem_getvalue=no >/build/configure.log
make --silent --jobs "${JOBS:-1}" >/build/make.log 2>&1 || { tail -n 40 /build/make.log; exit 1; }
make --silent install DESTDIR=/build/root >/build/install.log 2>&1 || { tail -n 40 /build/install.log; exit 1; }

cd /build/root/python
lib=lib/python3.11
# Headers and the configuration of compilers: nothing is built against this Python.
rm -rf include lib/pkgconfig "$lib"/config-3.11-* bin/python3-config bin/python3.11-config share
# Tools of developers, tests, and windows by Tk.
rm -rf bin/2to3* bin/idle* bin/pydoc* "$lib/lib2to3" "$lib/idlelib" "$lib/pydoc_data" "$lib/tkinter" \
    "$lib/turtle.py" "$lib/turtledemo" "$lib/test" "$lib/unittest/test" "$lib/distutils/tests" "$lib/ctypes/test" \
    "$lib/sqlite3/test" "$lib/ensurepip"
# Compiled again when the tree is laid, without the time of the sources in it.
find . -name __pycache__ -prune -exec rm -rf {} +
strip --strip-all bin/python3.11
# Of no use here, and _crypt needs a library that differs between distributions.
for module in _crypt nis ossaudiodev xxlimited xxlimited_35; do
    rm -f "$lib/lib-dynload/$module".*.so
done
find "$lib/lib-dynload" -name '*.so' -exec strip --strip-unneeded {} +

cd ..
# An import of a module whose library was not found would fail only on a volunteer's computer.
./python/bin/python3 -I -B -c 'import asyncio, bz2, ctypes, lzma, multiprocessing.synchronize, sqlite3, ssl, venv, zlib
import _hashlib, _elementtree, xml.parsers.expat'
tar --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
    --create --file /build/python.tar python
