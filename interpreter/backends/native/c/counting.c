/* Counting what decisions offer and what is chosen, and adding up the counts at the ends of games: what
   `policies.counting_player` and `interpreter.counting.counts.Folder` do. This text comes after `bots.c` and the
   tables and functions of `codegen.counting`, and before `games.c`.

   While a game is played, each use of a site has a byte for a seat's offers and one for its choices; eight of them
   are a word, to which a decision is added at once. Only sites that ask more than 254 times, or share uses with
   another site, keep counts in the cells of `counting.counted_program`. */

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
  G->spilled[at] = 1;
}

/* Moves all counts to their cells, and adds up how often each thing was chosen. */
static void rw_show_uses(rw_game *G) {
  for (int i = 0; i < G->opens; i++) rw_spill(G, G->open[i]);
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i];
    S[RW_THINGS_AT + rw_thing_of[place % RW_USES]] += S[RW_USES_AT + 2 * place + 1];
  }
}

/* Forgets the counts of a game that were not added up; no new game clears them. */
static void rw_clear_uses(rw_game *G) {
  for (int i = 0; i < G->opens; i++) {
    int at = G->open[i], site = at % RW_ASKING;
    for (int block = rw_first_block[site]; block < rw_first_block[site + 1]; block++)
      G->offers[at / RW_ASKING * RW_BLOCKS + block] = G->takes[at / RW_ASKING * RW_BLOCKS + block] = 0;
    G->asked[at] = G->spilled[at] = 0;
  }
  for (int i = 0; i < G->touches; i++) S[RW_USES_AT + 2 * G->touched[i]] = S[RW_USES_AT + 2 * G->touched[i] + 1] = 0;
  G->opens = G->touches = 0;
}

/* ------------------------------------------------------------------ the ends of games */

/* Where games are added up: sums for places, the numbers of those that are not zero, and all other sums. They must
   stay in place, and be all zero.

   A place is a seat times the number of uses, and a use. For up to RW_FEW offers there are four sums for each number
   of offers and of choices: so many games, and their measures. They come first; then each place has a row for each
   stratum, as in `rows`. */
RW_PUBLIC void rw_add_to(rw_game *G, long long *rows, int *numbers, long long *others) {
  G->rows = rows;
  G->row_numbers = numbers;
  G->others = others;
  G->row_count = 0;
}

/* One and the measures of each seat: the share of a win, the score, and the rank. */
static void rw_measure(rw_game *G, long long measured[RW_SEATS][4]) {
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
    measured[seat][1] = won[seat] * (long long)(RW_WIN_UNIT / (winners ? winners : 1));
    measured[seat][2] = scores[seat];
    measured[seat][3] = rank;
  }
}

static inline void rw_mark_row(rw_game *G, const long long *row, int number) {
  if (RW_RARE(!row[0])) G->row_numbers[G->row_count++] = number;
}

/* Adds games with so many offers and choices to a row: their number, and the sums of their measures. */
static inline void rw_add_row(long long *row, long long o, long long c, const long long *measured) {
  long long games = measured[0];
  row[0] += games;
  row[1] += games * c;
  row[2] += games * c * c;
  row[3] += games * o;
  row[4] += games * o * o;
  row[5] += games * o * c;
  for (int i = 0; i < 3; i++) {
    row[6 + 3 * i] += measured[1 + i];
    row[7 + 3 * i] += measured[1 + i] * c;
    row[8 + 3 * i] += measured[1 + i] * o;
  }
}

/* Adds a place of a game. */
static inline void rw_add_place(rw_game *G, int place, int offered, int chosen, const long long *measured) {
  if (offered > RW_FEW) {
    int stratum = RW_FEW;
    while (stratum < RW_STRATA && offered > rw_strata[stratum]) stratum++;
    int number = place * (RW_STRATA + 1) + stratum;
    long long *row = G->rows + RW_LARGE + number * (long long)RW_ROW;
    rw_mark_row(G, row, RW_SMALL * RW_COUNTED_PLACES + number);
    rw_add_row(row, offered, chosen, measured);
    return;
  }
  int number = place * RW_SMALL + offered * (offered + 1) / 2 - 1 + chosen;
  long long *row = G->rows + 4 * number;
  rw_mark_row(G, row, number);
  for (int i = 0; i < 4; i++) row[i] += measured[i];
}

/* Adds all places, and forgets their counts. */
static void rw_add_places(rw_game *G, long long measured[RW_SEATS][4]) {
  const rw_u64 high = 0x8080808080808080ull;
  for (int i = 0; i < G->opens; i++) {
    int at = G->open[i], seat = at / RW_ASKING, site = at % RW_ASKING;
    if (RW_RARE(rw_shares[site] || G->spilled[at])) rw_spill(G, at);
    for (int block = rw_first_block[site]; block < rw_first_block[site + 1]; block++) {
      rw_u64 *offers = G->offers + seat * RW_BLOCKS + block, *takes = G->takes + seat * RW_BLOCKS + block;
      rw_u64 some = ((*offers & ~high) + ~high | *offers) & high; /* a bit for each byte that is not zero */
      for (; some; some &= some - 1) {
        int byte = rw_lowest(some) / 8, place = seat * RW_USES + rw_use_at[8 * block + byte];
        rw_add_place(G, place, rw_byte(*offers, byte), rw_byte(*takes, byte), measured[seat]);
      }
      *offers = *takes = 0;
    }
    G->asked[at] = G->spilled[at] = 0;
  }
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i], *cell = S + RW_USES_AT + 2 * place;
    rw_add_place(G, place, cell[0], cell[1], measured[place / RW_USES]);
    cell[0] = cell[1] = 0;
  }
  G->opens = G->touches = 0;
}

static inline void rw_own(long long *sums, int zone, int definition, int copies) {
  sums[definition * RW_SEATS + rw_owner[zone]] += copies;
}

/* Adds the cards in the zones of seats. */
static void rw_add_owned(rw_game *G, long long *sums) {
  for (int zone = 0; zone < RW_ZONES; zone++) {
    if (rw_owner[zone] < 0) continue;
#if RW_KEPT
    int size = K->size[zone];
    if (rw_form[zone] == RW_NUMBER) {
      if (size) rw_own(sums, zone, rw_defined[rw_spot[zone]], size);
    } else if (rw_form[zone] == RW_ORDER) {
      for (int i = 0; i < size; i++) rw_own(sums, zone, rw_defined[K->rows[rw_spot[zone] + i]], 1);
    } else {
      const rw_counts *counts = &K->counts[rw_spot[zone]];
      for (int i = 0; i < RW_WORDS; i++)
        RW_EACH_BIT(word, counts->held[i]) {
          int card = 64 * i + rw_lowest(word);
          rw_own(sums, zone, rw_defined[card], counts->n[card]);
        }
    }
#else
    const int *cards = S + rw_address[zone];
    for (int i = 1; i <= cards[0]; i++) rw_own(sums, zone, rw_defined[cards[i]], 1);
#endif
  }
}

/* Adds a game that has ended. */
static void rw_add_game(rw_game *G) {
  long long measured[RW_SEATS][4], *sums = G->others;
  rw_measure(G, measured);
  rw_add_places(G, measured);
  *sums++ += 1;
  for (int i = 0; i < RW_DONE; i++, sums += 2) {
    sums[0] += S[RW_DONE_AT + i];
    sums[1] += S[RW_DONE_AT + i] > 0;
  }
  for (int i = 0; i < RW_POINTS; i++) *sums++ += S[RW_POINTS_AT + i];
  rw_add_owned(G, sums);
}

/* Adds the sums for few offers to the rows of their strata. Returns how many rows are not zero. */
RW_PUBLIC int rw_gather(rw_game *G) {
  int found = 0;
  for (int i = 0; i < G->row_count; i++) {
    int number = G->row_numbers[i] - RW_SMALL * RW_COUNTED_PLACES;
    if (number < 0) {
      int place = G->row_numbers[i] / RW_SMALL, chosen = G->row_numbers[i] % RW_SMALL, offered = 1;
      long long *small = G->rows + 4 * G->row_numbers[i], *row;
      for (; chosen > offered; offered++) chosen -= offered + 1;
      number = place * (RW_STRATA + 1) + offered - 1;
      row = G->rows + RW_LARGE + number * (long long)RW_ROW;
      if (!row[0]) G->row_numbers[found++] = number;
      rw_add_row(row, offered, chosen, small);
      for (int j = 0; j < 4; j++) small[j] = 0;
    } else {
      G->row_numbers[found++] = number;
    }
  }
  return G->row_count = found;
}

/* Moves the gathered rows out: for each its number and its sums. */
RW_PUBLIC void rw_take_rows(rw_game *G, long long *out) {
  for (int i = 0; i < G->row_count; i++) {
    long long *row = G->rows + RW_LARGE + G->row_numbers[i] * (long long)RW_ROW;
    *out++ = G->row_numbers[i];
    for (int j = 0; j < RW_ROW; j++) {
      *out++ = row[j];
      row[j] = 0;
    }
  }
  G->row_count = 0;
}
