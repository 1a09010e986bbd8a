// A program whose machine code the decoder's tests read whole, with all of glibc and libgomp that is linked into it,
// and record while it runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCount = 4096 };
static double values[kCount];
static int keys[kCount];
static _Alignas(64) char from[256], to[256];

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

// Instructions with unusual accesses. The masks leave elements out.
static void access_memory(void) {
  static const _Alignas(32) int mask[8] = {-1, 0, -1, -1, 0, 0, 0, -1}, index[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  static const _Alignas(32) long long wide_index[4] = {2, 7, 1, 8};
  char *source = from, *destination = to;
  long count = 5;
  __asm__ volatile(
      "movsb\n movsw\n movsl\n movsq\n rep movsb\n lodsb\n stosw\n scasb\n cmpsl\n"
      "mov $3, %%ecx\n rep stosq\n"
      "lea from(%%rip), %%rsi\n lea to(%%rip), %%rdi\n mov $4, %%ecx\n repe cmpsl\n mov $2, %%ecx\n repne scasb\n"
      "lea from(%%rip), %%rsi\n lea to(%%rip), %%rdi\n"
      "addl $1, (%%rdi)\n incb 3(%%rdi)\n btsl $9, (%%rdi)\n mov $77, %%eax\n btr %%rax, (%%rsi)\n bt %%eax, (%%rdi)\n"
      "shldl $3, %%eax, (%%rdi)\n xchg %%rax, (%%rdi)\n xadd %%eax, (%%rsi)\n lock xadd %%rax, (%%rsi)\n"
      "cmpxchg %%rcx, (%%rdi)\n lock cmpxchg8b (%%rsi)\n cmpxchg16b (%%rdi)\n setc 5(%%rdi)\n movbe %%rax, (%%rdi)\n"
      "push (%%rsi)\n pop (%%rdi)\n pushfq\n popfq\n push $7\n pop %%rax\n"
      "xor %%edx, %%edx\n movl $7, (%%rdi)\n divl (%%rdi)\n mulq (%%rsi)\n imul $5, (%%rsi), %%eax\n crc32q (%%rsi), "
      "%%rax\n"
      "vmovups (%%rsi), %%ymm1\n vmovups %%ymm1, (%%rdi)\n movaps %%xmm1, 32(%%rdi)\n movhps (%%rsi), %%xmm1\n"
      "movlpd %%xmm1, 8(%%rdi)\n movss (%%rsi), %%xmm1\n movsd %%xmm1, (%%rdi)\n pinsrb $3, (%%rsi), %%xmm1\n"
      "pextrw $2, %%xmm1, (%%rdi)\n extractps $1, %%xmm1, 4(%%rdi)\n cvtsi2sdl (%%rsi), %%xmm1\n"
      "cvtps2pd (%%rsi), %%xmm1\n vcvtps2pd (%%rsi), %%ymm1\n pmovzxbq (%%rsi), %%xmm1\n vpmovsxwd (%%rsi), %%ymm1\n"
      "vbroadcastss (%%rsi), %%ymm1\n vbroadcastf128 (%%rsi), %%ymm1\n vpbroadcastb (%%rsi), %%xmm1\n"
      "vextractf128 $1, %%ymm1, (%%rdi)\n vinsertf128 $1, (%%rsi), %%ymm1, %%ymm1\n movddup (%%rsi), %%xmm1\n"
      "vmovdqa %[mask], %%ymm2\n vpmaskmovd (%%rsi), %%ymm2, %%ymm1\n vmaskmovps %%ymm1, %%ymm2, (%%rdi)\n"
      "vpmaskmovq %%xmm1, %%xmm2, (%%rdi)\n maskmovdqu %%xmm2, %%xmm1\n"
      "vmovdqa %[index], %%ymm3\n vmovdqa %[mask], %%ymm2\n vpgatherdd %%ymm2, (%%rsi,%%ymm3,4), %%ymm1\n"
      "vmovdqa %[mask], %%ymm2\n vgatherdpd %%ymm2, (%%rsi,%%xmm3,8), %%ymm1\n"
      "vmovdqa %[wide_index], %%ymm3\n vmovdqa %[mask], %%ymm2\n vgatherqps %%xmm2, (%%rsi,%%ymm3,4), %%xmm1\n"
      "vmovdqa %[mask], %%ymm2\n vpgatherqq %%xmm2, (%%rsi,%%xmm3,8), %%xmm1\n"
      "fldl (%%rsi)\n fstpl (%%rdi)\n fldt (%%rsi)\n fstpt (%%rdi)\n fildl (%%rsi)\n fistpll (%%rdi)\n fld1\n faddl "
      "(%%rsi)\n"
      "fstps (%%rdi)\n fnstcw (%%rdi)\n fldcw (%%rdi)\n fnstsw 2(%%rdi)\n stmxcsr (%%rdi)\n ldmxcsr (%%rdi)\n"
      "movq (%%rsi), %%mm1\n paddd (%%rsi), %%mm1\n movq %%mm1, (%%rdi)\n emms\n"
      "prefetcht0 (%%rsi)\n clflush (%%rsi)\n nopw (%%rsi)\n lea 9(%%rsi), %%rax\n vzeroupper\n"
      : "+S"(source), "+D"(destination), "+c"(count)
      : [mask] "m"(mask), [index] "m"(index), [wide_index] "m"(wide_index)
      : "rax", "rdx", "xmm1", "xmm2", "xmm3", "memory", "cc");
}

int main(int argc, char** argv) {
  double sum = argc;
  access_memory();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kCount; ++i) {
    values[i] = exp(-i * 1e-3) * sin(i) + sqrt(i);
    keys[i] = (i * 7919) % kCount;
    sum += values[i] * keys[i];
  }
  qsort(keys, kCount, sizeof keys[0], by_value);
  printf("%s %Lf %d %zu\n", argv[0], (long double)sum, keys[17], strlen(argv[0]));
  return 0;
}
