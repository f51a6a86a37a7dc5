#!/usr/bin/env bash
# Runs tests with another build of the core: `other_builds.sh address [short]`, `thread` or `portable`, then arguments for pytest.
#
# Builds the native tests and the Python module with sanitizers, or without extensions of compilers and systems (portable),
# below build/; runs the native tests, then the Python tests that reach the core and cases of the fuzzer; `short` takes a few
# of them. The sanitizer's library must be loaded before Python; libstdc++ with it, or the first C++ exception aborts. Leaks
# are not looked for: numpy alone reports dozens of its own.
# The interpreter is $HORNBEAM_PYTHON, or that of .venv (make install).
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:-address}
shift || true
python=$(command -v "${HORNBEAM_PYTHON:-.venv/bin/python}") || { echo "No Python: run make install, or set HORNBEAM_PYTHON."; exit 2; }
compiler=${CXX:-c++}
build=$PWD/build/$kind
type=RelWithDebInfo preload="" reports=""
# NumPy's own threads are not instrumented: what they share would be reported as races.
export OPENBLAS_NUM_THREADS=1
export HYPOTHESIS_PROFILE=${HYPOTHESIS_PROFILE:-short} PATH="$PWD/.venv/bin:$PATH"
case $kind in
address)
    flag=-DHORNBEAM_SANITIZE=ON
    preload="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libstdc++.so)"
    export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=77
    tests=(tests/equivalence tests/guarantees tests/contracts tests/lecture_notes tests/unit/growing tests/unit/parts tests/unit/tree)
    ;;
thread)
    flag=-DHORNBEAM_THREAD_SANITIZE=ON
    preload=$("$compiler" -print-file-name=libtsan.so)
    # Reports are files: pytest ignores the exit code of its workers. A child of fork makes threads of its own.
    reports=$build/reports
    export TSAN_OPTIONS=exitcode=66:die_after_fork=0:log_path=$reports/report
    tests=(tests/equivalence tests/guarantees)
    ;;
portable)
    flag=-DHORNBEAM_PORTABLE=ON
    type=Release
    tests=(tests/equivalence/test_many_columns.py tests/equivalence/test_forests.py tests/equivalence/test_boosting.py
        tests/equivalence/test_binned.py tests/unit/tree/test_kept_models.py)
    ;;
*)
    echo "other_builds.sh takes address, thread or portable; got $kind"
    exit 2
    ;;
esac
cases=2000  # of the fuzzer
[ "$kind" = portable ] && cases=300
if [ "${1:-}" = short ]; then
    shift
    cases=150
    tests=(tests/equivalence/test_many_columns.py tests/equivalence/test_missing.py tests/equivalence/test_forests.py tests/equivalence/test_boosting.py
        tests/equivalence/test_binned.py tests/equivalence/test_walk.py tests/equivalence/test_intervals.py tests/guarantees)
fi

mkdir -p "$build" ${reports:+"$reports"}
rm -f ${reports:+"$reports"/*}
command -v ninja >/dev/null && export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
cmake -S . -B "$build" $flag -DSKBUILD=ON -DHORNBEAM_TESTS=ON -DCMAKE_BUILD_TYPE=$type \
    -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >"$build.log" 2>&1 \
    || { cat "$build.log"; exit 1; }
cmake --build "$build" --parallel "${JOBS:-2}" --target _native hornbeam_native_tests
"$build/hornbeam_native_tests"

# The package with the sanitized module, in front of whatever is installed: an editable install puts a finder of its own
# before the path, which is taken out of every process.
package=$build/package
rm -rf "$package"
mkdir -p "$package"
cp -R src/hornbeam "$package/hornbeam"
rm -f "$package"/hornbeam/_native*.so
cp "$build"/_native*.so "$package/hornbeam/"
cat >"$package/sitecustomize.py" <<'PYTHON'
import sys

sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
PYTHON
before=${PYTHONPATH:-}
export PYTHONPATH=$package PYTHONMALLOC=malloc LD_PRELOAD=$preload
"$python" -c 'import sys, hornbeam._native as m; sys.exit(m.__file__ if not m.__file__.startswith(sys.argv[1]) else 0)' "$package"
if [ "$kind" = portable ]; then
    echo "models of both cores have the same bytes:"
    diff <(PYTHONPATH=$before "$python" -m tests.equivalence.digests) <("$python" -m tests.equivalence.digests) && echo "they have"
fi
"$python" -m pytest -q -n "${JOBS:-2}" --dist worksteal -p no:cacheprovider "${tests[@]}" "$@"
"$python" -m tests.fuzz.run --cases "$cases" --jobs "${JOBS:-2}"
unset LD_PRELOAD
if [ -n "$reports" ] && [ -n "$(ls "$reports")" ]; then
    cat "$reports"/*
    echo "The sanitizer reported $(cat "$reports"/* | grep -c '^WARNING') faults."
    exit 66
fi
