/* Counts fixed polyominoes of n cells by Redelmeier's algorithm; prints the count and CPU seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int n, stride, queue[4096];
static unsigned char mark[4096];
static unsigned long long found;

static void extend(int first, int last, int size) {
    for (; first < last; first++) {
        int cell = queue[first], end = last;
        const int around[4] = {cell + 1, cell - 1, cell - stride, cell + stride};
        if (size + 2 == n) { /* one cell short: every untried cell completes one */
            for (int k = 0; k < 4; k++) end += !mark[around[k]];
            found += end - first - 1;
            continue;
        }
        for (int k = 0; k < 4; k++)
            if (!mark[around[k]]) mark[queue[end++] = around[k]] = 1;
        extend(first + 1, end, size + 1);
        while (end > last) mark[queue[--end]] = 0;
    }
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 14;
    stride = 2 * n + 1;
    clock_t begun = clock();
    for (int k = 0; k <= stride + n; k++) mark[k] = 1;
    queue[0] = stride + n;
    extend(0, 1, 0);
    printf("%llu %.6f\n", found, (double)(clock() - begun) / CLOCKS_PER_SEC);
    return 0;
}
