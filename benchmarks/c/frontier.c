/* Coverings of a board by L trominoes, cell by cell over all profiles: the textbook program.
 *
 * A profile has bit k set when the cell k places on is covered.  Numbers are 128 bits long.  The
 * board is rows of width bytes, nonzero for cells that must be covered.  Returns 0 when memory is
 * missing, else 1 and the count in two words, low word first.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 number;

int count_l_trominoes(const uint8_t *board, int rows, int width, uint64_t *result)
{
    const size_t size = (size_t)1 << (width + 1);
    const uint64_t down = (uint64_t)1 << width, left = down >> 1, diagonal = down << 1;
    number *now = calloc(2 * size, sizeof *now), *next = malloc(2 * size * sizeof *next);
    if (!now || !next) {
        free(now);
        free(next);
        return 0;
    }
    now[0] = 1;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < width; col++) {
            const uint8_t *cell = board + row * width + col;
            uint64_t shapes[4], used = 0;
            const int below = row + 1 < rows && cell[width];
            const int right = col + 1 < width && cell[1];
            const int below_right = row + 1 < rows && col + 1 < width && cell[width + 1];
            const int below_left = row + 1 < rows && col > 0 && cell[width - 1];
            if (below && right) shapes[used++] = 1 | down | 2;
            if (below && below_right) shapes[used++] = 1 | down | diagonal;
            if (below && below_left) shapes[used++] = 1 | down | left;
            if (right && below_right) shapes[used++] = 1 | 2 | diagonal;
            memset(next, 0, 2 * size * sizeof *next);
            for (uint64_t profile = 0; profile < 2 * size; profile++) {
                const number ways = now[profile];
                if (!ways) continue;
                if (!*cell || (profile & 1)) {
                    if (*cell || !(profile & 1)) next[profile >> 1] += ways;
                    continue;
                }
                for (uint64_t k = 0; k < used; k++)
                    if (!(profile & shapes[k])) next[(profile | shapes[k]) >> 1] += ways;
            }
            number *spare = now;
            now = next;
            next = spare;
        }
    result[0] = (uint64_t)now[0];
    result[1] = (uint64_t)(now[0] >> 64);
    free(now);
    free(next);
    return 1;
}
