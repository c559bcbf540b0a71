/* New Game 2, many games: the algorithm of gridkit's kernel in C, for comparison.

   Stacks are linked lists threaded through one word for each piece (below | place << 24 |
   step << 48) and one word for each framed cell (flags | height << 8 | top << 32); the states of
   the first rounds are looked up in a hash table, later ones compared with Brent's marks. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t word;
enum { BLOCK = 1, REVERSE = 2 };
enum { STOPPED, LIMITED, NEVER };
#define LOW 0xFFFFFFFFLL
#define BELOW 0xFFFFFFLL
#define FACTOR 0x9E3779B97F4A7C15ULL

static word *cell, *piece, *mark, *logged, *table;
static word mask, stamp;

static int64_t seen(int64_t round, int n) {
    uint64_t total = 0, factor = FACTOR;
    word *row = logged + round * n;
    for (int i = 0; i < n; i++) {
        row[i] = piece[i];
        total += (uint64_t)piece[i] * factor;
        factor += 2 * FACTOR;
    }
    total ^= (uint64_t)((int64_t)total >> 32);
    word tag = stamp | (word)(total & 0xFFFF0000ULL);
    for (uint64_t at = total & (uint64_t)mask;; at = (at + 1) & (uint64_t)mask) {
        word entry = table[at];
        if ((entry & ~LOW) != stamp) {
            table[at] = tag | round;
            return -1;
        }
        if ((entry & ~0xFFFFLL) == tag &&
            !memcmp(row, logged + (entry & 0xFFFF) * n, sizeof(word) * (size_t)n))
            return entry & 0xFFFF;
    }
}

static void set_up(const int8_t *codes, const int32_t *pieces, int size, int k) {
    static const word flags[3] = {0, REVERSE, BLOCK};
    int width = size + 2;
    for (int at = 0; at < width * width; at++) cell[at] = BLOCK;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) cell[(r + 1) * width + c + 1] = flags[codes[r * size + c]];
    piece[0] = 0;
    for (int i = 1; i <= k; i++) {
        const int32_t *p = pieces + 3 * (i - 1);
        word at = (p[0] + 1) * width + p[1] + 1;
        word step = p[2] < 2 ? 1 - 2 * p[2] : width * (2 * p[2] - 5);
        piece[i] = cell[at] >> 32 | at << 24 | (word)((uint64_t)step << 48);
        cell[at] = ((cell[at] & LOW) + 256) | (word)i << 32;
    }
}

/* Returns whether the game stops in this round. */
static int play_round(int n, word stop_height) {
    for (int i = 1; i < n; i++) {
        word w = piece[i], src = (w >> 24) & BELOW, way = w >> 48;
        word here = cell[src], there = cell[src + way], back = cell[src - way];
        word turn = -(there & BLOCK);
        w -= (word)((uint64_t)way << 49) & turn;
        way -= (way * 2) & turn;
        there = turn ? back : there;
        if (there & BLOCK) {
            piece[i] = w;
            continue;
        }
        word dst = src + way, top = here >> 32, base = there >> 32, under = w & BELOW;
        word gone = (word)((uint64_t)way << 24);
        if (top == i) {
            piece[i] = w + gone + base - under;
            cell[src] = here - 256 + (word)((uint64_t)(under - i) << 32);
            there += 256 + (word)((uint64_t)(i - base) << 32);
        } else {
            word q = top, count = 1;
            piece[i] = w;
            if (there & REVERSE) {
                top = i;
                while (q != i) {
                    w = piece[q];
                    piece[q] = w + gone + base - (w & BELOW);
                    base = q;
                    q = w & BELOW;
                    count++;
                }
            } else {
                while (q != i) {
                    w = piece[q] + gone;
                    piece[q] = w;
                    q = w & BELOW;
                    count++;
                }
            }
            piece[i] += gone + base - under;
            cell[src] = ((here & LOW) - (count << 8)) | under << 32;
            there = ((there & LOW) + (count << 8)) | top << 32;
        }
        cell[dst] = there;
        if (((there >> 8) & BELOW) >= stop_height) return 1;
    }
    return 0;
}

/* Plays every game up to `limit`; with fewer logged rounds than that, repeats after them are
   noticed at marks (without the check, at the limit itself, whether one was missed). */
int64_t play_batch(const int8_t *codes, const int32_t *pieces, int64_t games, int size, int k,
                   int64_t limit, int64_t rows, int8_t *outcome, int64_t *ended) {
    int n = k + 1;
    int64_t nodes = 0, entries = 2;
    if (rows > limit + 1) rows = limit + 1;
    while (entries <= 2 * rows) entries *= 2;
    mask = entries - 1;
    stamp = 0;
    cell = calloc((size_t)(size + 2) * (size_t)(size + 2), sizeof(word));
    piece = calloc((size_t)n, sizeof(word));
    mark = calloc((size_t)n, sizeof(word));
    logged = calloc((size_t)(rows * n), sizeof(word));
    table = calloc((size_t)entries, sizeof(word));
    for (int64_t g = 0; g < games; g++) {
        int64_t round = 0, next = rows;
        int verdict;
        stamp += 1LL << 32;
        set_up(codes + g * size * size, pieces + g * k * 3, size, k);
        for (;;) {
            if (round < rows) {
                if (seen(round, n) >= 0) { verdict = NEVER; break; }
            } else if (round > rows && !memcmp(piece, mark, sizeof(word) * (size_t)n)) {
                verdict = NEVER;
                break;
            }
            if (round == next) {
                memcpy(mark, piece, sizeof(word) * (size_t)n);
                next = 2 * round + 1;
            }
            if (round == limit) { verdict = LIMITED; break; }
            round++;
            if (play_round(n, 4)) { verdict = STOPPED; break; }
        }
        nodes += round;
        outcome[g] = (int8_t)verdict;
        ended[g] = verdict == STOPPED ? round : verdict == LIMITED ? limit : -1;
    }
    free(cell); free(piece); free(mark); free(logged); free(table);
    return nodes;
}
