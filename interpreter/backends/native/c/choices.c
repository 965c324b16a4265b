/* Decisions and the answers of random bots. The policy is that of `interpreter.backends.policies`. This text comes
   after the zones. */

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
static inline int rw_key(rw_game *G, const int *cards, int i) {
  int card = cards[i], zone = S[RW_PLACES + card];
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
    int key = rw_key(G, cards, i);
    if (G->marks[key] == stamp) continue;
    G->marks[key] = stamp;
    out[found++] = cards[i];
  }
  return found;
}

/* Stores chosen cards, given as places among the options; of equal cards, the first options. Returns their number. */
static int rw_canonical(rw_game *G, const int *options, const int *places, int number, int *out) {
  for (int i = 0; i < number; i++) G->wanted[rw_key(G, options, places[i])]++;
  for (int i = 0, n = 0; n < number; i++) {
    int key = rw_key(G, options, i);
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
    int place = count > 1 ? rw_below(G, count) : 0, value = options[place];
    if (cards) {
      int key = rw_key(G, options, place), i = 0;
      while (rw_key(G, options, i) != key) i++;
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

#if RW_COUNTING
static RW_INSIDE void rw_count_decision(rw_game *G, int seat, int site, const int *options, int count, int fixed, const int *chosen,
                     int number);
#define RW_DECIDED(before, ...) do { if (G->decisions != (before)) rw_count_decision(G, __VA_ARGS__); } while (0)
#else
#define RW_DECIDED(before, ...) ((void)(before))
#endif

/* The answer of a seat within bounds that fit the options. Returns how many options it chose. */
static inline int rw_chosen(rw_game *G, int seat, int site, const int *options, int count, int least, int most,
                            int *out) {
  int before = G->decisions, number;
#if RW_BOTS
  if (RW_RARE(G->policy[seat] != 0))
    number = rw_ranked(G, seat, site, options, count, least, most, out);
  else
#endif
    number = rw_random(G, site, options, count, least, most, out);
  RW_DECIDED(before, seat, site, options, count, least == most && most > 1, out, number);
  (void)seat;
  return number;
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
  int before = G->decisions, out[1];
#if RW_BOTS
  if (RW_RARE(G->policy[seat] != 0)) {
    int one = count > 0, number = rw_ranked(G, seat, site, options, count, one, one, out);
    RW_DECIDED(before, seat, site, options, count, 0, out, number);
    return number ? out[0] : -1;
  }
#endif
  (void)seat;
  if (count == 0) return -1;
  if (rw_of_cards[site]) {
    rw_random(G, site, options, count, 1, 1, out);
  } else {
    if (count < 2) return options[0];
    G->decisions++;
    out[0] = options[rw_below(G, count)];
  }
  RW_DECIDED(before, seat, site, options, count, 0, out, 1);
  return out[0];
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
