/* Dealing anew the cards that a seat does not see. The meaning is that of `interpreter.search.determinise` and
   `interpreter.search.determinise`; the same numbers of a stream give the same deal. This text comes after the
   tables of `interpreter.search.native_tree`.

   Nearly all time of a search goes into playouts, so this code is compiled fast rather than optimised. */

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O1")
#endif

/* The parts of an option of a seat's decision that are compared. Two options are the same if all parts except
   `card` are equal and, for a card without a place, its marks are equal. */
typedef struct {
  int where;  /* the zone, if the options are in several; else -1 */
  int form;   /* as below */
  int number; /* the value; the place; the lot */
  int face;   /* of a visible card, else -1 */
  int card;
} rw_label;

/* Not a card; none; a card of an ordered zone; one of a hidden bag; a visible one. */
enum { RW_VALUE, RW_NOTHING, RW_PLACED, RW_UNSEEN, RW_FACED };

typedef struct {
  int card, zone, low, high; /* its card, its zone; it may hold cards from `low` to before `high` */
  int group;                 /* all places of a group may hold the same cards */
  int wanted;                /* the face that the first deal puts there, or -1 */
} rw_spot;

typedef struct {
  int zone, face, least; /* a lower bound that the seat knows of the number of cards with a face */
  int first, now;        /* their number in the first deal, and in the present one */
} rw_bound;

/* A decision of a seat, with all data for a search in its worlds. The caller provides the memory, zero at first. */
typedef struct {
  rw_game before, world, playing;
  int seat;
  int masks[RW_CARDS + 1], known[RW_CARDS + 1]; /* the seats that know each card: in the true state; in the world */

  rw_spot spots[RW_CARDS + 1];
  int places, groups, bounded, passes, apart;
  int fits;                   /* whether each place holds a card that it may hold: the first deal succeeded */
  int zone_at[RW_ZONES + 1];  /* the first place of each zone */
  int group_at[RW_CARDS + 2]; /* the first member of each group */
  int size[RW_CARDS + 1];     /* number of cards that a group may hold */
  int members[RW_CARDS + 1];  /* places, group after group */
  int loose[RW_CARDS + 1], open[RW_ZONES + 1];
  int order[RW_CARDS + 2], work[RW_CARDS + 2];
  int first[RW_CARDS + 1], at[RW_CARDS + 1]; /* the card at each place: in the first deal; now */
  int deal[RW_CARDS + 1], came[RW_CARDS + 1];
  rw_bound bounds[RW_CARDS + 1];
  int bound_at[RW_ZONES + 1];

  int own[RW_OPTIONS + 1], options; /* the option of each value in the seat's slot; number of options */
  int sample[RW_OPTIONS + 1], many[RW_OPTIONS + 1]; /* of an option: one of its values, and how many it has */
  rw_label old[(RW_OPTIONS + 1) * RW_COLUMNS], new[(RW_OPTIONS + 1) * RW_COLUMNS];
  int old_branch[RW_OPTIONS + 1], new_branch[RW_OPTIONS + 1];
  int option[RW_OPTIONS + 1]; /* the same as `own`, in the world */
  int values[RW_OPTIONS + 1], value_at[RW_OPTIONS + 2]; /* in the world: option after option, lowest values first */
  int answer[RW_OPTIONS + 1], left[RW_OPTIONS + 1];
  int stamp, stamps[RW_CARDS + 1];
} rw_search;

/* Whether a seat knows which card this is. */
static int rw_sees(const rw_game *G, const int *masks, int seat, int card) {
  int zone = S[RW_PLACES + card];
  if (zone < 0 || ((rw_shows[zone] | masks[card]) >> seat & 1)) return 1;
  const int *cards = S + rw_address[zone];
  return (rw_top[zone] >> seat & 1) && cards[cards[0]] == card;
}

/* ------------------------------------------------------------------ cards allowed at places */

static int rw_accepts(int zone, int card) {
  for (int i = rw_range_at[zone]; i < rw_range_at[zone + 1]; i++)
    if (card >= rw_range[i].first && card < rw_range[i].end) return 1;
  return 0;
}

static int rw_allows(const rw_search *X, const rw_spot *spot, int card) {
  if (!X->loose[card] || card < spot->low || card >= spot->high) return 0;
  return X->open[spot->zone] || rw_accepts(spot->zone, card);
}

/* Whether a track or list has any value for a card that differs from the start. */
static int rw_used(const rw_game *G, int number, int card) {
  const int first = rw_infos[number].first, cards = rw_infos[number].cards, stride = rw_infos[number].stride;
  for (int i = (card - first) * stride; i < rw_infos[number].count; i += cards * stride)
    for (int index = i; index < i + stride; index++) {
      int value = S[rw_infos[number].address + index * rw_infos[number].width];
      if (value != (rw_infos[number].start < 0 ? 0 : rw_starts[rw_infos[number].start + index])) return 1;
      if (rw_infos[number].arrival >= 0 && S[rw_infos[number].arrival + index]) return 1;
    }
  return 0;
}

/* If a track or list that is kept for some cards only has values for this card, restricts the place to those
   cards. */
static void rw_narrow(const rw_game *G, rw_spot *spot) {
  spot->low = 0;
  spot->high = RW_CARDS;
  for (int number = 0; number < RW_INFOS; number++) {
    int first = rw_infos[number].first, end = first + rw_infos[number].cards;
    if (rw_infos[number].cards == RW_CARDS || spot->card < first || spot->card >= end) continue;
    if (!rw_used(G, number, spot->card)) continue;
    if (spot->low < first) spot->low = first;
    if (spot->high > end) spot->high = end;
  }
}

static int rw_same_cards(const rw_search *X, const rw_spot *one, const rw_spot *other) {
  for (int card = 0; card < RW_CARDS; card++)
    if (rw_allows(X, one, card) != rw_allows(X, other, card)) return 0;
  return 1;
}

/* Returns the number of a place's group; a new one if no group may hold the same cards. */
static int rw_group(rw_search *X, const rw_spot *spot) {
  if (spot > X->spots && spot[-1].zone == spot->zone && spot[-1].low == spot->low && spot[-1].high == spot->high)
    return spot[-1].group;
  for (int group = 0; group < X->groups; group++)
    if (rw_same_cards(X, spot, X->spots + X->work[group])) return group;
  int size = 0;
  for (int card = 0; card < RW_CARDS; card++) size += rw_allows(X, spot, card);
  X->size[X->groups] = size;
  X->work[X->groups] = (int)(spot - X->spots);
  return X->groups++;
}

/* Finds the places of the cards that the seat does not see, and groups them. */
static void rw_find_places(rw_search *X) {
  const rw_game *G = &X->before;
  X->places = X->groups = 0;
  rw_zero(X->loose, RW_CARDS);
  for (int zone = 0; zone < RW_ZONES; zone++) {
    const int *cards = S + rw_address[zone];
    X->zone_at[zone] = X->places;
    if (rw_shows[zone] >> X->seat & 1) continue;
    for (int i = 1; i <= cards[0]; i++) {
      if (rw_sees(G, X->masks, X->seat, cards[i])) continue;
      rw_spot *spot = X->spots + X->places++;
      spot->card = cards[i];
      spot->zone = zone;
      rw_narrow(G, spot);
      X->loose[cards[i]] = 1;
    }
  }
  X->zone_at[RW_ZONES] = X->places;
  for (int zone = 0; zone < RW_ZONES; zone++) {
    X->open[zone] = 1;
    for (int card = 0; card < RW_CARDS && X->open[zone]; card++)
      if (X->loose[card] && rw_accepts(zone, card)) X->open[zone] = 0;
  }
  for (int i = 0; i < X->places; i++) X->spots[i].group = rw_group(X, X->spots + i);
  int n = 0, held = 0, holding = 0;
  for (int group = 0; group < X->groups; group++) {
    X->group_at[group] = n;
    for (int i = 0; i < X->places; i++)
      if (X->spots[i].group == group) X->members[n++] = i;
  }
  X->group_at[X->groups] = n;
  for (int card = 0; card < RW_CARDS; card++) {
    int times = 0;
    for (int group = 0; group < X->groups && X->loose[card]; group++)
      times += rw_allows(X, X->spots + X->members[X->group_at[group]], card);
    held += times > 0;
    holding += times;
  }
  X->apart = held == holding;
}

/* ------------------------------------------------------------------ the first deal */

/* Takes the seat's knowledge, in the order of zones and faces. Returns 0 if it is impossible. */
static int rw_take_bounds(rw_search *X, const int *bounds, int count) {
  X->bounded = 0;
  for (int i = 0; i < count; i++, bounds += 4) {
    if (bounds[0] < 0 || bounds[0] >= RW_ZONES) return 0;
    if (bounds[1] != X->seat) continue;
    if (X->bounded == RW_CARDS) return 0;
    int j = X->bounded++;
    for (; j && (X->bounds[j - 1].zone > bounds[0] ||
                 (X->bounds[j - 1].zone == bounds[0] && X->bounds[j - 1].face > bounds[2])); j--)
      X->bounds[j] = X->bounds[j - 1];
    X->bounds[j] = (rw_bound){bounds[0], bounds[2], bounds[3], 0, 0};
  }
  for (int zone = 0, i = 0; zone <= RW_ZONES; zone++) {
    while (i < X->bounded && X->bounds[i].zone < zone) i++;
    X->bound_at[zone] = i;
  }
  X->passes = X->apart && !X->bounded ? 1 : RW_PASSES;
  return 1;
}

static rw_bound *rw_bound_of(rw_search *X, int zone, int face) {
  for (int i = X->bound_at[zone]; i < X->bound_at[zone + 1]; i++)
    if (X->bounds[i].face == face) return X->bounds + i;
  return 0;
}

/* Puts bounded faces where some are required. Returns 0 if a zone has too few places. */
static int rw_want(rw_search *X) {
  for (int i = 0; i < X->places; i++) X->spots[i].wanted = -1;
  for (int i = 0; i < X->bounded; i++) {
    const rw_bound *bound = X->bounds + i;
    for (int n = 0; n < bound->least; n++) {
      int place = X->zone_at[bound->zone + 1] - 1;
      while (place >= X->zone_at[bound->zone] && X->spots[place].wanted != -1) place--;
      if (place < X->zone_at[bound->zone]) return 0;
      X->spots[place].wanted = bound->face;
    }
  }
  return 1;
}

/* Returns how many cards a place may hold in the first deal. */
static int rw_choices(const rw_search *X, const rw_spot *spot) {
  if (spot->wanted < 0) return X->size[spot->group];
  int count = 0;
  for (int card = 0; card < RW_CARDS; card++) count += rw_face[card] == spot->wanted && rw_allows(X, spot, card);
  return count;
}

/* The places with the fewest choices first take the first remaining card by face. Returns 0 if one finds none. */
static int rw_fill_places(rw_search *X) {
  int *begin = X->work, *queue = X->came, n = 0;
  rw_zero(begin, RW_CARDS + 2);
  for (int i = 0; i < X->places; i++) begin[(X->at[i] = rw_choices(X, X->spots + i)) + 1]++;
  for (int i = 0; i <= RW_CARDS; i++) begin[i + 1] += begin[i];
  for (int i = 0; i < X->places; i++) X->order[begin[X->at[i]]++] = i;
  for (int i = 0; i < RW_CARDS; i++)
    if (X->loose[rw_by_face[i]]) X->deal[n++] = rw_by_face[i];
  rw_zero(queue, X->groups);
  for (int i = 0; i < X->places; i++) {
    const rw_spot *spot = X->spots + X->order[i];
    int j = spot->wanted < 0 ? queue[spot->group] : 0;
    for (; j < n; j++) {
      int card = X->deal[j];
      if (X->loose[card] == 1 && rw_allows(X, spot, card) && (spot->wanted < 0 || rw_face[card] == spot->wanted)) break;
    }
    if (j == n) return 0;
    X->loose[X->deal[j]] = 2;
    X->first[X->order[i]] = X->deal[j];
    if (spot->wanted < 0) queue[spot->group] = j + 1;
  }
  return 1;
}

/* Makes the deal that all others begin from: the same in all states that are equal for the seat. */
static void rw_deal_first(rw_search *X) {
  X->fits = rw_want(X) && rw_fill_places(X);
  for (int i = 0; i < X->places && !X->fits; i++) X->first[i] = X->spots[i].card;
  for (int i = 0; i < X->places; i++) {
    X->loose[X->spots[i].card] = 1;
    rw_bound *bound = rw_bound_of(X, X->spots[i].zone, rw_face[X->first[i]]);
    if (bound) bound->first++;
  }
  for (int card = 0; card < RW_CARDS; card++) X->deal[card] = card;
}

/* ------------------------------------------------------------------ a random deal */

/* Swaps two cards, unless a place may not hold one of them or a zone would fall below a known bound. */
static void rw_swap(rw_search *X, int i, int j) {
  const rw_spot *here = X->spots + i, *there = X->spots + j;
  int one = X->at[i], other = X->at[j], alike = X->fits && here->group == there->group;
  if (!alike && !(rw_allows(X, here, other) && rw_allows(X, there, one))) return;
  if (X->bounded && here->zone != there->zone && rw_face[one] != rw_face[other]) {
    rw_bound *less = rw_bound_of(X, here->zone, rw_face[one]), *fewer = rw_bound_of(X, there->zone, rw_face[other]);
    if ((less && less->now <= less->least) || (fewer && fewer->now <= fewer->least)) return;
    rw_bound *more = rw_bound_of(X, here->zone, rw_face[other]), *most = rw_bound_of(X, there->zone, rw_face[one]);
    if (less) less->now--;
    if (fewer) fewer->now--;
    if (more) more->now++;
    if (most) most->now++;
  }
  X->at[i] = other;
  X->at[j] = one;
}

/* Makes a random deal: `deal` holds for each card the one that takes its place. */
static void rw_deal(rw_search *X) {
  rw_copy(X->at, X->first, X->places);
  for (int i = 0; i < X->bounded; i++) X->bounds[i].now = X->bounds[i].first;
  for (int pass = 0; pass < X->passes; pass++) {
    for (int group = 0; group < X->groups; group++) {
      const int *members = X->members + X->group_at[group];
      for (int i = X->group_at[group + 1] - X->group_at[group] - 1; i > 0; i--)
        rw_swap(X, members[i], members[rw_below(&X->world, i + 1)]);
    }
    for (int i = X->places - 1; i > 0 && !X->apart; i--) rw_swap(X, i, rw_below(&X->world, i + 1));
  }
  for (int i = 0; i < X->places; i++) X->deal[X->spots[i].card] = X->at[i];
}

/* ------------------------------------------------------------------ the world of a deal */

static inline void rw_rename(const rw_search *X, int *cell) {
  if (*cell >= 0 && *cell < RW_CARDS) *cell = X->deal[*cell];
}

static void rw_rename_zones(rw_search *X) {
  rw_game *G = &X->world;
  for (int zone = 0; zone < RW_ZONES; zone++) {
    if (X->zone_at[zone] == X->zone_at[zone + 1]) continue;
    int *cards = S + rw_address[zone];
    for (int i = 1; i <= cards[0]; i++) cards[i] = X->deal[cards[i]];
    if (rw_bag[zone]) rw_sort(cards + 1, cards[0]);
  }
  for (int i = 0; i < X->places; i++) S[RW_PLACES + X->at[i]] = X->spots[i].zone;
}

/* Values kept for a card stay at its place. If the card that left has none of the kind, they become those at the
   start. */
static void rw_rename_kept(rw_search *X, int number) {
  rw_game *G = &X->world;
  const int first = rw_infos[number].first, cards = rw_infos[number].cards, stride = rw_infos[number].stride;
  const int width = rw_infos[number].width, arrival = rw_infos[number].arrival, start = rw_infos[number].start;
  for (int index = 0; cards && index < rw_infos[number].count; index++) {
    int card = first + index / stride % cards, source = X->came[card];
    if (source == card) continue;
    int *to = S + rw_infos[number].address + index * width, before = index + (source - card) * stride;
    if (source >= first && source < first + cards) {
      rw_copy(to, X->before.cells + rw_infos[number].address + before * width, width);
      if (arrival >= 0) S[arrival + index] = X->before.cells[arrival + before];
    } else {
      rw_zero(to, width);
      if (start >= 0) *to = rw_starts[start + index];
      if (arrival >= 0) S[arrival + index] = 0;
    }
  }
}

static void rw_rename_pointers(rw_search *X, int number) {
  rw_game *G = &X->world;
  for (int index = 0; index < rw_infos[number].count; index++) {
    int *cells = S + rw_infos[number].address + index * rw_infos[number].width;
    if (rw_infos[number].start >= 0) rw_rename(X, cells);
    else
      for (int i = 1; i <= cells[0]; i++) rw_rename(X, cells + i);
  }
}

static void rw_rename_frames(rw_search *X) {
  rw_game *G = &X->world;
  if (S[RW_STATUS] != 1) return;
  for (int segment = S[RW_SEGMENT], frame = S[RW_FRAME]; segment >= 0 && frame >= RW_STACK;) {
    for (int i = rw_live_at[segment]; i < rw_live_at[segment + 1]; i++) {
      int *slot = S + frame + rw_live[i].offset;
      if (!rw_live[i].capacity) rw_rename(X, slot);
      else
        for (int j = 1; j <= slot[0]; j++) rw_rename(X, slot + j);
    }
    segment = S[frame];
    frame = S[frame + 1];
  }
}

/* Renames the cards among the members of a menu's option. */
static int rw_rename_option(const rw_search *X, int site, int value) {
  int branches = rw_branch_at[site + 1] - rw_branch_at[site], number = (int)rw_remainder(value, branches);
  int code = (int)rw_quotient(value, branches), branch = rw_branch_at[site] + number;
  long long scale = 1, folded = 0;
  for (int i = rw_member_at[branch]; i < rw_member_at[branch + 1]; i++) {
    int radix = rw_member[i].radix, member = (int)rw_remainder(code, radix);
    code = (int)rw_quotient(code, radix);
    folded += scale * (rw_member[i].of == RW_CARD && member < RW_CARDS ? X->deal[member] : member);
    scale *= radix;
  }
  return (int)(number + branches * folded);
}

static void rw_rename_answers(rw_search *X) {
  rw_game *G = &X->world;
  for (int i = 0; i < RW_SEALED; i++)
    for (int n = 0; n < rw_sealed[i].count; n++) {
      int *cells = S + rw_sealed[i].address + n * rw_sealed[i].width;
      for (int j = 1; j <= cells[0]; j++) cells[j] = rw_rename_option(X, rw_sealed[i].site, cells[j]);
    }
}

/* Makes the state in which all cards are as dealt. */
static void rw_rename_all(rw_search *X) {
  rw_copy_cells(X->world.cells, X->before.cells);
  for (int card = 0; card < RW_CARDS; card++) {
    X->came[X->deal[card]] = card;
    X->known[X->deal[card]] = X->masks[card];
  }
  rw_rename_zones(X);
  for (int number = 0; number < RW_INFOS; number++) rw_rename_kept(X, number);
  for (int number = 0; number < RW_INFOS; number++)
    if (rw_infos[number].of == RW_CARD) rw_rename_pointers(X, number);
  rw_rename_frames(X);
  rw_rename_answers(X);
}
