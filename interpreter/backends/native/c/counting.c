/* Counting what decisions offer and what is chosen, in the cells of `interpreter.counting.counted_program`, and
   adding up these cells at the ends of games: what `interpreter.counting.counts.Folder` does. This text comes after
   `bots.c` and the tables of `codegen.counting`, and before `games.c`. */

/* The cell of a use and a seat. */
static inline int *rw_use_cell(rw_game *G, int use, int seat) {
  return S + RW_USES_AT + 2 * (use * RW_SEATS + seat);
}

/* Counts a use in the present decision, once. */
static inline void rw_offer(rw_game *G, int use, int seat) {
  if (G->use_marks[use] == G->use_stamp) return;
  G->use_marks[use] = G->use_stamp;
  if (!(*rw_use_cell(G, use, seat))++) G->touched[G->touches++] = use * RW_SEATS + seat;
}

static inline void rw_choose(rw_game *G, int use, int seat) {
  if (G->use_marks[use] == G->use_stamp) return;
  G->use_marks[use] = G->use_stamp;
  rw_use_cell(G, use, seat)[1]++;
  S[RW_THINGS_AT + rw_thing_of[use]]++;
}

static inline void rw_new_stamp(rw_game *G) {
  if (RW_RARE(++G->use_stamp == 0)) { /* after 2^32 of them: clear all marks */
    for (int i = 0; i < RW_USES; i++) G->use_marks[i] = 0;
    G->use_stamp = 1;
  }
}

/* The functions of sites, which `codegen.counting` writes: each counts values, as `rw_offer` or `rw_choose` do. */
static void rw_offers(rw_game *G, int seat, int site, const int *values, int count);
static void rw_choices(rw_game *G, int seat, int site, const int *values, int count);

/* Counts a decision. `fixed`: the number of chosen options was given. */
static void rw_count_decision(rw_game *G, int seat, int site, const int *options, int count, int fixed, const int *chosen,
                     int number) {
  if (fixed && rw_of_cards[site]) {
    int apart[RW_OPTIONS + 1];
    if (rw_unlike(G, options, count, apart) == 1) return;
  }
  rw_new_stamp(G);
  rw_offers(G, seat, site, options, count);
  rw_new_stamp(G);
  rw_choices(G, seat, site, chosen, number);
}

/* ------------------------------------------------------------------ the ends of games */

/* Where games are added up: rows of sums, the numbers of the rows that are not zero, and all other sums. They must
   stay in place, and be all zero. */
RW_PUBLIC void rw_add_to(rw_game *G, long long *rows, int *numbers, long long *others) {
  G->rows = rows;
  G->row_numbers = numbers;
  G->others = others;
  G->row_count = 0;
}

/* How many rows are not zero. */
RW_PUBLIC int rw_rows(const rw_game *G) { return G->row_count; }

static inline int rw_stratum(int offered) {
  int stratum = 0;
  if (offered <= 8) return offered - 1;
  while (stratum < RW_STRATA && offered > rw_strata[stratum]) stratum++;
  return stratum;
}

/* The share of a win, the score, and the rank of each seat. */
static void rw_measure(rw_game *G, long long measured[RW_SEATS][3]) {
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
    measured[seat][0] = won[seat] * (long long)(RW_WIN_UNIT / (winners ? winners : 1));
    measured[seat][1] = scores[seat];
    measured[seat][2] = rank;
  }
}

static inline void rw_add_row(rw_game *G, int place, int offered, int chosen, const long long *measured) {
  int number = place * (RW_STRATA + 1) + rw_stratum(offered);
  long long *row = G->rows + (long long)number * RW_ROW, o = offered, c = chosen;
  if (!row[0]) G->row_numbers[G->row_count++] = number;
  row[0]++;
  row[1] += c;
  row[2] += c * c;
  row[3] += o;
  row[4] += o * o;
  row[5] += o * c;
  for (int i = 0; i < 3; i++) {
    row[6 + 3 * i] += measured[i];
    row[7 + 3 * i] += measured[i] * c;
    row[8 + 3 * i] += measured[i] * o;
  }
}

static void rw_own(int *owned, int zone, int definition, int copies) {
  if (definition >= 0) owned[definition * RW_SEATS + rw_owner[zone]] += copies;
}

/* Adds the cards in the zones of seats. */
static void rw_add_owned(rw_game *G, long long *sums) {
  int owned[RW_DEFINED * RW_SEATS + 1];
  for (int i = 0; i < RW_DEFINED * RW_SEATS; i++) owned[i] = 0;
  for (int zone = 0; zone < RW_ZONES; zone++) {
    if (rw_owner[zone] < 0) continue;
#if RW_KEPT
    int size = K->size[zone];
    if (rw_form[zone] == RW_NUMBER) {
      if (size) rw_own(owned, zone, rw_defined[rw_spot[zone]], size);
    } else if (rw_form[zone] == RW_ORDER) {
      for (int i = 0; i < size; i++) rw_own(owned, zone, rw_defined[K->rows[rw_spot[zone] + i]], 1);
    } else {
      const rw_counts *counts = &K->counts[rw_spot[zone]];
      for (int i = 0; i < RW_WORDS; i++)
        RW_EACH_BIT(word, counts->held[i]) {
          int card = 64 * i + rw_lowest(word);
          rw_own(owned, zone, rw_defined[card], counts->n[card]);
        }
    }
#else
    const int *cards = S + rw_address[zone];
    for (int i = 1; i <= cards[0]; i++) rw_own(owned, zone, rw_defined[cards[i]], 1);
#endif
  }
  for (int i = 0; i < RW_DEFINED * RW_SEATS; i++) {
    sums[2 * i] += owned[i];
    sums[2 * i + 1] += owned[i] > 0;
  }
}

/* Adds a game that has ended. */
static void rw_add_game(rw_game *G) {
  long long measured[RW_SEATS][3], *sums = G->others;
  rw_measure(G, measured);
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i];
    const int *cell = S + RW_USES_AT + 2 * place;
    rw_add_row(G, place, cell[0], cell[1], measured[place % RW_SEATS]);
  }
  *sums++ += 1;
  for (int i = 0; i < RW_DONE; i++, sums += 2) {
    sums[0] += S[RW_DONE_AT + i];
    sums[1] += S[RW_DONE_AT + i] > 0;
  }
  for (int i = 0; i < RW_POINTS; i++) *sums++ += S[RW_POINTS_AT + i];
  rw_add_owned(G, sums);
}

/* Clears the cells of uses, which are not copied with a new game. */
static void rw_clear_uses(rw_game *G) {
  for (int i = 0; i < G->touches; i++) S[RW_USES_AT + 2 * G->touched[i]] = S[RW_USES_AT + 2 * G->touched[i] + 1] = 0;
  G->touches = 0;
}
