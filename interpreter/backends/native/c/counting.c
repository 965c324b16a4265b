/* Counting what decisions offer and what is chosen, and adding up the counts at the ends of games: what
   `backends.policies` and `interpreter.counting.Folder` do. This text comes after `bots.c` and the
   tables and functions of `codegen.counting`, and before `games.c`.

   While a game is played, each use of a site has a byte for a seat's offers and one for its choices; eight of them
   are a word, to which a decision is added at once. Only sites that ask more than 254 times, or share uses with
   another site, keep counts in the cells of `interpreter.counting`. */

/* Counts a decision. `fixed`: the number of chosen options was given, and is above 1. */
static RW_INSIDE void rw_count_decision(rw_game *G, int seat, int site, const int *options, int count, int fixed,
                                        const int *chosen, int number) {
  if (fixed && rw_of_cards[site]) {
    int apart[RW_OPTIONS + 1];
    if (rw_unlike(G, options, count, apart) == 1) return;
  }
  rw_count_site(G, seat, site, options, count, chosen, number);
}

static inline int rw_byte(rw_u64 word, int i) { return (int)(word >> 8 * i & 255); }

/* Moves the counts of a seat at a site from their bytes to their cells. */
static RW_APART void rw_spill(rw_game *G, int at) {
  int seat = at / RW_ASKING, site = at % RW_ASKING;
  for (int block = rw_first_block[site]; block < rw_first_block[site + 1]; block++) {
    rw_u64 *offers = G->offers + seat * RW_BLOCKS + block, *takes = G->takes + seat * RW_BLOCKS + block;
    for (int i = 0; i < 8; i++) {
      int offered = rw_byte(*offers, i), place = seat * RW_USES + rw_use_at[8 * block + i];
      int *cell = S + RW_USES_AT + 2 * place;
      if (!offered) continue;
      if (!cell[0]) G->touched[G->touches++] = place;
      cell[0] += offered;
      cell[1] += rw_byte(*takes, i);
    }
    *offers = *takes = 0;
  }
  G->spilled[at] = G->spills = 1;
}

/* Moves all counts to their cells, and adds up how often each thing was chosen. */
static void rw_show_uses(rw_game *G) {
  for (int at = 0; at < RW_SEATS * RW_ASKING; at++)
    if (G->asked[at]) rw_spill(G, at);
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i];
    S[RW_THINGS_AT + rw_thing_of[place % RW_USES]] += S[RW_USES_AT + 2 * place + 1];
  }
}

/* Forgets which sites have asked, and the cells of uses; no new game clears them. */
static void rw_forget_uses(rw_game *G) {
  for (int at = 0; at < RW_SEATS * RW_ASKING; at++) G->asked[at] = G->spilled[at] = 0;
  for (int i = 0; i < G->touches; i++) S[RW_USES_AT + 2 * G->touched[i]] = S[RW_USES_AT + 2 * G->touched[i] + 1] = 0;
  G->touches = G->spills = 0;
}

/* Forgets the counts of a game that were not added up. */
static void rw_clear_uses(rw_game *G) {
  for (int i = 0; i < RW_SEATS * RW_BLOCKS; i++) G->offers[i] = G->takes[i] = 0;
  rw_forget_uses(G);
}

/* ------------------------------------------------------------------ the ends of games */

#define RW_FIRST_ROW (RW_SMALL * RW_COUNTED_PLACES) /* numbers below it are those of the short sums */
#define RW_LARGEST 0x7FFFFFFFll

/* Where games are added up: sums for places, the numbers of those that are not zero, and all other sums. They must
   stay in place, and be all zero.

   A place is a seat times the number of uses, and a use. For up to RW_FEW offers there are four sums for each number
   of offers and of choices: so many games, and their measures. They come first, and are short, since all of them
   fit into a fast cache then; then each place has a row for each stratum, as in `rows`. */
RW_PUBLIC void rw_add_to(rw_game *G, long long *rows, int *numbers, long long *others) {
  G->small = (int *)rows;
  G->rows = rows + RW_LARGE;
  G->row_numbers = numbers;
  G->others = others;
  G->row_count = G->burden = 0;
}

/* One and the measures of each seat: the share of a win, the score, and the rank. Returns the largest of them,
   whatever its sign. */
static long long rw_measure(rw_game *G, int measured[RW_SEATS][4]) {
  long long most = RW_WIN_UNIT;
  int won[RW_SEATS], scores[RW_SEATS], winners = 0;
  for (int seat = 0; seat < RW_SEATS; seat++) {
    won[seat] = RW_WINNERS ? S[rw_winner_at[seat]] : 0;
    scores[seat] = RW_SCORES ? S[rw_score_at[seat]] : 0;
    winners += won[seat];
  }
  for (int seat = 0; seat < RW_SEATS; seat++) {
    int rank = 1;
    for (int i = 0; i < RW_SEATS; i++)
      rank += won[i] > won[seat] || (won[i] == won[seat] && scores[i] > scores[seat]);
    measured[seat][0] = 1;
    measured[seat][1] = won[seat] * (RW_WIN_UNIT / (winners ? winners : 1));
    measured[seat][2] = scores[seat];
    measured[seat][3] = rank;
    if (most < scores[seat]) most = scores[seat];
    if (most < -(long long)scores[seat]) most = -(long long)scores[seat];
  }
  return most;
}

/* Adds games with so many offers and choices to a row: their number, and the sums of their measures. */
static inline void rw_add_row(rw_game *G, int place, int o, int c, const int *measured) {
  int stratum = o <= RW_FEW ? o - 1 : RW_FEW;
  while (stratum < RW_STRATA && o > rw_strata[stratum]) stratum++;
  int number = place * (RW_STRATA + 1) + stratum;
  long long *row = G->rows + number * (long long)RW_ROW, games = measured[0];
  if (!row[0]) G->row_numbers[G->row_count++] = RW_FIRST_ROW + number;
  row[0] += games;
  row[1] += games * c;
  row[2] += games * c * c;
  row[3] += games * o;
  row[4] += games * o * o;
  row[5] += games * o * c;
  for (int i = 0; i < 3; i++) {
    long long sum = measured[1 + i];
    row[6 + 3 * i] += sum;
    row[7 + 3 * i] += sum * c;
    row[8 + 3 * i] += sum * o;
  }
}

/* Adds a place of a game. */
static inline void rw_add_place(rw_game *G, int place, int offered, int chosen, const int *measured) {
  if (RW_RARE(offered > RW_FEW)) { rw_add_row(G, place, offered, chosen, measured); return; }
  int number = place * RW_SMALL + offered * (offered + 1) / 2 - 1 + chosen, *small = G->small + 4 * number;
  /* All are read before any is written, so that a compiler can add the four at once. */
  int games = small[0], won = small[1], score = small[2], rank = small[3];
  if (RW_RARE(!games)) G->row_numbers[G->row_count++] = number;
  small[0] = games + measured[0];
  small[1] = won + measured[1];
  small[2] = score + measured[2];
  small[3] = rank + measured[3];
}

/* A bit for each byte of a word that is not zero. */
static inline rw_u64 rw_used(rw_u64 word) {
  const rw_u64 high = 0x8080808080808080ull;
  return ((((word & ~high) + ~high | word) & high) >> 7) * 0x0102040810204080ull >> 56;
}

/* Adds all places, and forgets their counts. Blocks are gone through in groups of eight, with a bit for each use:
   a processor foresees the end of one long loop better than those of many short ones. */
static void rw_add_places(rw_game *G, int measured[RW_SEATS][4]) {
  if (RW_RARE(RW_SHARED || G->spills))
    for (int at = 0; at < RW_SEATS * RW_ASKING; at++)
      if (G->spilled[at] || rw_shares[at % RW_ASKING]) rw_spill(G, at);
  for (int seat = 0; seat < RW_SEATS; seat++)
    for (int first = 0; first < RW_BLOCKS; first += 8) {
      rw_u64 *offers = G->offers + seat * RW_BLOCKS + first, *takes = G->takes + seat * RW_BLOCKS + first, uses = 0;
      for (int i = 0; i < 8; i++) uses |= rw_used(offers[i]) << 8 * i;
      for (; uses; uses &= uses - 1) {
        int use = rw_lowest(uses), place = seat * RW_USES + rw_use_at[8 * first + use];
        int offered = rw_byte(offers[use >> 3], use & 7), chosen = rw_byte(takes[use >> 3], use & 7);
        rw_add_place(G, place, offered, chosen, measured[seat]);
      }
      for (int i = 0; i < 8; i++) offers[i] = takes[i] = 0;
    }
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i], *cell = S + RW_USES_AT + 2 * place;
    rw_add_place(G, place, cell[0], cell[1], measured[place / RW_USES]);
  }
  rw_forget_uses(G);
}

/* Adds the cards in the zones of seats. */
static void rw_add_owned(rw_game *G, long long *sums) {
  for (int zone = 0; zone < RW_ZONES; zone++) {
    if (rw_owner[zone] < 0) continue;
    const int *cards = S + rw_address[zone];
    for (int i = 1; i <= cards[0]; i++) sums[rw_defined[cards[i]] * RW_SEATS + rw_owner[zone]]++;
  }
}

/* Adds the sums for few offers to the rows of their strata. Returns how many rows are not zero. */
RW_PUBLIC int rw_gather(rw_game *G) {
  int count = G->row_count;
  G->row_count = G->burden = 0;
  for (int i = 0; i < count; i++) {
    int number = G->row_numbers[i];
    if (number >= RW_FIRST_ROW) { G->row_numbers[G->row_count++] = number; continue; }
    int place = number / RW_SMALL, chosen = number % RW_SMALL, offered = 1, *small = G->small + 4 * number;
    for (; chosen > offered; offered++) chosen -= offered + 1;
    rw_add_row(G, place, offered, chosen, small);
    for (int j = 0; j < 4; j++) small[j] = 0;
  }
  return G->row_count;
}

/* Adds a game that has ended. */
static void rw_add_game(rw_game *G) {
  int measured[RW_SEATS][4];
  long long most = rw_measure(G, measured), *sums = G->others;
  if (RW_RARE(G->burden + most > RW_LARGEST)) rw_gather(G);
  rw_add_places(G, measured);
  G->burden += most;
  *sums++ += 1;
  for (int i = 0; i < RW_DONE; i++, sums += 2) {
    sums[0] += S[RW_DONE_AT + i];
    sums[1] += S[RW_DONE_AT + i] > 0;
  }
  for (int i = 0; i < RW_POINTS; i++) *sums++ += S[RW_POINTS_AT + i];
  rw_add_owned(G, sums);
}

/* Moves the gathered rows out: for each its number and its sums. */
RW_PUBLIC void rw_take_rows(rw_game *G, long long *out) {
  for (int i = 0; i < G->row_count; i++) {
    int number = G->row_numbers[i] - RW_FIRST_ROW;
    long long *row = G->rows + number * (long long)RW_ROW;
    *out++ = number;
    for (int j = 0; j < RW_ROW; j++) {
      *out++ = row[j];
      row[j] = 0;
    }
  }
  G->row_count = 0;
}
