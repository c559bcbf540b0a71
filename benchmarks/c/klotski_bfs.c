/* Breadth-first search of Klotski, specialised to boards of 4 x 5 cells with pieces of 1 x 1,
   1 x 2, 2 x 1 and 2 x 2 cells, equal pieces merged; one move = one piece, any path.

   usage: klotski_bfs BOARD REPEATS     BOARD is 20 letters, row by row, '.' for empty; solved when
   the 2 x 2 piece is at the bottom centre.  Prints the length, the number of states reached and
   the least CPU milliseconds of a solve, tables and all. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLS = 4, ROWS = 5, CELLS = 20, SLOTS = 1 << 17, MOST = 1 << 17 };
enum { SINGLE = 1, ACROSS = 2, DOWN = 3, SQUARE = 4 };

static const int HEIGHT[5] = {0, 1, 1, 2, 2}, WIDTH[5] = {0, 1, 2, 1, 2};

static uint32_t cells_at[5][CELLS];
static int8_t near_of[5][CELLS][4];
static uint64_t *states;
static int32_t *parent;
static int32_t *slots;

/* A state is three bits a cell: the kind of the piece whose top left cell it is. */
static uint64_t piece(int kind, int cell) { return (uint64_t)kind << (3 * cell); }

static void build_tables(void) {
    for (int kind = 1; kind <= 4; kind++)
        for (int cell = 0; cell < CELLS; cell++) {
            int row = cell / COLS, col = cell % COLS, bottom = ROWS - HEIGHT[kind], right = COLS - WIDTH[kind];
            cells_at[kind][cell] = 0;
            if (row > bottom || col > right) continue;
            for (int r = 0; r < HEIGHT[kind]; r++)
                for (int c = 0; c < WIDTH[kind]; c++) cells_at[kind][cell] |= 1u << (cell + r * COLS + c);
            near_of[kind][cell][0] = col < right ? cell + 1 : -1;
            near_of[kind][cell][1] = col > 0 ? cell - 1 : -1;
            near_of[kind][cell][2] = row > 0 ? cell - COLS : -1;
            near_of[kind][cell][3] = row < bottom ? cell + COLS : -1;
        }
}

static uint32_t slot_of(uint64_t state) { return (uint32_t)(((state ^ (state >> 29)) * 0x9E3779B97F4A7C15ull) >> 47); }

static int solve(uint64_t start, int *reached) {
    const uint64_t goal = piece(SQUARE, 13), goal_mask = (uint64_t)7 << 39;
    int head = 0, tail = 1, layer_end = 1, depth = 0, length = -1;
    memset(slots, 0, SLOTS * sizeof *slots);
    build_tables();
    states[0] = start;
    parent[0] = -1;
    slots[slot_of(start)] = 1;
    while (head < tail && length < 0) {
        if (head == layer_end) {
            layer_end = tail;
            depth++;
        }
        uint64_t state = states[head];
        int kinds[CELLS], places[CELLS], count = 0;
        uint32_t taken = 0;
        for (uint64_t rest = state; rest;) {
            int cell = __builtin_ctzll(rest) / 3, kind = (int)(state >> (3 * cell)) & 7;
            rest &= ~((uint64_t)7 << (3 * cell));
            kinds[count] = kind;
            places[count++] = cell;
            taken |= cells_at[kind][cell];
        }
        for (int number = 0; number < count && length < 0; number++) {
            int kind = kinds[number], stack[CELLS], top = 0;
            uint32_t others = taken & ~cells_at[kind][places[number]], seen = 1u << places[number];
            uint64_t bare = state ^ piece(kind, places[number]);
            stack[top++] = places[number];
            while (top) {
                const int8_t *near = near_of[kind][stack[--top]];
                for (int direction = 0; direction < 4; direction++) {
                    int at = near[direction];
                    if (at < 0 || seen >> at & 1 || cells_at[kind][at] & others) continue;
                    seen |= 1u << at;
                    stack[top++] = at;
                    uint64_t next = bare ^ piece(kind, at);
                    uint32_t slot = slot_of(next);
                    while (slots[slot] && states[slots[slot] - 1] != next) slot = (slot + 1) & (SLOTS - 1);
                    if (slots[slot]) continue;
                    states[tail] = next;
                    parent[tail] = head;
                    slots[slot] = ++tail;
                    if ((next & goal_mask) == goal) length = depth + 1;
                }
            }
        }
        head++;
    }
    *reached = tail;
    return length;
}

static uint64_t read_board(const char *text) {
    uint64_t state = 0;
    if (strlen(text) != CELLS) return 0;
    for (int cell = 0; cell < CELLS; cell++) {
        char mark = text[cell];
        if (mark == '.' || memchr(text, mark, cell)) continue;
        int across = cell % COLS < COLS - 1 && text[cell + 1] == mark;
        int down = cell < CELLS - COLS && text[cell + COLS] == mark;
        state |= piece(across ? (down ? SQUARE : ACROSS) : (down ? DOWN : SINGLE), cell);
    }
    return state;
}

int main(int count, char **words) {
    uint64_t start = count == 3 ? read_board(words[1]) : 0;
    int repeats = count == 3 ? atoi(words[2]) : 0, length = 0, reached = 0;
    double best = 1e9;
    if (!start || repeats < 1) {
        fprintf(stderr, "usage: klotski_bfs BOARD REPEATS\n");
        return 2;
    }
    states = malloc(MOST * sizeof *states);
    parent = malloc(MOST * sizeof *parent);
    slots = malloc(SLOTS * sizeof *slots);
    while (repeats--) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        length = solve(start, &reached);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        double spent = (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6;
        if (spent < best) best = spent;
    }
    printf("%d %d %.4f\n", length, reached, best);
    return 0;
}
