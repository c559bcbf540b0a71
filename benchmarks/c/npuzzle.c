/* IDA* for the 15-puzzle with taxicab distances, goal 0 1 2 ... 15: our own C reference.
 * Reads 16 numbers a line; prints length and nodes for each. */
#include <stdio.h>
#include <stdlib.h>

static int board[16], walk[16][16], near_cell[16][5];
static long long nodes;

static int search(int blank, int before, int g, int h, int bound, int *next) {
    for (int side = 0; near_cell[blank][side] >= 0; side++) {
        int cell = near_cell[blank][side];
        if (cell == before) continue;
        int tile = board[cell];
        int rest = h + walk[tile][blank] - walk[tile][cell];
        nodes++;
        if (g + 1 + rest > bound) {
            if (g + 1 + rest < *next) *next = g + 1 + rest;
            continue;
        }
        if (rest == 0) return 1;
        board[blank] = tile;
        if (search(cell, blank, g + 1, rest, bound, next)) return 1;
        board[cell] = tile;
    }
    return 0;
}

int main(void) {
    for (int a = 0; a < 16; a++) {
        int count = 0;
        for (int b = 0; b < 16; b++) {
            walk[a][b] = abs(a / 4 - b / 4) + abs(a % 4 - b % 4);
            if (walk[a][b] == 1) near_cell[a][count++] = b;
        }
        near_cell[a][count] = -1;
    }
    int start[16];
    for (;;) {
        int blank = 0, h = 0;
        for (int i = 0; i < 16; i++) {
            if (scanf("%d", &start[i]) != 1) return 0;
            if (start[i]) h += walk[start[i]][i]; else blank = i;
        }
        nodes = 0;
        int bound = h, next;
        for (;;) {
            for (int i = 0; i < 16; i++) board[i] = start[i];
            next = 1 << 30;
            if (h == 0 || search(blank, -1, 0, h, bound, &next)) break;
            bound = next;
        }
        printf("%d %lld\n", bound, nodes);
    }
}
