/* Functions that generated code calls. Freestanding C: it includes nothing, and uses only memory that it is
   given.

   This text comes after the constants of one table program (`native.module`) and before its functions. Every
   operation means what the walker does (`backends.walker.zones`, `state.decision_slots`, `state.chance`); the
   policy of random bots is that of `backends.policies.random_player`. Cells are int32, as everywhere. */

typedef unsigned long long rw_u64;
typedef unsigned int rw_u32;

typedef struct {
  int cells[RW_CELLS + 8];
  rw_u64 chance; /* the game's generator while it runs; its four cells hold it when the game stops */
  rw_u64 stream; /* the bots' generator */
  int fault;     /* 0, the number of a rule error, or one of the next three */
  int at;        /* its source */
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
} rw_game;

#define S (G->cells)
#define RW_FINISHED (-1) /* the rules ended the game */
#define RW_CUT (-2) /* the call ended in the middle of a game */
#define RW_RESTARTED (-3) /* the rules ended one game of a series; the next one follows */
#define RW_PATIENT (1ll << 62)
#define RW_LOOKS 5000 /* of `patience`, from one look at `halt` to the next */
#if defined(__GNUC__)
#define RW_RARE(test) __builtin_expect(!!(test), 0)
#define RW_APART __attribute__((noinline)) /* rarely called: inlined, it would make its callers slower */
#else
#define RW_RARE(test) (test)
#define RW_APART
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

/* Charges fuel for a list with `count` items: see `interpreter.analysis.metered`. */
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
static void rw_mix(rw_game *G, int *cards, int count) {
  rw_u64 generator = G->chance;
  for (int i = 0; i < count - 1; i++) {
    int j = i + rw_drawn(&generator, count - i), card = cards[i];
    cards[i] = cards[j];
    cards[j] = card;
  }
  G->chance = generator;
}

/* Takes a card out of its zone, searching from the end. */
static inline void rw_take(rw_game *G, int card, int source) {
  int *zone = S + rw_address[source], count = zone[0], i = count;
  while (zone[i] != card) i--;
  for (; i < count; i++) zone[i] = zone[i + 1];
  zone[count] = 0;
  zone[0] = count - 1;
}

/* Puts a card that is in no zone into a zone. Returns 0 if there is no room. */
static inline int rw_put(rw_game *G, int card, int to, int bottom, int at) {
  int *zone = S + rw_address[to], held = zone[0], i = held;
  if (RW_RARE(held == rw_capacity[to])) { rw_fault(G, RW_FULL, at); return 0; }
  zone[0] = held + 1;
  S[RW_PLACES + card] = to;
  if (rw_bag[to])
    for (; i && zone[i] > card; i--) zone[i + 1] = zone[i];
  else if (bottom)
    for (; i; i--) zone[i + 1] = zone[i];
  zone[i + 1] = card;
  return 1;
}

/* Puts cards that are in no zone on top of a zone, in order. Returns 0 if there is no room. */
static inline int rw_put_all(rw_game *G, const int *cards, int count, int to, int at) {
  int *zone = S + rw_address[to], held = zone[0];
  if (RW_RARE(held + count > rw_capacity[to])) { rw_fault(G, RW_FULL, at); return 0; }
  for (int i = 0; i < count; i++) {
    zone[1 + held + i] = cards[i];
    S[RW_PLACES + cards[i]] = to;
  }
  zone[0] = held + count;
  if (rw_bag[to]) rw_sort(zone + 1, held + count);
  return 1;
}

/* Fills a zone from its source, under the present cards. Returns 0 if there is nothing to fill it with. */
static int rw_refill(rw_game *G, int zone, int at) {
  int source = rw_from[zone];
  if (source < 0) return 0;
  int *there = S + rw_address[source], *here = S + rw_address[zone], count = there[0], held = here[0];
  if (!count) return 0;
  if (count + held > rw_capacity[zone]) { rw_fault(G, RW_FULL, at); return 0; }
  rw_sort(there + 1, count);
  if (!rw_bag[zone]) rw_mix(G, there + 1, count);
  for (int i = held; i; i--) here[i + count] = here[i];
  for (int i = 1; i <= count; i++) {
    int card = there[i];
    there[i] = 0;
    here[i] = card;
    S[RW_PLACES + card] = zone;
  }
  there[0] = 0;
  here[0] = held + count;
  if (rw_bag[zone]) rw_sort(here + 1, held + count);
  return 1;
}

/* Moves cards; with `homes`, only the cards whose home is `to`. */
static void rw_move_those(rw_game *G, const int *cards, int count, const int *homes, int to, int bottom, int place,
                          int at) {
  int left[RW_ZONES], watched = 0;
  for (int i = 0; i < count; i++) {
    int card = cards[i];
    if (card < 0 || (homes && homes[card] != to)) continue;
    int source = S[RW_PLACES + card];
    if (place != -1 && source != place) continue;
    if (source >= 0) {
      rw_take(G, card, source);
      if (rw_eager[source]) {
        int j = 0;
        while (j < watched && left[j] != source) j++;
        if (j == watched) left[watched++] = source;
      }
    }
    if (!rw_put(G, card, to, bottom, at)) return;
  }
  for (int j = 0; j < watched && !G->fault; j++)
    if (!S[rw_address[left[j]]]) rw_refill(G, left[j], at);
}

static void rw_move(rw_game *G, const int *cards, int count, int to, int bottom, int place, int at) {
  rw_move_those(G, cards, count, 0, to, bottom, place, at);
}

/* `rw_move` for cards that are in one zone, in its order. */
static void rw_move_from(rw_game *G, int source, const int *cards, int count, int to, int bottom, int at) {
  int *there = S + rw_address[source], held = there[0], gone = 0;
  if (source == to || (bottom && !rw_bag[to])) {
    rw_move(G, cards, count, to, bottom, -1, at);
    return;
  }
  for (int i = 1; i <= held; i++) {
    int card = there[i], goes = (gone < count) & (card == cards[gone]);
    there[i] = 0;
    there[i - gone] = card;
    gone += goes;
  }
  if (!count) return;
  there[0] = held - count;
  there[held - count + 1] = 0;
  if (!rw_put_all(G, cards, count, to, at)) return;
  if (rw_eager[source] && held == count) rw_refill(G, source, at);
}

static inline void rw_move_one(rw_game *G, int card, int to, int bottom, int place, int at) {
  if (card < 0) return;
  int source = S[RW_PLACES + card];
  if (place != -1 && source != place) return;
  if (source >= 0) rw_take(G, card, source);
  if (!rw_put(G, card, to, bottom, at)) return;
  if (source >= 0 && rw_eager[source] && !S[rw_address[source]]) rw_refill(G, source, at);
}

static void rw_move_all(rw_game *G, int source, int to, int bottom, int at) {
  int *there = S + rw_address[source], *here = S + rw_address[to], count = there[0], had = here[0];
  if (!count) return;
  if (source == to || (bottom && !rw_bag[to])) {
    int cards[RW_CARDS];
    rw_copy(cards, there + 1, count);
    rw_move(G, cards, count, to, bottom, -1, at);
    return;
  }
  if (RW_RARE(had + count > rw_capacity[to])) { rw_fault(G, RW_FULL, at); return; }
  for (int i = 1; i <= count; i++) {
    int card = there[i];
    there[i] = 0;
    here[had + i] = card;
    S[RW_PLACES + card] = to;
  }
  there[0] = 0;
  here[0] = had + count;
  if (rw_bag[to]) rw_sort(here + 1, had + count);
  if (rw_eager[source]) rw_refill(G, source, at);
}

static void rw_send_home(rw_game *G, const int *cards, int count, const int *homes, int place, int at) {
  for (int home = -1, next; !G->fault; home = next) {
    next = RW_ZONES;
    for (int i = 0; i < count; i++)
      if (cards[i] >= 0 && homes[cards[i]] > home && homes[cards[i]] < next) next = homes[cards[i]];
    if (next == RW_ZONES) return;
    rw_move_those(G, cards, count, homes, next, 0, place, at);
  }
}

/* Draws cards one after the other, refilling the zone in between. Returns their number, and stores them in `out`
   unless that is 0. */
static int rw_draw_on(rw_game *G, int source, int count, int to, int bottom, int *out, int at) {
  int *there = S + rw_address[source], drawn = 0, singly = source == to || (bottom && !rw_bag[to]);
  if (count > RW_CARDS) count = RW_CARDS;
  while (drawn < count) {
    if (!there[0] && !rw_refill(G, source, at)) break;
    int held = there[0], taken = singly ? 1 : count - drawn < held ? count - drawn : held, cards[RW_CARDS];
    there[0] = held - taken;
    for (int i = 0; i < taken; i++) {
      cards[i] = there[held - i];
      there[held - i] = 0;
    }
    if (!(taken == 1 ? rw_put(G, cards[0], to, bottom, at) : rw_put_all(G, cards, taken, to, at))) return 0;
    if (out) rw_copy(out + drawn, cards, taken);
    drawn += taken;
    if (rw_eager[source] && !there[0]) rw_refill(G, source, at);
    if (RW_RARE(G->fault)) return 0;
  }
  return drawn;
}

/* The same from the bottom of a zone. */
static int rw_draw_bottom(rw_game *G, int source, int count, int to, int bottom, int *out, int at) {
  int *pile = S + rw_address[source], drawn = 0;
  for (int most = count > RW_CARDS ? RW_CARDS : count; drawn < most; drawn++) {
    if (!pile[0] && !rw_refill(G, source, at)) return drawn;
    int card = pile[1];
    rw_take(G, card, source);
    if (!rw_put(G, card, to, bottom, at)) return 0;
    if (out) out[drawn] = card;
    if (rw_eager[source] && !pile[0]) rw_refill(G, source, at);
    if (RW_RARE(G->fault)) return 0;
  }
  return drawn;
}

/* `rw_draw_on`, in one go if there are more than enough cards. */
static inline int rw_draw(rw_game *G, int source, int count, int to, int bottom, int *out, int at) {
  int *there = S + rw_address[source], *here = S + rw_address[to], held = there[0], had = here[0];
  if (RW_RARE(count < 2 || count >= held || source == to || (bottom && !rw_bag[to])))
    return rw_draw_on(G, source, count, to, bottom, out, at);
  if (RW_RARE(had + count > rw_capacity[to])) { rw_fault(G, RW_FULL, at); return 0; }
  for (int i = 0; i < count; i++) {
    int card = there[held - i];
    there[held - i] = 0;
    here[1 + had + i] = card;
    S[RW_PLACES + card] = to;
  }
  there[0] = held - count;
  here[0] = had + count;
  if (out) rw_copy(out, here + 1 + had, count);
  if (rw_bag[to]) rw_sort(here + 1, had + count);
  return count;
}

/* `rw_draw` for one card. */
static inline void rw_draw_one(rw_game *G, int source, int to, int bottom, int at) {
  int *there = S + rw_address[source], held = there[0], card = there[held];
  if (RW_RARE(held < 2)) {
    rw_draw_on(G, source, 1, to, bottom, 0, at);
    return;
  }
  there[held] = 0;
  there[0] = held - 1;
  rw_put(G, card, to, bottom, at);
}

static void rw_shuffle(rw_game *G, int zone) {
  if (rw_bag[zone]) return;
  int *there = S + rw_address[zone];
  rw_sort(there + 1, there[0]);
  rw_mix(G, there + 1, there[0]);
}

static void rw_prepare(rw_game *G, int zone, int count, int at) {
  if (S[rw_address[zone]] < count) rw_refill(G, zone, at);
}

/* ------------------------------------------------------------------ decisions */

static int rw_within(int value, int most) { return value < 0 ? 0 : value < most ? value : most; }

static inline int *rw_slot(rw_game *G, int seat) { return S + RW_HEAD + seat * RW_DECISION; }

static void rw_close(rw_game *G) {
  for (int seat = 0; seat < RW_SEATS; seat++) {
    int *slot = rw_slot(G, seat);
    if (!slot[0]) continue;
    rw_zero(slot, 5 + slot[4]);
    rw_zero(slot + 5 + RW_OPTIONS, 1 + slot[5 + RW_OPTIONS]);
  }
  S[RW_OPEN] = 0;
}

/* Fills a seat's slot, which is all zero. Returns 0 if it gave a forced answer. The options must fit. */
static int rw_ask(rw_game *G, int seat, int site, const int *options, int count, int least, int most, int always) {
  int *slot = rw_slot(G, seat);
  most = rw_within(most, count);
  least = rw_within(least, most);
  int forced = (most == 0 || least == count) && !always;
  slot[0] = forced ? 2 : 1;
  slot[1] = site;
  slot[2] = least;
  slot[3] = most;
  slot[4] = count;
  rw_copy(slot + 5, options, count);
  if (forced && most) {
    slot[5 + RW_OPTIONS] = count;
    rw_copy(slot + 6 + RW_OPTIONS, options, count);
  }
  return !forced;
}

/* ------------------------------------------------------------------ bots */

/* Two cards with one key are equal: they are in one bag and have one face. */
static inline int rw_key(rw_game *G, int card) {
  int zone = S[RW_PLACES + card];
  return zone >= 0 && rw_bag[zone] ? RW_CARDS + (rw_bag[zone] - 1) * RW_FACES + rw_face[card] : card;
}

/* Stores the options without those that are equal to an earlier one. Returns their number. */
static int rw_unlike(rw_game *G, const int *cards, int count, int *out) {
  int found = 0;
  rw_u32 stamp = ++G->stamp;
  if (RW_RARE(stamp == 0)) { /* after 2^32 of them: clear all marks */
    for (int i = 0; i < RW_KEYS; i++) G->marks[i] = 0;
    stamp = G->stamp = 1;
  }
  for (int i = 0; i < count; i++) {
    int key = rw_key(G, cards[i]);
    if (G->marks[key] == stamp) continue;
    G->marks[key] = stamp;
    out[found++] = cards[i];
  }
  return found;
}

/* Stores chosen cards, given as places among the options; of equal cards, the first options. Returns their number. */
static int rw_canonical(rw_game *G, const int *options, const int *places, int number, int *out) {
  for (int i = 0; i < number; i++) G->wanted[rw_key(G, options[places[i]])]++;
  for (int i = 0, n = 0; n < number; i++) {
    int key = rw_key(G, options[i]);
    if (G->wanted[key]) {
      G->wanted[key]--;
      out[n++] = options[i];
    }
  }
  return number;
}

/* A random answer within bounds that fit the options. Returns how many options it chose, and counts whether it
   was a decision. */
static int rw_random(rw_game *G, int site, const int *options, int count, int least, int most, int *out) {
  int cards = rw_of_cards[site], decides = most && least != count, number = least;
  if (number == most && most == 1 && cards) {
    int apart[RW_OPTIONS + 1], kinds = rw_unlike(G, options, count, apart);
    G->decisions += decides && kinds > 1;
    out[0] = apart[kinds > 1 ? rw_below(G, kinds) : 0];
    return 1;
  }
  G->decisions += decides;
  if (number < most) number += rw_below(G, most - number + 1);
  if (number == 0) return 0;
  if (number == 1) {
    int value = options[count > 1 ? rw_below(G, count) : 0];
    if (cards) {
      int key = rw_key(G, value), i = 0;
      while (rw_key(G, options[i]) != key) i++;
      value = options[i];
    }
    out[0] = value;
    return 1;
  }
  int order[RW_OPTIONS + 1];
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = 0; i < number; i++) {
    int j = i + rw_below(G, count - i), place = order[i];
    order[i] = order[j];
    order[j] = place;
  }
  rw_sort(order, number);
  if (!cards) {
    for (int i = 0; i < number; i++) out[i] = options[order[i]];
    return number;
  }
  return rw_canonical(G, options, order, number, out);
}

#if RW_BOTS
static int rw_ranked(rw_game *G, int seat, int site, const int *options, int count, int least, int most, int *out);
#endif

/* The answer of a seat within bounds that fit the options. Returns how many options it chose. */
static inline int rw_chosen(rw_game *G, int seat, int site, const int *options, int count, int least, int most,
                            int *out) {
#if RW_BOTS
  if (RW_RARE(G->policy[seat] != 0)) return rw_ranked(G, seat, site, options, count, least, most, out);
#endif
  (void)seat;
  return rw_random(G, site, options, count, least, most, out);
}

/* Limits how often a game may ask. */
static inline void rw_limit(rw_game *G, int most) {
  G->left = most < RW_LOOKS ? most : RW_LOOKS;
  G->rest = most - G->left;
}

static void rw_asked_often(rw_game *G, int site) {
  if (!G->rest) { rw_fault(G, RW_ENDLESS, rw_asks_at[site]); return; }
  rw_limit(G, G->rest);
  G->left--;
  G->patience -= RW_LOOKS;
  if (G->patience < 0) rw_waited(G);
}

/* Called before bots answer. It renews fuel, and costs patience, so that a call can end during a long game. */
static inline void rw_asked(rw_game *G, int site) {
  S[RW_FUEL_CELL] = RW_FUEL;
  if (RW_RARE(--G->left < 0)) rw_asked_often(G, site);
}

/* An answer of exactly one option, or -1 if there is none. The options must fit. */
static inline int rw_pick(rw_game *G, int seat, int site, const int *options, int count, int always) {
  if (count < 2 && !always) return count ? options[0] : -1;
  rw_asked(G, site);
#if RW_BOTS
  if (RW_RARE(G->policy[seat] != 0)) {
    int out[1], one = count > 0;
    return rw_ranked(G, seat, site, options, count, one, one, out) ? out[0] : -1;
  }
#endif
  (void)seat;
  if (count == 0) return -1;
  if (rw_of_cards[site]) {
    int out[1];
    rw_random(G, site, options, count, 1, 1, out);
    return out[0];
  }
  if (count < 2) return options[0];
  G->decisions++;
  return options[rw_below(G, count)];
}

/* An answer of any number of options. Returns the number. */
static int rw_some(rw_game *G, int seat, int site, const int *options, int count, int least, int most, int always,
                   int *out) {
  most = rw_within(most, count);
  least = rw_within(least, most);
  if ((most == 0 || least == count) && !always) {
    if (most) rw_copy(out, options, count);
    return most ? count : 0;
  }
  rw_asked(G, site);
  return rw_chosen(G, seat, site, options, count, least, most, out);
}

/* Answers every open decision in the slots, in seat order. */
static void rw_answer_all(rw_game *G) {
  int first = 0;
  while (rw_slot(G, first)[0] != 1) first++;
  rw_asked(G, rw_slot(G, first)[1]);
  for (int seat = first; seat < RW_SEATS; seat++) {
    int *slot = rw_slot(G, seat);
    if (slot[0] != 1) continue;
    slot[5 + RW_OPTIONS] = rw_chosen(G, seat, slot[1], slot + 5, slot[4], slot[2], slot[3], slot + 6 + RW_OPTIONS);
    slot[0] = 2;
  }
}
