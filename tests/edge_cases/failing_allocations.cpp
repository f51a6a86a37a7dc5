// Preloaded into Python: `operator new` that fails at the k-th allocation of the core, and counts what the core holds.
//
//     fail_at(k)      the k-th allocation from now on throws std::bad_alloc; 0: none
//     allocations()   how many there were since fail_at
//     held()          how many are not freed yet
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t HEADER = 16;  // keeps the alignment of malloc
std::atomic<long> failing{0}, counted{0}, live{0};
std::atomic<std::uintptr_t> core{0};  // where the module is loaded

bool is_of_core(void* caller) {
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname) return false;
    const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    if (core == 0 && std::strstr(info.dli_fname, "/_native.")) core = base;
    return core != 0 && base == core;
}

void* allocate(std::size_t n, std::size_t align, void* caller) {
    const bool is_core = is_of_core(caller);
    if (is_core && ++counted == failing) return nullptr;
    const std::size_t before = align > HEADER ? align : HEADER;
    const std::size_t size = (n + before + align - 1) / align * align;
    char* block = static_cast<char*>(align > HEADER ? std::aligned_alloc(align, size) : std::malloc(n + before));
    if (!block) return nullptr;
    auto* header = reinterpret_cast<std::uint64_t*>(block + before - HEADER);
    header[0] = is_core;
    header[1] = before;
    live += is_core;
    return block + before;
}

void release(void* pointer) {
    if (!pointer) return;
    const auto* header = reinterpret_cast<std::uint64_t*>(static_cast<char*>(pointer) - HEADER);
    live -= static_cast<long>(header[0]);
    std::free(static_cast<char*>(pointer) - header[1]);
}

void* or_throw(void* pointer) {
    if (!pointer) throw std::bad_alloc();
    return pointer;
}

std::size_t of(std::align_val_t align) { return static_cast<std::size_t>(align); }

}  // namespace

extern "C" void fail_at(long k) { counted = 0, failing = k; }
extern "C" long allocations() { return counted; }
extern "C" long held() { return live; }

#define CALLER __builtin_return_address(0)
void* operator new(std::size_t n) { return or_throw(allocate(n, HEADER, CALLER)); }
void* operator new[](std::size_t n) { return or_throw(allocate(n, HEADER, CALLER)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, HEADER, CALLER); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, HEADER, CALLER); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(allocate(n, of(a), CALLER)); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(allocate(n, of(a), CALLER)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
