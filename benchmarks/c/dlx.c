/* Exact cover by dancing links (Knuth, 2000): the stable baseline of the benchmarks.

   Input: "primary secondary options", then for each option its length and its items (primary items
   come first).  Argument "first" stops at the first solution.  Branches on the primary item with the
   fewest options, the first of them, and tries options in the order given.
   Prints: solutions, nodes, and the CPU seconds of the search and of reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int *up, *down, *item, *size, *row_first, *row_last, *previous, *next;

static void cover(int i)
{
    next[previous[i]] = next[i];
    previous[next[i]] = previous[i];
    for (int r = down[i]; r != i; r = down[r])
        for (int k = row_first[r]; k < row_last[r]; k++)
            if (k != r) {
                up[down[k]] = up[k];
                down[up[k]] = down[k];
                size[item[k]]--;
            }
}

static void uncover(int i)
{
    for (int r = up[i]; r != i; r = up[r])
        for (int k = row_last[r] - 1; k >= row_first[r]; k--)
            if (k != r) {
                size[item[k]]++;
                up[down[k]] = k;
                down[up[k]] = k;
            }
    next[previous[i]] = i;
    previous[next[i]] = i;
}

static int number(void)
{
    int value = 0, c = getchar_unlocked();
    while (c < '0') c = getchar_unlocked();
    for (; c >= '0'; c = getchar_unlocked()) value = 10 * value + c - '0';
    return value;
}

int main(int argc, char **argv)
{
    clock_t started = clock();
    int only_first = argc > 1 && !strcmp(argv[1], "first");
    int primary = number(), secondary = number(), options = number();
    int items = primary + secondary, room = 1 << 16, used = items + 1;
    up = malloc(sizeof *up * (items + 1)), down = malloc(sizeof *down * (items + 1));
    size = calloc(items + 1, sizeof *size);
    previous = malloc(sizeof *previous * (items + 1)), next = malloc(sizeof *next * (items + 1));
    item = malloc(sizeof *item * room);
    row_first = malloc(sizeof *row_first * room), row_last = malloc(sizeof *row_last * room);
    up = realloc(up, sizeof *up * room), down = realloc(down, sizeof *down * room);
    for (int i = 0; i <= items; i++) up[i] = down[i] = previous[i] = next[i] = i;
    for (int i = 1; i <= primary; i++) previous[i] = i - 1, next[i - 1] = i;
    next[primary] = 0, previous[0] = primary;
    for (int o = 0; o < options; o++) {
        int length = number(), first = used;
        while (used + length >= room) {
            room *= 2;
            item = realloc(item, sizeof *item * room);
            row_first = realloc(row_first, sizeof *row_first * room);
            row_last = realloc(row_last, sizeof *row_last * room);
            up = realloc(up, sizeof *up * room), down = realloc(down, sizeof *down * room);
        }
        for (int j = 0; j < length; j++, used++) {
            int i = number() + 1;
            item[used] = i, row_first[used] = first, row_last[used] = first + length;
            up[used] = up[i], down[used] = i, down[up[i]] = used, up[i] = used, size[i]++;
        }
    }
    int *chosen = malloc(sizeof *chosen * (primary + 1)), level = 0;
    long long solutions = 0, nodes = 0;
    clock_t begun = clock();
    for (;;) {
        int best = 0, fewest = 1 << 30, node;
        nodes++;
        for (int i = next[0]; i; i = next[i])
            if (size[i] < fewest) {
                fewest = size[i], best = i;
                if (fewest == 0) break;
            }
        if (best == 0) {
            solutions++;
            if (only_first) break;
        } else if (fewest) {
            cover(best);
            node = chosen[level++] = down[best];
            for (int k = row_first[node]; k < row_last[node]; k++)
                if (k != node) cover(item[k]);
            continue;
        }
        for (;;) {
            if (level == 0) goto done;
            node = chosen[level - 1];
            for (int k = row_last[node] - 1; k >= row_first[node]; k--)
                if (k != node) uncover(item[k]);
            node = down[node];
            if (node != item[node] && node > items) break;
            uncover(node), level--;
        }
        chosen[level - 1] = node;
        for (int k = row_first[node]; k < row_last[node]; k++)
            if (k != node) cover(item[k]);
    }
done:
    printf("%lld %lld %.6f %.6f\n", solutions, nodes, (double)(clock() - begun) / CLOCKS_PER_SEC,
           (double)(begun - started) / CLOCKS_PER_SEC);
    return 0;
}
