/* Zones that keep classes of cards: see `interpreter.optimiser.kept_cards`. The meaning is that of
   `backends.walker.zones`: equal cards that no rule tells apart are interchangeable, so what happens to classes is
   what happens to cards. This text comes after `runtime.c`.

   A zone has one of three forms. A parameter `form`, `from` or `into` is that of a zone that is passed, often a
   constant. */

enum { RW_COUNTS, RW_ORDER, RW_NUMBER };

/* Whether a list of the state is a set of numbers below 64, and in which order. */
enum { RW_NO_SET, RW_OTHER_ORDER, RW_ASCENDING };

#define K (&G->kept)
#define RW_REF(zone, card) ((zone) << RW_SHIFT | (card))

static inline int rw_card_of(int ref) { return ref & ((1 << RW_SHIFT) - 1); }

/* The class of a card, to compare it with others; -1 for none. */
static inline int rw_same_as(int ref) { return ref < 0 ? -1 : rw_card_of(ref); }

/* `rw_write` for the classes of cards. */
static inline void rw_write_classes(rw_game *G, int address, const int *refs, int count) {
  int before = S[address];
  S[address] = count;
  for (int i = 0; i < count; i++) S[address + 1 + i] = rw_same_as(refs[i]);
  if (before > count) rw_zero(S + address + 1 + count, before - count);
}

/* The zone of a card. Only a card of its own can have left the zone of a reference. */
static inline int rw_zone_of(const rw_game *G, int ref) {
#if RW_INDIVIDUALS
  if (ref >= 0 && rw_alone[rw_card_of(ref)]) return K->place[rw_card_of(ref)];
#endif
  (void)G;
  return ref < 0 ? -1 : ref >> RW_SHIFT;
}

/* Whether a zone has no room for so many cards. */
#define RW_IS_FULL(zone, cards) (!RW_NEVER_FULL && RW_RARE((cards) > rw_capacity[zone]))

static inline void rw_resize(rw_game *G, int zone, int form, int size) {
  K->size[zone] = (short)size;
#if RW_ZONES <= 64
  if (form != RW_COUNTS) K->filled = (K->filled & ~(1ull << zone)) | (rw_u64)(size != 0) << zone;
#endif
  (void)form;
}

static inline void rw_settle(rw_game *G, int card, int zone) {
#if RW_INDIVIDUALS
  K->place[card] = (unsigned short)zone;
#endif
  (void)G, (void)card, (void)zone;
}

static inline int rw_highest(rw_u64 word) {
#if defined(__GNUC__)
  return 63 - __builtin_clzll(word);
#else
  int place = 63;
  for (; !(word >> place & 1);) place--;
  return place;
#endif
}

/* The classes of a zone that keeps counts, as bits: those of one word. */
#define RW_EACH_BIT(word, bits) for (rw_u64 word = (bits); word; word &= word - 1)

/* The class of the last card of a zone that is not empty, or of its first. */
static inline int rw_last_class(const rw_game *G, int zone, int form) {
  if (form == RW_NUMBER) return rw_spot[zone];
  if (form == RW_ORDER) return K->rows[rw_spot[zone] + K->size[zone] - 1];
  int word = RW_WORDS - 1;
  while (!K->counts[rw_spot[zone]].held[word]) word--;
  return word * 64 + rw_highest(K->counts[rw_spot[zone]].held[word]);
}

static inline int rw_first_class(const rw_game *G, int zone, int form) {
  if (form == RW_NUMBER) return rw_spot[zone];
  if (form == RW_ORDER) return K->rows[rw_spot[zone]];
  int word = 0;
  while (!K->counts[rw_spot[zone]].held[word]) word++;
  return word * 64 + rw_lowest(K->counts[rw_spot[zone]].held[word]);
}

static inline int rw_last_ref(const rw_game *G, int zone, int form) {
  return K->size[zone] ? RW_REF(zone, rw_last_class(G, zone, form)) : -1;
}

static inline int rw_first_ref(const rw_game *G, int zone, int form) {
  return K->size[zone] ? RW_REF(zone, rw_first_class(G, zone, form)) : -1;
}

static inline int rw_is_on_top(const rw_game *G, int zone, int ref) {
  return K->size[zone] && rw_last_class(G, zone, rw_form[zone]) == rw_card_of(ref);
}

/* Takes a card of a class out of a zone. In an order it is the last one: others are certainly not meant. */
static inline void rw_take_out(rw_game *G, int zone, int form, int card) {
  int size = K->size[zone] - 1;
  if (form == RW_COUNTS) {
    rw_counts *counts = &K->counts[rw_spot[zone]];
    counts->held[card / 64] ^= (rw_u64)(--counts->n[card] == 0) << (card & 63);
  } else if (form == RW_ORDER) {
    rw_class *row = K->rows + rw_spot[zone];
    int i = size;
    while (row[i] != card) i--;
    for (; i < size; i++) row[i] = row[i + 1];
  }
  rw_resize(G, zone, form, size);
}

/* Puts a card into a zone. Returns 0 if there is no room. */
static inline int rw_put(rw_game *G, int zone, int form, int card, int bottom, int at) {
  int size = K->size[zone];
  if (RW_IS_FULL(zone, size + 1)) { rw_fault(G, RW_FULL, at); return 0; }
  if (form == RW_COUNTS) {
    rw_counts *counts = &K->counts[rw_spot[zone]];
    counts->n[card]++;
    counts->held[card / 64] |= 1ull << (card & 63);
  } else if (form == RW_ORDER) {
    rw_class *row = K->rows + rw_spot[zone];
    if (bottom) {
      for (int i = size; i; i--) row[i] = row[i - 1];
      row[0] = (rw_class)card;
    } else {
      row[size] = (rw_class)card;
    }
  }
  rw_resize(G, zone, form, size + 1);
  rw_settle(G, card, zone);
  return 1;
}

/* ------------------------------------------------------------------ sets of small numbers, as bits of a word */

static inline int rw_number_of(rw_u64 word) {
  word -= word >> 1 & 0x5555555555555555ull;
  word = (word & 0x3333333333333333ull) + (word >> 2 & 0x3333333333333333ull);
  return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Full) * 0x0101010101010101ull >> 56);
}

/* The member of a set before which there are `before` others. */
static inline int rw_member(rw_u64 word, int before) {
  for (; before; before--) word &= word - 1;
  return rw_lowest(word);
}

static inline int rw_between(int low, int value, int high) {
  return value < low ? low : value > high ? high : value;
}

/* Notes the members of a list of the state after it has changed. */
static void rw_note(rw_game *G, int list, int address) {
  const int *items = S + address + 1;
  rw_u64 members = 0;
  int order = RW_ASCENDING, last = -1;
  for (int i = 0; i < S[address]; i++) {
    if (items[i] < 0 || items[i] > 63 || (members >> items[i] & 1)) {
      G->order[list] = RW_NO_SET;
      return;
    }
    if (items[i] < last) order = RW_OTHER_ORDER;
    last = items[i];
    members |= 1ull << last;
  }
  G->listed[list] = members;
  G->order[list] = order;
}

/* The member of a set of members of a list before which there are `before` others in the list. */
static inline int rw_listed(const rw_game *G, int list, int address, rw_u64 word, int before) {
  const int *item = S + address + 1;
  if (G->order[list] == RW_ASCENDING) return rw_member(word, before);
  for (;; item++)
    if ((word >> *item & 1) && !before--) return *item;
}

/* ------------------------------------------------------------------ zones as a whole */

/* Stores the classes of a zone in its order, where there is room for RW_SLACK more. Returns their number. */
static int rw_classes(const rw_game *G, int zone, rw_class *out) {
  int form = rw_form[zone], size = K->size[zone], found = 0;
  if (form == RW_COUNTS) {
    const rw_counts *counts = &K->counts[rw_spot[zone]];
    for (int word = 0; word < RW_WORDS; word++) RW_EACH_BIT(bits, counts->held[word]) {
      int card = word * 64 + rw_lowest(bits), copies = counts->n[card];
      for (int i = 0; i < RW_SLACK; i++) out[found + i] = (rw_class)card; /* without a branch for each number */
      for (int i = RW_SLACK; i < copies; i++) out[found + i] = (rw_class)card;
      found += copies;
    }
  } else {
    for (int i = 0; i < size; i++)
      out[i] = form == RW_ORDER ? K->rows[rw_spot[zone] + i] : (rw_class)rw_spot[zone];
  }
  return size;
}

/* Stores all cards of a zone, in its order. Returns their number. */
static inline int rw_refs(const rw_game *G, int zone, int form, int *out) {
  int size = K->size[zone];
  if (form == RW_COUNTS) {
    const rw_counts *counts = &K->counts[rw_spot[zone]];
    int found = 0;
    for (int word = 0; word < RW_WORDS; word++) RW_EACH_BIT(bits, counts->held[word]) {
      int card = word * 64 + rw_lowest(bits);
      for (int copies = counts->n[card]; copies; copies--) out[found++] = RW_REF(zone, card);
    }
  } else {
    for (int i = 0; i < size; i++)
      out[i] = RW_REF(zone, form == RW_ORDER ? K->rows[rw_spot[zone] + i] : rw_spot[zone]);
  }
  return size;
}

static inline void rw_empty(rw_game *G, int zone) {
  if (rw_form[zone] == RW_COUNTS) {
    rw_counts *counts = &K->counts[rw_spot[zone]];
#if RW_WORDS == 1
    static const rw_counts none;
    *counts = none;
#endif
    for (int word = 0; word < RW_WORDS; word++) {
      RW_EACH_BIT(bits, counts->held[word]) counts->n[word * 64 + rw_lowest(bits)] = 0;
      counts->held[word] = 0;
    }
  }
  rw_resize(G, zone, rw_form[zone], 0);
}

/* Sorts classes ascending, where there is room for RW_SLACK more. */
static void rw_sort_classes(rw_class *cards, int count) {
  rw_count many[RW_CLASSES] = {0};
  rw_class sorted[RW_CARDS + RW_SLACK], *next = sorted;
  for (int i = 0; i < count; i++) many[cards[i]]++;
  for (int card = 0; card < RW_CLASSES; card++) {
    for (int i = 0; i < RW_SLACK; i++) next[i] = (rw_class)card; /* without a branch for each number */
    for (int i = RW_SLACK; i < many[card]; i++) next[i] = (rw_class)card;
    next += many[card];
  }
  for (int i = 0; i < count; i++) cards[i] = sorted[i];
}

/* Shuffles classes that are in ascending order, as their cards would be. */
static void rw_mix_classes(rw_game *G, rw_class *cards, int count) {
  rw_u64 generator = G->chance;
  for (int i = 0; i < count - 1; i++) {
    int j = i + rw_drawn(&generator, count - i);
    rw_class card = cards[i];
    cards[i] = cards[j];
    cards[j] = card;
  }
  G->chance = generator;
}

/* Fills a zone from its source, under the present cards. Returns 0 if there is nothing to fill it with. */
static int rw_refill(rw_game *G, int zone, int at) {
  int source = rw_from[zone];
  if (source < 0) return 0;
  int count = K->size[source], held = K->size[zone];
  if (!count) return 0;
  if (RW_IS_FULL(zone, count + held)) { rw_fault(G, RW_FULL, at); return 0; }
  int ordered = rw_form[zone] == RW_ORDER;
  rw_class others[RW_CARDS + RW_SLACK], *cards = others, *row = K->rows + (ordered ? rw_spot[zone] : 0);
  if (ordered && !held) cards = row; /* with cards above, there would be no room for RW_SLACK more */
  rw_classes(G, source, cards);
  if (rw_form[source] == RW_ORDER) rw_sort_classes(cards, count);
  rw_empty(G, source);
  if (!rw_bag[zone]) rw_mix_classes(G, cards, count);
  if (ordered && held) {
    for (int i = held; i; i--) row[i + count - 1] = row[i - 1];
    for (int i = 0; i < count; i++) row[i] = cards[i];
  }
  if (rw_form[zone] == RW_COUNTS)
    for (int i = 0; i < count; i++) {
      K->counts[rw_spot[zone]].n[cards[i]]++;
      K->counts[rw_spot[zone]].held[cards[i] / 64] |= 1ull << (cards[i] & 63);
    }
  for (int i = 0; i < count && RW_INDIVIDUALS; i++) rw_settle(G, cards[i], zone);
  rw_resize(G, zone, rw_form[zone], held + count);
  return 1;
}

/* Moves cards, and updates the references; with `homes`, only the cards whose home is `to`. */
static void rw_move_those(rw_game *G, int *refs, int count, const int *homes, int to, int into, int bottom, int place,
                          int at) {
  int left[RW_ZONES], watched = 0;
  for (int i = 0; i < count; i++) {
    int card = rw_card_of(refs[i]), source = rw_zone_of(G, refs[i]);
    if (source < 0 || (homes && homes[card] != to) || (place != -1 && source != place)) continue;
    rw_take_out(G, source, rw_form[source], card);
    if (!rw_put(G, to, into, card, bottom, at)) return;
    refs[i] = RW_REF(to, card);
    if (rw_eager[source]) {
      int j = 0;
      while (j < watched && left[j] != source) j++;
      if (j == watched) left[watched++] = source;
    }
  }
  for (int j = 0; j < watched && !G->fault; j++)
    if (!K->size[left[j]]) rw_refill(G, left[j], at);
}

static void rw_move(rw_game *G, int *refs, int count, int to, int into, int bottom, int place, int at) {
  rw_move_those(G, refs, count, 0, to, into, bottom, place, at);
}

/* `rw_move` for one card. Returns the reference to it afterwards. */
static inline int rw_move_one(rw_game *G, int ref, int to, int into, int bottom, int place, int at) {
  int card = rw_card_of(ref), source = rw_zone_of(G, ref);
  if (source < 0 || (place != -1 && source != place)) return ref;
  rw_take_out(G, source, rw_form[source], card);
  if (!rw_put(G, to, into, card, bottom, at)) return ref;
  if (rw_eager[source] && !K->size[source]) rw_refill(G, source, at);
  return RW_REF(to, card);
}

static inline void rw_move_all(rw_game *G, int source, int from, int to, int into, int bottom, int at) {
  int count = K->size[source], size = K->size[to];
  if (!count) return;
  if (RW_RARE(source == to)) {
    if (!bottom || from != RW_ORDER) return;
    rw_class *low = K->rows + rw_spot[to], *high = low + size - 1;
    for (; low < high; low++, high--) {
      rw_class card = *low;
      *low = *high;
      *high = card;
    }
    return;
  }
  if (RW_IS_FULL(to, size + count)) { rw_fault(G, RW_FULL, at); return; }
  if (from == RW_COUNTS && into == RW_COUNTS) {
    rw_counts *there = &K->counts[rw_spot[source]], *here = &K->counts[rw_spot[to]];
    for (int word = 0; word < RW_WORDS; word++) {
      RW_EACH_BIT(bits, there->held[word]) {
        int card = word * 64 + rw_lowest(bits);
        here->n[card] += there->n[card];
        there->n[card] = 0;
        rw_settle(G, card, to);
      }
      here->held[word] |= there->held[word];
      there->held[word] = 0;
    }
    rw_resize(G, source, from, 0);
    rw_resize(G, to, into, size + count);
  } else {
    rw_class cards[RW_CARDS + RW_SLACK];
    rw_classes(G, source, cards);
    rw_empty(G, source);
    for (int i = 0; i < count; i++) rw_put(G, to, into, cards[i], bottom, at);
  }
  if (rw_eager[source]) rw_refill(G, source, at);
}

/* Moves the cards of a zone of the classes in a set, in the zone's order. */
static inline void rw_move_some(rw_game *G, int source, int from, const rw_u64 *set, int to, int into, int bottom,
                                int place, int at) {
  int moved = 0;
  if (RW_RARE(source == to)) { /* in an order they all go to one end */
    int refs[RW_CARDS + 1], count = rw_refs(G, source, from, refs);
    for (int i = 0; i < count; i++)
      if (!(set[rw_card_of(refs[i]) / 64] >> (rw_card_of(refs[i]) & 63) & 1)) refs[i] = -1;
    if (from == RW_ORDER) rw_move(G, refs, count, to, into, bottom, place, at);
    return;
  }
  if (place != -1 && place != source) return;
  if (from == RW_COUNTS) {
    rw_counts *there = &K->counts[rw_spot[source]];
    for (int word = 0; word < RW_WORDS; word++) RW_EACH_BIT(bits, there->held[word] & set[word]) {
      int card = word * 64 + rw_lowest(bits), copies = there->n[card];
      if (into == RW_COUNTS) {
        rw_counts *here = &K->counts[rw_spot[to]];
        here->n[card] += copies;
        here->held[word] |= 1ull << (card & 63);
        rw_settle(G, card, to);
      } else {
        for (int i = 0; i < copies; i++)
          if (!rw_put(G, to, into, card, bottom, at)) return;
      }
      moved += copies;
      there->n[card] = 0;
    }
    if (!moved) return;
    for (int word = 0; word < RW_WORDS; word++) there->held[word] &= ~set[word];
    if (into == RW_COUNTS) {
      if (RW_IS_FULL(to, K->size[to] + moved)) { rw_fault(G, RW_FULL, at); return; }
      rw_resize(G, to, into, K->size[to] + moved);
    }
  } else {
    rw_class *row = K->rows + rw_spot[source];
    for (int i = 0; i < K->size[source]; i++) {
      int card = from == RW_ORDER ? row[i] : rw_spot[source];
      if (set[card / 64] >> (card & 63) & 1) {
        if (!rw_put(G, to, into, card, bottom, at)) return;
        moved++;
      } else if (from == RW_ORDER) {
        row[i - moved] = (rw_class)card;
      }
    }
    if (!moved) return;
  }
  rw_resize(G, source, from, K->size[source] - moved);
  if (rw_eager[source] && !K->size[source]) rw_refill(G, source, at);
}

static void rw_send_home(rw_game *G, int *refs, int count, const int *homes, int place, int at) {
  for (int home = -1, next; !G->fault; home = next) {
    next = RW_ZONES;
    for (int i = 0; i < count; i++)
      if (refs[i] >= 0 && homes[rw_card_of(refs[i])] > home && homes[rw_card_of(refs[i])] < next)
        next = homes[rw_card_of(refs[i])];
    if (next == RW_ZONES) return;
    rw_move_those(G, refs, count, homes, next, rw_form[next], 0, place, at);
  }
}

/* Draws cards one after the other, refilling the zone in between. Returns their number, and stores them in `out`
   unless that is 0. */
static inline int rw_draw(rw_game *G, int source, int from, int count, int to, int into, int bottom, int *out, int at) {
  int drawn = 0;
  if (count > RW_CARDS) count = RW_CARDS;
  while (drawn < count) {
    if (!K->size[source] && !rw_refill(G, source, at)) break;
    int size = K->size[source], held = K->size[to], some = count - drawn; /* a refill may have emptied `to` */
    if (from == RW_ORDER && into == RW_COUNTS) {
      const rw_class *next = K->rows + rw_spot[source] + size;
      rw_counts *counts = &K->counts[rw_spot[to]];
      if (some > size) some = size;
      if (RW_IS_FULL(to, held + some)) { rw_fault(G, RW_FULL, at); return 0; }
      rw_u64 classes = RW_WORDS == 1 ? counts->held[0] : 0; /* a local: stores of bytes could be stores to it */
      for (int i = 0; i < some; i++) {
        int card = *--next;
        counts->n[card]++;
        if (RW_WORDS == 1) classes |= 1ull << card;
        else counts->held[card / 64] |= 1ull << (card & 63);
        rw_settle(G, card, to);
        if (out) out[drawn + i] = RW_REF(to, card);
      }
      if (RW_WORDS == 1) counts->held[0] = classes;
      rw_resize(G, source, from, size - some);
      rw_resize(G, to, into, held + some);
      drawn += some;
    } else {
      int card = rw_last_class(G, source, from);
      if (from == RW_COUNTS) rw_take_out(G, source, from, card);
      else rw_resize(G, source, from, size - 1);
      if (!rw_put(G, to, into, card, bottom, at)) return 0;
      if (out) out[drawn] = RW_REF(to, card);
      drawn++;
    }
    if (rw_eager[source] && !K->size[source]) rw_refill(G, source, at);
    if (RW_RARE(G->fault)) return 0;
  }
  return drawn;
}

/* The same from the bottom of a zone. */
static int rw_draw_bottom(rw_game *G, int source, int count, int to, int bottom, int *out, int at) {
  int drawn = 0, from = rw_form[source];
  for (int most = count > RW_CARDS ? RW_CARDS : count; drawn < most; drawn++) {
    if (!K->size[source] && !rw_refill(G, source, at)) return drawn;
    int card = rw_first_class(G, source, from), size = K->size[source] - 1;
    if (from == RW_ORDER) {
      rw_class *row = K->rows + rw_spot[source];
      for (int i = 0; i < size; i++) row[i] = row[i + 1];
      rw_resize(G, source, from, size);
    } else {
      rw_take_out(G, source, from, card);
    }
    if (!rw_put(G, to, rw_form[to], card, bottom, at)) return 0;
    if (out) out[drawn] = RW_REF(to, card);
    if (rw_eager[source] && !K->size[source]) rw_refill(G, source, at);
    if (RW_RARE(G->fault)) return 0;
  }
  return drawn;
}

static void rw_shuffle(rw_game *G, int zone) {
  int size = K->size[zone];
  rw_class others[RW_CARDS + RW_SLACK], *cards = others;
  if (rw_bag[zone]) return;
  if (rw_form[zone] == RW_ORDER) {
    cards = K->rows + rw_spot[zone];
    rw_sort_classes(cards, size);
  } else {
    rw_classes(G, zone, cards); /* equal cards: only chance is used up */
  }
  rw_mix_classes(G, cards, size);
}

static void rw_prepare(rw_game *G, int zone, int count, int at) {
  if (K->size[zone] < count) rw_refill(G, zone, at);
}

/* Writes the cards that cells refer to, which are all of their own. */
static void rw_write_remembered(int *cells, int count) {
  for (int i = 0; i < count; i++)
    if (cells[i] >= 0) cells[i] = rw_first_card[rw_card_of(cells[i])];
}

/* Writes the cells that a state has for its cards: of each class, cards in ascending order of their zones. */
static void rw_write_cards(rw_game *G) {
  int next[RW_CLASSES];
  rw_class cards[RW_CARDS + RW_SLACK];
  for (int card = 0; card < RW_CLASSES; card++) next[card] = rw_first_card[card];
  for (int zone = 0; zone < RW_ZONES; zone++) {
    int *cells = S + rw_address[zone], size = rw_classes(G, zone, cards);
    cells[0] = size;
    for (int i = 0; i < rw_capacity[zone]; i++) cells[1 + i] = 0;
    for (int i = 0; i < size; i++) {
      cells[1 + i] = next[cards[i]]++;
      S[RW_PLACES + cells[1 + i]] = zone;
    }
  }
  for (int i = 0; i < RW_CARD_TRACKS; i++) rw_write_remembered(S + rw_card_tracks[2 * i], rw_card_tracks[2 * i + 1]);
  for (int i = 0; i < RW_CARD_LISTS; i++) rw_write_remembered(S + rw_card_lists[i] + 1, S[rw_card_lists[i]]);
}
