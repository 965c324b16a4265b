/* The exported functions. This text comes after the functions of the program. */

typedef struct { int cells[8]; } rw_block;

void *memcpy(void *, const void *, __SIZE_TYPE__);

/* Copies `count` cells, and up to seven more. */
static inline void rw_copy_blocks(int *to, const int *from, int count) {
  for (int i = 0; i < count; i += 8) *(rw_block *)(to + i) = *(const rw_block *)(from + i);
}

/* Makes all cells equal to others, in memory that holds a game already. Of a long list it copies as many cells
   as either holds, since both have zeros after their members. It begins with the last list, since blocks reach
   into the next one. */
static void rw_copy_cells(int *to, const int *from) {
  for (int i = 0; i < RW_PLAIN; i++) memcpy(to + rw_plain[i][0], from + rw_plain[i][0], 4 * rw_plain[i][1]);
  for (int i = RW_LISTS - 1; i >= 0; i--) {
    int address = rw_lists[i], old = to[address], new = from[address];
    rw_copy_blocks(to + address, from + address, (old > new ? old : new) + 1);
  }
}

/* Bytes of a game; a new one must be all zero. */
RW_PUBLIC int rw_size_of_game(void) { return (int)sizeof(rw_game); }

#if RW_BOTS

/* Seats a bot with this policy, which must stay in place; 0 seats a random one. */
RW_PUBLIC void rw_seat(rw_game *G, int seat, const int *policy) { G->policy[seat] = policy; }

#endif

/* Begins game number `game` of the run with this seed. */
RW_PUBLIC void rw_start(rw_game *G, rw_u64 seed, rw_u64 game) {
  rw_copy_cells(S, rw_fresh);
#if RW_KEPT
  G->kept = rw_dealt;
  for (int i = 0; i < RW_LISTED; i++) rw_note(G, i, rw_listed_at[i]);
#endif
  G->fault = 0;
  G->chance = rw_seed_state(seed, game);
  rw_store_chance(G);
  rw_limit(G, RW_MOST_ANSWERS);
}

#if defined(RW_PLAYING)

/* Goes on after the rules ended a game: with the next games of a series. */
static void rw_play_series(rw_game *G) {
#if RW_SERIES
  while (G->fault == RW_RESTARTED) {
    G->fault = 0;
    rw_restart(G);
    rw_enter_next(G);
  }
#endif
  if (G->fault == RW_FINISHED) G->fault = 0;
}

/* Plays a game that has begun to its end. */
static void rw_play(rw_game *G) {
  G->decisions = 0;
  rw_enter(G);
  rw_play_series(G);
  S[RW_STACK] = S[RW_STACK + 1] = 0;
  S[RW_STATUS] = 2;
  S[RW_SEGMENT] = -1;
  S[RW_FRAME] = -1;
  rw_store_chance(G);
}

#else

/* Copies cells into a game; `rw_store` copies them out. */
RW_PUBLIC void rw_load(rw_game *G, const int *cells) {
  rw_copy(S, cells, RW_CELLS);
  G->fault = 0;
  G->patience = RW_PATIENT;
  G->halt = 0;
}

RW_PUBLIC void rw_store(const rw_game *G, int *cells) { rw_copy(cells, G->cells, RW_CELLS); }

RW_PUBLIC int rw_fault_at(const rw_game *G) { return G->at; }

/* Makes one game equal to another, in memory that holds a game already. */
RW_PUBLIC void rw_clone(rw_game *to, const rw_game *from) { rw_copy_cells(to->cells, from->cells); }

/* Clones repeatedly, for benchmarks. */
RW_PUBLIC void rw_clone_often(rw_game *to, rw_game *from, int times) {
  for (int i = 0; i < times; i++) {
    rw_clone(to, from);
    from->cells[0] = to->cells[0] ^ (i & 1);
  }
}

/* Runs until decisions are open or the game is over. Returns the number of a rule error, or 0. */
RW_PUBLIC int rw_run(rw_game *G) {
  int next = S[RW_SEGMENT];
  G->fault = 0;
  if (S[RW_STATUS] != 0) return 0;
  rw_load_chance(G);
  while (next >= 0) next = rw_segments[next](G, S[RW_FRAME]);
  rw_store_chance(G);
  if (next == -1) {
    S[RW_STATUS] = 2;
    S[RW_SEGMENT] = -1;
  }
  return G->fault;
}

/* Lets the bots answer all questions until the game is over, `most` decisions were answered (-1: no limit), or
   patience ends. */
static int rw_go_through(rw_game *G, int most) {
  G->decisions = 0;
  while (!rw_run(G) && S[RW_STATUS] == 1 && (most < 0 || G->decisions < most)) {
    rw_answer_all(G);
    if (G->fault) break;
    rw_go_on(G);
  }
  return G->fault;
}

/* The same with unlimited patience. The bots draw from the stream with this key. */
RW_PUBLIC int rw_play_on(rw_game *G, rw_u64 stream, int most) {
  G->stream = stream;
  rw_limit(G, RW_MOST_ANSWERS);
  G->patience = RW_PATIENT;
  G->halt = 0;
  return rw_go_through(G, most);
}

static void rw_play(rw_game *G) { rw_go_through(G, -1); }

#endif

/* Plays games `first` to `first` + `count` - 1 of a seed to their ends, with bots. Returns how many games it
   played. The call ends early, leaving the current game, when `patience` decisions and units of fuel are used
   up; with `halt`, only if that is also set. `out` gets one column after another, each of `count` numbers: rule
   error or 0, its source, decisions, then the cells at these addresses. */
RW_PUBLIC int rw_play_many(rw_game *G, rw_u64 seed, rw_u64 first, int count, long long patience,
                           const volatile int *halt, const int *addresses, int cells, int *out) {
  G->patience = patience;
  G->halt = halt;
#if RW_COUNTING
  int uses_shown = 0;
  for (int i = 0; i < cells; i++) uses_shown |= addresses[i] >= RW_THINGS_AT;
#endif
#if RW_KEPT
  int shown = 0;
  for (int i = 0; i < cells; i++)
    for (int j = 0; j < RW_CARD_RANGES; j++)
      shown |= addresses[i] >= rw_card_cells[2 * j] && addresses[i] < rw_card_cells[2 * j + 1];
#endif
  for (int game = 0; game < count; game++) {
    rw_start(G, seed, first + game);
    G->stream = rw_seed_state(rw_splitmix(rw_seed_state(seed, first + game)), 0);
    rw_play(G);
    if (G->fault == RW_CUT) {
#if RW_COUNTING
      rw_clear_uses(G);
#endif
      return game;
    }
#if RW_KEPT
    if (shown && !G->fault) rw_write_cards(G);
#endif
    out[game] = G->fault;
    out[count + game] = G->fault ? G->at : 0;
    out[2 * count + game] = G->fault ? 0 : G->decisions;
#if RW_COUNTING
    if (uses_shown) rw_show_uses(G);
#endif
    for (int i = 0; i < cells; i++) out[(3 + i) * (long long)count + game] = G->fault ? 0 : S[addresses[i]];
#if RW_COUNTING
    if (!G->fault && G->rows) rw_add_game(G);
    else rw_clear_uses(G);
#endif
  }
  return count;
}
