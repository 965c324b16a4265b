/* Functions that generated code calls. Freestanding C: it includes nothing, and uses only memory that it is
   given.

   This text comes after the constants of one table program (`native.module`) and before its functions. Every
   operation means what the walker does (`backends.walker.zones`, `state.decision_slots`, `state.chance`); the
   policy of random bots is that of `interpreter.backends.policies`. Cells are int32, as everywhere. */

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns") /* short loops that copy a list need no call of memmove */
#endif

typedef unsigned long long rw_u64;
typedef unsigned int rw_u32;

typedef struct {
#if defined(RW_PLAYING)
  int cells[RW_CELLS + 8];
#else
  int *cells; /* those of a state that somebody else keeps, or its own */
  int own[RW_CELLS + 8];
#endif
  rw_u64 chance; /* the game's generator while it runs; its four cells hold it when the game stops */
  rw_u64 stream; /* the bots' generator */
  int fault;     /* 0, the number of a rule error, or one of the next four */
  int at;        /* its source */
  int stops;     /* whether a run ends where the rules ask; otherwise bots answer */
  long long patience; /* decisions and units of fuel left until a call ends, or looks at `halt` */
  const volatile int *halt; /* a value other than 0 there ends the call; without it, the end of patience does */
  int decisions; /* answers that had an alternative */
  int left, rest; /* questions left before the next look at `halt`, and after it */
  rw_u32 stamp;  /* marks with this number are set */
  rw_u32 marks[RW_KEYS];
  int wanted[RW_KEYS]; /* zero between calls */
#if RW_BOTS
  const int *policy[RW_SEATS]; /* of bots that rank options; 0 for random ones */
#endif
#if RW_COUNTING /* see `counting.c` */
  rw_u64 offers[RW_SEATS * RW_BLOCKS], takes[RW_SEATS * RW_BLOCKS]; /* of uses of a site, a byte each */
  unsigned char asked[RW_SEATS * RW_ASKING], spilled[RW_SEATS * RW_ASKING];
  int spills; /* whether any site was spilled */
  int touched[RW_USES * RW_SEATS + 1], touches; /* the cells of uses that are not zero */
  int *small; /* short sums, and how large the largest of them can be */
  long long burden;
  long long *rows, *others;
  int *row_numbers, row_count;
#endif
} rw_game;

#define S (G->cells)
#if defined(RW_PLAYING)
#define RW_STOPS 0
#else
#define RW_STOPS RW_RARE(G->stops)
#endif
#define RW_FINISHED (-1) /* the rules ended the game */
#define RW_CUT (-2) /* the call ended in the middle of a game */
#define RW_STOPPED (-4) /* the rules ask */
#define RW_RESTARTED (-3) /* the rules ended one game of a series; the next one follows */
#define RW_PATIENT (1ll << 62)
#define RW_LOOKS 5000 /* of `patience`, from one look at `halt` to the next */
#if defined(__GNUC__)
#define RW_RARE(test) __builtin_expect(!!(test), 0)
#define RW_APART __attribute__((noinline)) /* rarely called: inlined, it would make its callers slower */
#define RW_INSIDE inline __attribute__((always_inline)) /* small where its arguments are constants, as they mostly are */
#else
#define RW_RARE(test) (test)
#define RW_APART
#define RW_INSIDE inline
#endif

static const int rw_none[1] = {0};

static void rw_fault(rw_game *G, int code, int at) { G->fault = code; G->at = at; }

/* Called at the end of patience. */
static void rw_waited(rw_game *G) {
  if (G->halt && !*G->halt) G->patience = RW_LOOKS;
  else rw_fault(G, RW_CUT, 0);
}

/* Called after each 256th unit of fuel, and when none was left, which ends the run. Returns whether the run
   ends. */
static RW_APART int rw_charged(rw_game *G, int at) {
  if (S[RW_FUEL_CELL] < 0) rw_fault(G, RW_NO_FUEL, at);
  else if ((G->patience -= 256) < 0) rw_waited(G);
  return G->fault != 0;
}

/* Charges one unit of fuel, and checks now and then whether to end. Returns whether the run ends. One test finds
   both cases: the sign and the low eight bits of the remaining fuel, as a number, are negative or 0. */
static inline int rw_charge(rw_game *G, int at) {
  int left = --S[RW_FUEL_CELL];
  return RW_RARE((int)(left & 0x800000FFu) <= 0) && rw_charged(G, at);
}

/* Charges fuel for a list with `count` items: see `interpreter.analysis.nodes`. */
static void rw_spend(rw_game *G, int count, int each, int at) {
  long long units = 1 + (long long)count * each / RW_WORK;
  if (S[RW_FUEL_CELL] < units) { rw_fault(G, RW_NO_FUEL, at); return; }
  S[RW_FUEL_CELL] -= (int)units;
  G->patience -= units;
  if (RW_RARE(G->patience < 0)) rw_waited(G);
}

/* ------------------------------------------------------------------ integers and memory */

static inline long long rw_quotient(int left, int right) {
  long long q = (long long)left / right;
  return q - ((long long)left % right != 0 && (left < 0) != (right < 0));
}

static inline long long rw_remainder(int left, int right) {
  long long r = (long long)left % right;
  return r + (r != 0 && (r < 0) != (right < 0) ? right : 0);
}

/* Copies in ascending order: the ranges may overlap if `from` is after `to`. */
static inline void rw_copy(int *to, const int *from, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

static inline void rw_zero(int *cells, int count) {
  for (int i = 0; i < count; i++) cells[i] = 0;
}

/* ------------------------------------------------------------------ chance */

static inline rw_u32 rw_output(rw_u64 state) {
  rw_u32 mixed = (rw_u32)(((state >> 18) ^ state) >> 27), turn = (rw_u32)(state >> 59);
  return (mixed >> turn) | (mixed << (-turn & 31));
}

/* Returns a number from 0 to `bound` - 1 from a generator, and advances it. */
static inline int rw_drawn(rw_u64 *generator, int bound) {
  rw_u64 product = (rw_u64)rw_output(*generator) * (rw_u32)bound;
  *generator = *generator * 6364136223846793005ull + 1442695040888963407ull;
  if (RW_RARE((rw_u32)product < (rw_u32)bound)) {
    rw_u32 surplus = (rw_u32)(-(rw_u32)bound % (rw_u32)bound);
    while ((rw_u32)product < surplus) {
      product = (rw_u64)rw_output(*generator) * (rw_u32)bound;
      *generator = *generator * 6364136223846793005ull + 1442695040888963407ull;
    }
  }
  return (int)(product >> 32);
}

static int rw_bounded(rw_game *G, int bound) { return rw_drawn(&G->chance, bound); }

static inline rw_u64 rw_splitmix(rw_u64 number) {
  rw_u64 mixed = number + 0x9E3779B97F4A7C15ull;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
  return mixed ^ mixed >> 31;
}

static rw_u64 rw_seed_state(rw_u64 seed, rw_u64 game) {
  return rw_splitmix(rw_splitmix(seed) + game * 0x9E3779B97F4A7C15ull);
}

static inline rw_u32 rw_bits(rw_game *G) {
  rw_u64 bits = rw_splitmix(G->stream);
  G->stream += 0x9E3779B97F4A7C15ull;
  return (rw_u32)(bits >> 32);
}

static inline int rw_below(rw_game *G, int bound) {
  rw_u64 product = (rw_u64)rw_bits(G) * (rw_u32)bound;
  if (RW_RARE((rw_u32)product < (rw_u32)bound)) {
    rw_u32 surplus = (rw_u32)(-(rw_u32)bound % (rw_u32)bound);
    while ((rw_u32)product < surplus) product = (rw_u64)rw_bits(G) * (rw_u32)bound;
  }
  return (int)(product >> 32);
}

static void rw_load_chance(rw_game *G) {
  G->chance = (rw_u64)S[0] | (rw_u64)S[1] << 16 | (rw_u64)S[2] << 32 | (rw_u64)S[3] << 48;
}

static void rw_store_chance(rw_game *G) {
  for (int i = 0; i < 4; i++) S[i] = (int)(G->chance >> 16 * i & 0xFFFF);
}

/* ------------------------------------------------------------------ list cells */

static inline void rw_write(rw_game *G, int address, const int *items, int count) {
  int before = S[address];
  S[address] = count;
  rw_copy(S + address + 1, items, count);
  if (before > count) rw_zero(S + address + 1 + count, before - count);
}

static inline void rw_clear(rw_game *G, int address) {
  int count = S[address];
  if (count) rw_zero(S + address, count + 1);
}

static inline void rw_append(rw_game *G, int address, int value, int capacity, int at) {
  int count = S[address], *items = S + address + 1;
  for (int i = 0; i < count; i++)
    if (items[i] == value) return;
  if (count >= capacity) { rw_fault(G, RW_FULL, at); return; }
  items[count] = value;
  S[address] = count + 1;
}

static void rw_remove(rw_game *G, int address, int value) {
  int count = S[address], *items = S + address + 1, i = 0;
  while (i < count && items[i] != value) i++;
  if (i == count) return;
  rw_copy(items + i, items + i + 1, count - i - 1);
  items[count - 1] = 0;
  S[address] = count - 1;
}

static int rw_rotate(int *out, const int *items, int count, int start) {
  int place = 0;
  while (place < count && items[place] != start) place++;
  if (place == count) place = 0;
  rw_copy(out, items + place, count - place);
  rw_copy(out + count - place, items, place);
  return count;
}

/* The items from the one after `start` around to the one before it; all items if `start` is not one of them. */
static int rw_others(int *out, const int *items, int count, int start) {
  int place = 0, found = 0;
  while (place < count && items[place] != start) place++;
  for (int i = place + 1; i < count; i++)
    if (items[i] != start) out[found++] = items[i];
  for (int i = 0; i < place; i++) out[found++] = items[i];
  return found;
}

/* ------------------------------------------------------------------ zones */

static inline int rw_lowest(rw_u64 word) {
#if defined(__GNUC__)
  return __builtin_ctzll(word);
#else
  int place = 0;
  for (; !(word & 1); word >>= 1) place++;
  return place;
#endif
}

static inline void rw_order(int *one, int *other) {
  int low = *one < *other ? *one : *other, high = *one < *other ? *other : *one;
  *one = low;
  *other = high;
}

/* Sorts distinct numbers ascending; they are at least 0 and less than RW_MOST.

   A few go through a sorting network, many are sorted as bits of words. Neither has branches that depend on the
   numbers, which the processor could not predict. */
static void rw_sort(int *cards, int count) {
  if (count < 2) return;
  if (count <= 5) {
    int a = cards[0], b = cards[1], c = count > 2 ? cards[2] : RW_MOST, d = count > 3 ? cards[3] : RW_MOST;
    int e = count > 4 ? cards[4] : RW_MOST;
    rw_order(&a, &b), rw_order(&d, &e), rw_order(&c, &e), rw_order(&c, &d), rw_order(&a, &d);
    rw_order(&a, &c), rw_order(&b, &e), rw_order(&b, &d), rw_order(&b, &c);
    cards[0] = a;
    cards[1] = b;
    if (count > 2) cards[2] = c;
    if (count > 3) cards[3] = d;
    if (count > 4) cards[4] = e;
    return;
  }
  rw_u64 present[RW_MOST / 64 + 1] = {0};
  for (int i = 0; i < count; i++) present[(unsigned)cards[i] / 64] |= 1ull << (cards[i] & 63);
  for (int i = 0; i <= RW_MOST / 64; i++)
    for (rw_u64 word = present[i]; word; word &= word - 1) *cards++ = i * 64 + rw_lowest(word);
}

/* Shuffles cards that are in ascending order. */
static void rw_shuffled(rw_game *G, int *cards, int count) {
  rw_u64 generator = G->chance;
  for (int i = 0; i < count - 1; i++) {
    int j = i + rw_drawn(&generator, count - i), card = cards[i];
    cards[i] = cards[j];
    cards[j] = card;
  }
  G->chance = generator;
}
