/* Worlds that a seat cannot tell from the true one (`interpreter.search.determinise`), and what the ends of games are
   worth (`interpreter.search.determinise`). */

/* ------------------------------------------------------------------ labels of options */

/* The position of a card in its zone, from 1; 0 if it has none. */
static int rw_place_of(const rw_game *G, int card) {
  int zone = S[RW_PLACES + card], place = 1;
  if (zone < 0 || rw_bag[zone]) return 0;
  const int *cards = S + rw_address[zone];
  while (place < cards[0] && cards[place] != card) place++;
  return place;
}

/* Returns the branch of an option's value, and its members. A site without branches counts as one branch. */
static int rw_unfold(int site, int value, int *members) {
  int first = rw_branch_at[site], branches = rw_branch_at[site + 1] - first, number = 0, code = value;
  if (rw_menu[site]) {
    number = (int)rw_remainder(value, branches);
    code = (int)rw_quotient(value, branches);
  }
  for (int i = rw_member_at[first + number], n = 0; i < rw_member_at[first + number + 1]; i++, n++) {
    if (!rw_menu[site]) {
      members[n] = code;
      continue;
    }
    members[n] = (int)rw_remainder(code, rw_member[i].radix);
    code = (int)rw_quotient(code, rw_member[i].radix);
  }
  return number;
}

/* Normalises a value: names do not distinguish negative values (all none), nor true values of a boolean. */
static int rw_plain_value(int of, int value) {
  if (of == RW_NUMBER) return value;
  return value < 0 ? -1 : of == RW_BOOLEAN ? value != 0 : value;
}

/* The random number that ranks a card among those of a bag that its seat does not see. */
static rw_u64 rw_lot(const rw_game *G, int card) {
  rw_u64 chance = (rw_u64)S[0] | (rw_u64)S[1] << 16 | (rw_u64)S[2] << 32 | (rw_u64)S[3] << 48;
  return rw_seed_state(chance, (rw_u64)card);
}

static void rw_label_card(const rw_game *G, const int *masks, int seat, rw_label *label) {
  int card = label->card, zone = card < 0 ? -1 : S[RW_PLACES + card];
  label->where = zone;
  if (card < 0) {
    label->form = RW_NOTHING;
  } else if (zone >= 0 && !rw_bag[zone]) {
    label->form = RW_PLACED;
    label->number = rw_place_of(G, card);
    label->face = rw_sees(G, masks, seat, card) ? rw_face[card] : -1;
  } else if (!rw_sees(G, masks, seat, card)) {
    label->form = RW_UNSEEN;
  } else {
    label->form = RW_FACED;
    label->face = rw_face[card];
  }
}

/* Sets the lot of each card in one column of a branch, its rank within its zone; drops the zone if all have the
   same. */
static void rw_label_column(rw_search *X, const rw_game *G, const int *branches, int count, int branch, rw_label *column) {
  int zone = -2, zones = 0;
  for (int i = 0; i < count; i++) {
    rw_label *label = column + i * RW_COLUMNS;
    if (branches[i] != branch || label->card < 0) continue;
    zones += label->where != zone && zones < 2;
    zone = label->where;
    if (label->form != RW_UNSEEN) continue;
    rw_u64 lot = rw_lot(G, label->card);
    if (++X->stamp == 0) { /* after 2^32 of them: clear all marks */
      for (int i = 0; i <= RW_CARDS; i++) X->stamps[i] = 0;
      X->stamp = 1;
    }
    for (int j = 0; j < count; j++) {
      const rw_label *other = column + j * RW_COLUMNS;
      if (branches[j] != branch || other->form != RW_UNSEEN || other->where != zone) continue;
      if (X->stamps[other->card] == X->stamp) continue;
      X->stamps[other->card] = X->stamp;
      label->number += rw_lot(G, other->card) < lot;
    }
  }
  for (int i = 0; i < count && zones < 2; i++)
    if (branches[i] == branch) column[i * RW_COLUMNS].where = -1;
}

/* Sets the labels of all options of a decision, RW_COLUMNS for each, and their branches. */
static void rw_label_all(rw_search *X, const rw_game *G, const int *masks, int site, const int *values, int count,
                         rw_label *labels, int *branches) {
  int first = rw_branch_at[site], number = rw_branch_at[site + 1] - first, members[RW_COLUMNS];
  for (int i = 0; i < count; i++) {
    branches[i] = rw_unfold(site, values[i], members);
    int at = rw_member_at[first + branches[i]], end = rw_member_at[first + branches[i] + 1];
    for (int n = 0; n < end - at; n++) {
      rw_label *label = labels + i * RW_COLUMNS + n;
      *label = (rw_label){-1, RW_VALUE, 0, -1, -1};
      if (rw_member[at + n].of == RW_CARD) {
        label->card = members[n];
        rw_label_card(G, masks, X->seat, label);
      } else {
        label->number = rw_plain_value(rw_member[at + n].of, members[n]);
      }
    }
  }
  for (int branch = 0; branch < number; branch++)
    for (int i = rw_member_at[first + branch]; i < rw_member_at[first + branch + 1]; i++)
      if (rw_member[i].of == RW_CARD)
        rw_label_column(X, G, branches, count, branch, labels + (i - rw_member_at[first + branch]));
}

/* ------------------------------------------------------------------ marks that distinguish equal cards */

/* A card in one of the two states that are compared: the true one, or the world. */
typedef struct {
  const rw_game *game;
  const int *masks;
  int card;
} rw_thing;

static int rw_same_name(const rw_search *X, int of, const rw_thing *one, int value, const rw_thing *other, int like) {
  if (of != RW_CARD || value < 0 || like < 0) return rw_plain_value(of, value) == rw_plain_value(of, like);
  if (one->game->cells[RW_PLACES + value] != other->game->cells[RW_PLACES + like]) return 0;
  int seen = rw_sees(one->game, one->masks, X->seat, value);
  if (seen != rw_sees(other->game, other->masks, X->seat, like)) return 0;
  if (seen && rw_face[value] != rw_face[like]) return 0;
  return rw_place_of(one->game, value) == rw_place_of(other->game, like);
}

/* Returns a card's value in a track, or its list; 0 if the seat sees none, or it is as at the start. */
static const int *rw_kept_for(const rw_search *X, int number, const rw_thing *thing, int index) {
  int member = thing->card - rw_infos[number].first, start = rw_infos[number].start;
  if (member < 0 || member >= rw_infos[number].cards) return 0;
  index += member * rw_infos[number].stride;
  const int *cell = thing->game->cells + rw_infos[number].address + index * rw_infos[number].width;
  if (start < 0) return *cell ? cell : 0;
  return (rw_seers[start + index] >> X->seat & 1) && *cell != rw_starts[start + index] ? cell : 0;
}

static int rw_same_kept(const rw_search *X, int number, const rw_thing *one, const rw_thing *other) {
  const int block = rw_infos[number].cards * rw_infos[number].stride, of = rw_infos[number].of;
  for (int from = 0; from < rw_infos[number].count; from += block)
    for (int index = from; index < from + rw_infos[number].stride; index++) {
      const int *mine = rw_kept_for(X, number, one, index), *its = rw_kept_for(X, number, other, index);
      if (!mine && !its) continue;
      if (!mine || !its) return 0;
      if (rw_infos[number].start >= 0) {
        if (!rw_same_name(X, of, one, *mine, other, *its)) return 0;
        continue;
      }
      if (*mine != *its) return 0;
      for (int i = 1; i <= *mine; i++)
        if (!rw_same_name(X, of, one, mine[i], other, its[i])) return 0;
    }
  return 1;
}

/* Whether a track or list that points at cards points at both, from the same places. */
static int rw_same_pointers(const rw_search *X, int number, const rw_thing *one, const rw_thing *other) {
  const int width = rw_infos[number].width, start = rw_infos[number].start;
  for (int index = 0; index < rw_infos[number].count; index++) {
    const int *mine = one->game->cells + rw_infos[number].address + index * width;
    const int *its = other->game->cells + rw_infos[number].address + index * width;
    if (start >= 0) {
      if ((rw_seers[start + index] >> X->seat & 1) && (*mine == one->card) != (*its == other->card)) return 0;
      continue;
    }
    for (int i = 1; i <= *mine || i <= *its; i++)
      if ((i <= *mine && mine[i] == one->card) != (i <= *its && its[i] == other->card)) return 0;
  }
  return 1;
}

static int rw_same_marks(const rw_search *X, const rw_thing *one, const rw_thing *other) {
  for (int number = 0; number < RW_INFOS; number++) {
    if (!rw_infos[number].marks) continue;
    if (rw_infos[number].cards ? !rw_same_kept(X, number, one, other) : !rw_same_pointers(X, number, one, other))
      return 0;
  }
  return 1;
}

/* ------------------------------------------------------------------ the same decision in another world */

/* Whether a label of the true decision equals another one, of the world or of the true decision. */
static int rw_same_label(const rw_search *X, const rw_label *one, const rw_label *other, int world) {
  if (one->where != other->where || one->form != other->form || one->number != other->number) return 0;
  if (one->face != other->face || one->form != RW_FACED) return one->face == other->face;
  const rw_thing card = {&X->before, X->masks, one->card};
  const rw_thing like = {world ? &X->world : &X->before, world ? X->known : X->masks, other->card};
  return rw_same_marks(X, &card, &like);
}

/* How many members the options of a branch have. */
static int rw_columns(int site, int branch) {
  int at = rw_branch_at[site] + branch;
  return rw_member_at[at + 1] - rw_member_at[at];
}

/* Whether a value of the true decision and one of the world are the same option. */
static int rw_same_option(const rw_search *X, int site, int i, int j) {
  if (X->old_branch[i] != X->new_branch[j]) return 0;
  for (int n = 0; n < rw_columns(site, X->old_branch[i]); n++)
    if (!rw_same_label(X, X->old + i * RW_COLUMNS + n, X->new + j * RW_COLUMNS + n, 1)) return 0;
  return 1;
}

/* Whether branch `other` precedes `branch` among the values in the world; with a column, `like` precedes
   `number` in it. */
static int rw_first_of(const rw_search *X, int count, int branch, int other, int column, int number, int like) {
  for (int i = 0; i < count; i++) {
    int value = column < 0 ? X->new_branch[i] : X->new[i * RW_COLUMNS + column].number;
    if (column >= 0 && X->new_branch[i] != branch) continue;
    if (value == (column < 0 ? branch : number)) return 0;
    if (value == (column < 0 ? other : like)) return 1;
  }
  return 0;
}

/* Whether two successive options have the same order in the world: options that are not cards keep the order of
   the rules. */
static int rw_in_order(const rw_search *X, int site, int count, int option) {
  int i = X->sample[option], j = X->sample[option + 1], branch = X->old_branch[i];
  if (branch != X->old_branch[j]) return !rw_first_of(X, count, branch, X->old_branch[j], -1, 0, 0);
  for (int n = 0; n < rw_columns(site, branch); n++) {
    const rw_label *one = X->old + i * RW_COLUMNS + n, *other = X->old + j * RW_COLUMNS + n;
    if (rw_same_label(X, one, other, 0)) continue;
    return one->form != RW_VALUE || !rw_first_of(X, count, branch, 0, n, one->number, other->number);
  }
  return 1;
}

/* Groups the distinct values by option, lowest first. Returns whether each option has as many as before. */
static int rw_gather(rw_search *X, const int *values, const int *option, int count) {
  int *room = X->value_at;
  room[0] = 0;
  for (int i = 0; i < X->options; i++) room[i + 1] = room[i] + X->many[i];
  for (int i = 0; i < X->options; i++) X->left[i] = 0;
  for (int i = 0; i < count; i++) {
    int *there = X->values + room[option[i]], n = X->left[option[i]], j = n;
    while (j && there[j - 1] > values[i]) j--;
    if (j && there[j - 1] == values[i]) continue;
    if (n == X->many[option[i]]) return 0;
    for (int k = n; k > j; k--) there[k] = there[k - 1];
    there[j] = values[i];
    X->left[option[i]]++;
  }
  for (int i = 0; i < X->options; i++)
    if (X->left[i] != X->many[i]) return 0;
  return 1;
}

/* Whether the seat would see the same decision in the world. If so, `values` are the values of its options
   there. */
static int rw_same_decision(rw_search *X) {
  const int *was = rw_slot(&X->before, X->seat), *slot = rw_slot(&X->world, X->seat), count = slot[4], site = slot[1];
  if (slot[2] != was[2] || slot[3] != was[3]) return 0;
  rw_label_all(X, &X->world, X->known, site, slot + 5, count, X->new, X->new_branch);
  for (int i = 0; i < count; i++) {
    int option = -1;
    if (i < was[4] && rw_same_option(X, site, i, i)) option = X->own[i];
    for (int n = 0; n < X->options && option < 0; n++)
      if (rw_same_option(X, site, X->sample[n], i)) option = n;
    if (option < 0) return 0;
    X->option[i] = option;
  }
  if (!rw_gather(X, slot + 5, X->option, count)) return 0;
  for (int option = 0; option + 1 < X->options; option++)
    if (!rw_in_order(X, site, count, option)) return 0;
  return 1;
}

/* Returns the values of an answer in the world: the lowest ones of each option. The result is their number. */
static int rw_resolve(const rw_search *X, const int *picks, int count, int *out) {
  for (int i = 0, n = 0; i < count; i++) {
    n = i && picks[i] == picks[i - 1] ? n + 1 : 0;
    out[i] = X->values[X->value_at[picks[i]] + n];
  }
  return count;
}

/* ------------------------------------------------------------------ asking anew */

static void rw_answer(rw_game *G, int seat, const int *values, int count) {
  int *slot = rw_slot(G, seat);
  slot[5 + RW_OPTIONS] = count;
  rw_copy(slot + 6 + RW_OPTIONS, values, count);
  slot[0] = 2;
  if (--S[RW_OPEN] == 0) rw_go_on(G);
}

static void rw_sort_any(int *values, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i, value = values[i]; j >= 0; j--) {
      if (j && values[j - 1] > value) {
        values[j] = values[j - 1];
      } else {
        values[j] = value;
        break;
      }
    }
}

/* A random answer: a uniform number of values, then the values. */
static int rw_any_answer(rw_search *X, int seat, int *out) {
  const int *slot = rw_slot(&X->world, seat);
  int count = slot[2] + rw_below(&X->world, slot[3] - slot[2] + 1), held = slot[4];
  rw_copy(X->left, slot + 5, held);
  for (int i = 0; i < count; i++) {
    int place = rw_below(&X->world, held);
    out[i] = X->left[place];
    rw_copy(X->left + place, X->left + place + 1, --held - place);
  }
  rw_sort_any(out, count);
  return count;
}

/* The seat's own answer, in the world. */
static int rw_own_answer(rw_search *X, int *out) {
  const int *slot = rw_slot(&X->before, X->seat), *given = slot + 5 + RW_OPTIONS;
  int picks[RW_OPTIONS + 1], count = 0;
  for (int option = 0; option < X->options; option++)
    for (int i = 0; i < slot[4]; i++) {
      int chosen = 0;
      for (int j = 1; j <= given[0] && X->own[i] == option; j++) chosen |= given[j] == slot[5 + i];
      for (int j = 0; j < i && chosen; j++) chosen = slot[5 + j] != slot[5 + i];
      if (chosen) picks[count++] = option;
    }
  return rw_resolve(X, picks, count, out);
}

/* Asks again in the world: 1 if the seat cannot tell it from the true one, 0 if it can, -1 if a rule fails. */
static int rw_ask_anew(rw_search *X) {
  rw_game *G = &X->world;
  int chance[4], was_asked = 0;
  if (S[RW_STATUS] != 1) return 1;
  rw_copy(chance, S, 4);
  rw_close(G);
  S[RW_STATUS] = 0;
  S[RW_FUEL_CELL] = RW_FUEL;
  rw_copy_cells(X->playing.cells, S);
  G->stops = 1;
  if (rw_advance(G)) return -1;
  if (S[RW_STATUS] != 1 || S[RW_SEGMENT] != X->before.cells[RW_SEGMENT]) return 0;
  for (int i = 0; i < 4; i++)
    if (S[i] != chance[i]) return 0;
  for (int i = RW_HEAD + RW_SEATS * RW_DECISION; i < RW_CELLS; i++)
    if (S[i] != X->playing.cells[i]) return 0; /* no seat was asked, the game went on, and came back here */
  for (int seat = 0; seat < RW_SEATS; seat++) {
    const int *slot = rw_slot(G, seat), *was = rw_slot(&X->before, seat);
    if (!slot[0] != !was[0]) return 0;
    was_asked |= was[0] && seat == X->seat;
  }
  if (was_asked && !rw_same_decision(X)) return 0;
  for (int seat = 0; seat < RW_SEATS; seat++) {
    if (rw_slot(&X->before, seat)[0] != 2 || rw_slot(G, seat)[0] == 2) continue;
    int count = seat == X->seat ? rw_own_answer(X, X->answer) : rw_any_answer(X, seat, X->answer);
    rw_answer(G, seat, X->answer, count);
  }
  S[RW_FUEL_CELL] = X->before.cells[RW_FUEL_CELL];
  for (int seat = 0; seat < RW_SEATS; seat++)
    if (rw_slot(G, seat)[0] != rw_slot(&X->before, seat)[0]) return 0;
  return 1;
}

/* ------------------------------------------------------------------ exported functions */

RW_PUBLIC int rw_size_of_search(void) { return (int)sizeof(rw_search); }

/* Starts a search for a seat, given a state, the seats that know each card, `count` bounds (zone, seat, face, at
   least), and, if the seat is asked, the number of the option of each value in its slot. Returns 0 for knowledge
   that no game leads to. */
RW_PUBLIC int rw_look(rw_search *X, const int *cells, const int *masks, const int *bounds, int count, int seat,
                      const int *own, int options) {
  rw_hold(&X->before);
  rw_hold(&X->world);
  rw_hold(&X->playing);
  rw_copy(X->before.cells, cells, RW_CELLS);
  rw_copy(X->world.cells, cells, RW_CELLS);
  rw_copy(X->playing.cells, cells, RW_CELLS);
  X->world.patience = X->playing.patience = RW_PATIENT;
  rw_copy(X->masks, masks, RW_CARDS);
  X->seat = seat;
  rw_find_places(X);
  if (!rw_take_bounds(X, bounds, count)) return 0;
  rw_deal_first(X);
  const int *slot = rw_slot(&X->before, seat);
  X->options = options;
  if (!options) return 1;
  rw_copy(X->own, own, slot[4]);
  for (int i = slot[4] - 1; i >= 0; i--) X->sample[own[i]] = i;
  for (int i = 0; i < options; i++) X->many[i] = 0;
  for (int i = 0; i < slot[4]; i++) {
    int j = 0;
    while (slot[5 + j] != slot[5 + i]) j++;
    X->many[own[i]] += j == i;
  }
  rw_label_all(X, &X->before, X->masks, slot[1], slot + 5, slot[4], X->old, X->old_branch);
  return 1;
}

/* Finds a world with the stream of this key: 1; 0 if none was found, -1 if a rule failed. */
RW_PUBLIC int rw_imagine(rw_search *X, rw_u64 stream) {
  rw_game *G = &X->world;
  G->stream = stream;
  for (int i = 0; i < RW_TRIES; i++) {
    rw_deal(X);
    rw_rename_all(X);
    for (int cell = 0; cell < 4; cell++) S[cell] = (int)(rw_bits(G) >> 16);
    int found = rw_ask_anew(X);
    if (found) return found;
  }
  return 0;
}

/* The rule error of a failed search for a world. */
RW_PUBLIC int rw_imagined_fault(const rw_search *X) { return X->world.fault; }

RW_PUBLIC int rw_imagined_fault_at(const rw_search *X) { return X->world.at; }

/* The world that was found: its cells, and the seats that know each card there. */
RW_PUBLIC void rw_imagined(const rw_search *X, int *cells, int *masks) {
  rw_copy(cells, X->world.cells, RW_CELLS);
  rw_copy(masks, X->known, RW_CARDS);
}

/* The bounds in that world, at most as many as in the true state. Returns their number. */
RW_PUBLIC int rw_imagined_bounds(const rw_search *X, const int *bounds, int count, int *out) {
  const rw_game *G = &X->world;
  int kept = 0;
  for (int i = 0; i < count; i++, bounds += 4) {
    const int *cards = S + rw_address[bounds[0]];
    int there = 0;
    for (int n = 1; n <= cards[0]; n++)
      there += rw_face[cards[n]] == bounds[2] && !(X->known[cards[n]] >> bounds[1] & 1);
    rw_copy(out + 4 * kept, bounds, 4);
    if (bounds[1] != X->seat && there < bounds[3]) out[4 * kept + 3] = there;
    kept += out[4 * kept + 3] != 0;
  }
  return kept;
}

/* The worth of a game's end to a seat, by its cells and its rule error; of a game that was cut, its scores so far
   count. */
static long long rw_worth(const int *cells, int fault, int seat) {
  int winners = 0;
  long long points = 0, best = 0, share = 0, others = 0;
  int cut = cells[RW_STATUS] != 2;
  if (cut && fault != RW_ENDLESS) return RW_VICTORY / RW_SEATS; /* a rule failed */
  for (int i = 0; i < RW_SEATS; i++) {
    long long score = RW_SCORE < 0 ? 0 : cells[RW_SCORE + i];
    winners += RW_WINNER >= 0 && cells[RW_WINNER + i] != 0;
    points += score < 0 ? -score : score;
    if (i != seat && (!others++ || score > best)) best = score;
  }
  if (RW_WINNER >= 0 && cells[RW_WINNER + seat]) share = RW_VICTORY / winners;
  if (cut) share = RW_VICTORY / RW_SEATS;
  if (!points || !others) return share;
  long long lead = RW_LEAD * ((long long)cells[RW_SCORE + seat] - best);
  return share + lead / points - (lead % points < 0);
}
