/* Counting what decisions offer and what is chosen, in the cells of `interpreter.counting.counted_program`, and
   adding up these cells at the ends of games: what `interpreter.counting.counts.Folder` does. This text comes after
   `bots.c` and the tables and functions of `codegen.counting`, and before `games.c`. */

/* Counts a decision. `fixed`: the number of chosen options was given, and is above 1. */
static void rw_count_decision(rw_game *G, int seat, int site, const int *options, int count, int fixed,
                              const int *chosen, int number) {
  if (fixed && rw_of_cards[site]) {
    int apart[RW_OPTIONS + 1];
    if (rw_unlike(G, options, count, apart) == 1) return;
  }
  rw_count_site(G, seat, site, options, count, chosen, number);
}

/* Adds up how often each thing was chosen, at all sites. */
static void rw_count_things(rw_game *G) {
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i];
    S[RW_THINGS_AT + rw_thing_of[place % RW_USES]] += S[RW_USES_AT + 2 * place + 1];
  }
}

/* Clears the cells of uses, which are not copied with a new game. */
static void rw_clear_uses(rw_game *G) {
  for (int i = 0; i < G->touches; i++) S[RW_USES_AT + 2 * G->touched[i]] = S[RW_USES_AT + 2 * G->touched[i] + 1] = 0;
  G->touches = 0;
}

/* ------------------------------------------------------------------ the ends of games */

/* Where games are added up: sums for each place and number of offers and choices, the numbers of those that are not
   zero, and all other sums. They must stay in place, and be all zero.

   A place is a seat times the number of uses, and a use. For a few offers there are sums for each number of offers
   and of choices, of so many games and their measures; they take the first RW_SMALL of RW_PLACE numbers, and all
   others have rows as in `counts`. */
RW_PUBLIC void rw_add_to(rw_game *G, long long *rows, int *numbers, long long *others) {
  G->rows = rows;
  G->row_numbers = numbers;
  G->others = others;
  G->row_count = 0;
}

/* How many rows are not zero. */
RW_PUBLIC int rw_rows(const rw_game *G) { return G->row_count; }

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
  if (!row[0]) G->row_numbers[G->row_count++] = number;
}

/* Adds a place with so many offers that they are summed by stratum. */
static void rw_add_row(rw_game *G, int place, int offered, int chosen, const long long *measured) {
  int stratum = 0;
  while (stratum < RW_STRATA && offered > rw_strata[stratum]) stratum++;
  int number = place * (RW_STRATA + 1) + stratum;
  long long *row = G->rows + RW_LARGE + (long long)number * RW_ROW, o = offered, c = chosen;
  rw_mark_row(G, row, RW_PLACES_COUNTED * RW_SMALL + number);
  row[0]++;
  row[1] += c;
  row[2] += c * c;
  row[3] += o;
  row[4] += o * o;
  row[5] += o * c;
  for (int i = 0; i < 3; i++) {
    row[6 + 3 * i] += measured[1 + i];
    row[7 + 3 * i] += measured[1 + i] * c;
    row[8 + 3 * i] += measured[1 + i] * o;
  }
}

static void rw_own(int *owned, int zone, int definition, int copies) {
  owned[definition * RW_SEATS + rw_owner[zone]] += copies;
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
  long long measured[RW_SEATS][4], *sums = G->others;
  rw_measure(G, measured);
  for (int i = 0; i < G->touches; i++) {
    int place = G->touched[i], offered = S[RW_USES_AT + 2 * place], chosen = S[RW_USES_AT + 2 * place + 1];
    const long long *values = measured[place / RW_USES];
    if (offered > RW_FEW) {
      rw_add_row(G, place, offered, chosen, values);
      continue;
    }
    int number = place * RW_SMALL + offered * (offered + 1) / 2 - 1 + chosen;
    long long *row = G->rows + 4 * number;
    rw_mark_row(G, row, number);
    for (int j = 0; j < 4; j++) row[j] += values[j];
  }
  *sums++ += 1;
  for (int i = 0; i < RW_DONE; i++, sums += 2) {
    sums[0] += S[RW_DONE_AT + i];
    sums[1] += S[RW_DONE_AT + i] > 0;
  }
  for (int i = 0; i < RW_POINTS; i++) *sums++ += S[RW_POINTS_AT + i];
  rw_add_owned(G, sums);
}
