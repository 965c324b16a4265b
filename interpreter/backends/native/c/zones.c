/* Zones whose cards are individuals: each is a list of cards, and each card has a cell that holds its zone. The
   meaning is that of `backends.walker.zones`. This text comes after `runtime.c`. */

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
  if (!rw_bag[zone]) rw_shuffled(G, there + 1, count);
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

/* `rw_move` for all cards of a zone, in the order of `cards`, which may be the zone itself. */
static void rw_move_all(rw_game *G, int source, const int *cards, int to, int bottom, int at) {
  int *there = S + rw_address[source], *here = S + rw_address[to], count = there[0], had = here[0];
  if (!count) return;
  if (source == to || (bottom && !rw_bag[to])) {
    int moved[RW_CARDS];
    rw_copy(moved, cards, count);
    rw_move(G, moved, count, to, bottom, -1, at);
    return;
  }
  if (RW_RARE(had + count > rw_capacity[to])) { rw_fault(G, RW_FULL, at); return; }
  for (int i = 0; i < count; i++) {
    int card = cards[i];
    there[1 + i] = 0;
    here[1 + had + i] = card;
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
  rw_shuffled(G, there + 1, there[0]);
}

static void rw_prepare(rw_game *G, int zone, int count, int at) {
  if (S[rw_address[zone]] < count) rw_refill(G, zone, at);
}

static inline int rw_is_on_top(const rw_game *G, int zone, int card) {
  const int *cards = S + rw_address[zone];
  return cards[cards[0]] == card;
}
