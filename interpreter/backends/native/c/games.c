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

#if defined(RW_PLAYING)
#define rw_hold(G)
#else
/* From here on, a game has its own cells. */
static inline void rw_hold(rw_game *G) { G->cells = G->own; }
#endif

/* Begins game number `game` of the run with this seed. */
RW_PUBLIC void rw_start(rw_game *G, rw_u64 seed, rw_u64 game) {
  rw_hold(G);
  rw_copy_cells(S, rw_fresh);
  G->chance = rw_seed_state(seed, game);
  rw_store_chance(G);
  rw_limit(G, RW_MOST_ANSWERS);
}

/* Runs until the game is over or, if it `stops`, decisions are open. Returns the number of a rule error, or 0.

   The innermost procedure goes on first; when it returns, its caller does. */
static int rw_advance(rw_game *G) {
  G->fault = 0;
  if (S[RW_STATUS] != 0) return 0;
  rw_load_chance(G);
  int at = S[RW_SEGMENT], fp = S[RW_FRAME];
  const int end = fp + rw_size[rw_procedure_of[at]];
  while (at >= 0) {
    int back = S[fp], caller = S[fp + 1];
    rw_go(G, at, fp);
#if RW_SERIES
    if (G->fault == RW_RESTARTED) {
      G->fault = 0;
      rw_restart(G);
      back = S[RW_SEGMENT];
      caller = S[RW_FRAME];
    } else
#endif
    if (G->fault) break;
    else S[fp] = S[fp + 1] = 0;
    at = back;
    fp = caller;
  }
  rw_store_chance(G);
  if (G->fault == RW_STOPPED) return G->fault = 0;
  if (G->fault && G->fault != RW_FINISHED) return G->fault;
  rw_zero(S + RW_STACK, end - RW_STACK);
  S[RW_STATUS] = 2;
  S[RW_SEGMENT] = S[RW_FRAME] = -1;
  return G->fault = 0;
}

/* Continues after the question at which the game stopped: all have answered. */
static void rw_go_on(rw_game *G) {
  S[RW_SEGMENT] = rw_resumed_at[S[RW_SEGMENT]];
  S[RW_STATUS] = S[RW_OPEN] = 0;
  S[RW_FUEL_CELL] = RW_FUEL;
}

/* Lets the bots answer all questions until the game is over, of which some may be open. */
static int rw_play(rw_game *G) {
  G->fault = G->decisions = G->stops = 0;
  if (S[RW_STATUS] == 1) {
    rw_answer_all(G);
    if (G->fault) return G->fault;
    rw_go_on(G);
  }
  return rw_advance(G);
}

#if !defined(RW_PLAYING)

RW_PUBLIC int rw_fault_at(const rw_game *G) { return G->at; }

/* Runs these cells until decisions are open or the game is over, with unlimited patience. Returns the number of a
   rule error, or 0. */
RW_PUBLIC int rw_run(rw_game *G, int *cells) {
  S = cells;
  G->patience = RW_PATIENT;
  G->halt = 0;
  G->stops = 1;
  return rw_advance(G);
}

/* Plays on in these cells to the end, with unlimited patience, for at most `depth` questions. The bots draw from the
   stream with this key. */
RW_PUBLIC int rw_play_on(rw_game *G, int *cells, rw_u64 stream, int depth) {
  S = cells;
  G->stream = stream;
  rw_limit(G, depth);
  G->patience = RW_PATIENT;
  G->halt = 0;
  return rw_play(G);
}

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
