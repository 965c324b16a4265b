/* Playing on from a state whose cards are individuals. This text comes after `games.c` and the tables of
   `native.codegen.resuming`. */

/* The reference to a card in its present zone. */
static int rw_ref_of(const int *state, int card) {
  return card < 0 ? card : RW_REF(state[RW_PLACES + card], rw_class_of[card]);
}

static void rw_convert(rw_game *G, const int *state, int address, int capacity) {
  int count = capacity ? S[address++] : 1;
  for (int i = 0; i < count; i++) S[address + i] = rw_ref_of(state, S[address + i]);
}

/* Converts cells that remember cards: they hold classes. */
static void rw_convert_remembered(rw_game *G, int address, int capacity) {
  int count = capacity ? S[address++] : 1;
  for (int i = 0; i < count; i++)
    if (S[address + i] >= 0) S[address + i] = rw_class_of[S[address + i]];
}

/* Puts the cards of all zones where they lie in a state. */
static void rw_lay(rw_game *G, const int *state) {
  for (int zone = 0; zone < RW_ZONES; zone++) {
    const int *cards = state + rw_address[zone] + 1;
    int size = cards[-1];
    rw_empty(G, zone);
    for (int i = 0; i < size; i++) rw_put(G, zone, rw_form[zone], rw_class_of[cards[i]], 0, 0);
  }
}

/* Converts the answers of all seats. */
static void rw_convert_answers(rw_game *G, const int *state) {
  for (int seat = 0; seat < RW_SEATS; seat++) {
    int *slot = rw_slot(G, seat), site = slot[1];
    if (!slot[0]) continue;
    for (int i = 0; i < slot[5 + RW_OPTIONS]; i++) {
      int *value = slot + 6 + RW_OPTIONS + i, branch = *value % rw_branches[site];
      int factor = *value < 0 ? 0 : rw_factor[rw_branch_from[site] + branch];
      if (factor) *value = *value % factor + factor * rw_ref_of(state, *value / factor);
    }
  }
}

/* Plays on from a state that runs, to the end of the game or for `depth` questions. Returns 0 if the game ended, or
   a rule error, or RW_CUT at the end of patience, of which `patience` gets the rest. The cells of the result are at
   the beginning of `G`, except for those of cards. `again`: all cards lie where they lay in the last call. */
RW_PUBLIC int rw_play_from(rw_game *G, const int *cells, int again, rw_u64 stream, int depth, long long *patience,
                           const volatile int *halt) {
  rw_copy_cells(S, cells);
  int at = S[RW_SEGMENT], frame = S[RW_FRAME];
  if (again) {
    G->kept = G->laid;
  } else {
    rw_lay(G, cells);
    G->laid = G->kept;
  }
  for (int segment = at, fp = frame; segment >= 0; segment = S[fp], fp = S[fp + 1])
    for (int i = rw_cards_at[segment]; i < rw_cards_at[segment + 1]; i++)
      rw_convert(G, cells, fp + rw_cards[i][0], rw_cards[i][1]);
  for (int i = 0; i < RW_REMEMBERED; i++) rw_convert_remembered(G, rw_kept_cards[i][0], rw_kept_cards[i][1]);
  rw_convert_answers(G, cells);
  for (int i = 0; i < RW_LISTED; i++) rw_note(G, i, rw_listed_at[i]);
  rw_load_chance(G);
  rw_limit(G, depth);
  G->fault = G->decisions = 0;
  G->stream = stream;
  G->patience = *patience;
  G->halt = halt;
  while (at >= 0 && !G->fault) {
    int back = S[frame], caller = S[frame + 1];
    rw_resume(G, at, frame);
    at = back;
    frame = caller;
  }
  rw_play_series(G);
  S[RW_STATUS] = G->fault ? 0 : 2;
  *patience = G->patience;
  return G->fault;
}
