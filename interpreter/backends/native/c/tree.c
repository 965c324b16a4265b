/* A tree of answers that grows by playing in worlds (`interpreter.search.tree_search`). This text comes after `worlds.c`.

   It grows the same trees as `tests/interpreter/search/reference_search.py`. All arithmetic is on whole numbers, so that it is
   the same on every machine. */

/* A node: an answer that a seat gave after those of the nodes above it. */
typedef struct {
  rw_u64 key;
  int next, child; /* the next node with the same parent, and the first one below; 0 for none */
  int seat, site, visits;
  int offered; /* how often it could have been chosen */
  int count;   /* how many things are chosen */
  int at;      /* where their keys begin */
  long long total; /* what the ends were worth to its seat */
} rw_node;

typedef struct {
  int nodes, most_nodes; /* number 0 is the root */
  int keys, most_keys;
  rw_node *node;
  rw_u64 *key;                /* of the things that answers choose */
  const int *const *policies; /* of the bots that play on */
  int bots;                   /* their number */
  const int *weights;         /* of each seat: those of its bots, then of a random player */
  rw_u64 chance;              /* the stream of the tree */
  rw_u64 offer[RW_OPTIONS + 1]; /* the keys of the options of a decision, in the order of the slot */
  int bot[RW_SEATS];            /* of each seat in this world; -1 for a random one */
  int place[RW_OPTIONS + 1];    /* places in the slot */
  int new_place[RW_OPTIONS + 1];
  rw_u64 chosen[RW_OPTIONS + 1];
  int racing[RW_OPTIONS + 1 + RW_WEIGHED]; /* the answers of a flat tree, the best first */
} rw_tree;

static int rw_tree_below(rw_game *G, rw_tree *T, int bound) {
  rw_u64 kept = G->stream;
  G->stream = T->chance;
  int number = rw_below(G, bound);
  T->chance = G->stream;
  G->stream = kept;
  return number;
}

/* ------------------------------------------------------------------ keys */

/* What a seat calls an option: cards by their face where it sees them, else by their place. */
static rw_u64 rw_option_key(const rw_game *G, int seat, int site, int value) {
  int members[RW_COLUMNS], number = rw_unfold(site, value, members), branch = rw_branch_at[site] + number;
  rw_u64 key = rw_splitmix((rw_u64)number);
  for (int i = rw_member_at[branch], n = 0; i < rw_member_at[branch + 1]; i++, n++) {
    int of = rw_member[i].of, member = members[n], zone = -1, part = of == RW_CARD ? -1 : rw_plain_value(of, member);
    if (of == RW_CARD && member >= 0) {
      zone = S[RW_PLACES + member];
      int seen = zone < 0 || rw_shows[zone] >> seat & 1;
      if (!seen && rw_top[zone] >> seat & 1) seen = S[rw_address[zone] + S[rw_address[zone]]] == member;
      part = seen ? rw_face[member] : -2 - rw_place_of(G, member);
    }
    key = rw_splitmix(rw_splitmix(key ^ (rw_u64)(zone + 1)) ^ (rw_u64)(long long)part);
  }
  return key;
}

/* The key of an answer: of its seat, its site, and what it chooses, in order. */
static rw_u64 rw_answer_key(int seat, int site, const rw_u64 *keys, int count) {
  rw_u64 key = rw_splitmix((rw_u64)(site * RW_SEATS + seat));
  for (int i = 0; i < count; i++) key = rw_splitmix(key ^ keys[i]);
  return key;
}

/* ------------------------------------------------------------------ choosing a node */

/* The logarithm to the base 2 of a number from 1 on, in 65536ths, linear between powers of 2. */
static long long rw_log(int number) {
  int power = 0;
  while (number >> power > 1) power++;
  return ((long long)power << 16) + (((long long)number << 16) >> power) - 65536;
}

/* The root of a number below 2^62, rounded down. */
static long long rw_root(long long number) {
  long long root = 0, bit = 1ll << 60;
  while (bit > number) bit >>= 2;
  for (; bit; bit >>= 2) {
    if (number >= root + bit) {
      number -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return root;
}

/* How promising a node is: what it was worth, and more if it was tried less than others. */
static long long rw_promise(const rw_node *node, long long explored) {
  long long mean = node->total / node->visits - (node->total % node->visits < 0);
  return mean + explored * rw_root((rw_log(node->offered) << 16) / node->visits) / 65536;
}

/* Whether there is no room for another node. */
static int rw_full(const rw_tree *T) { return T->nodes == T->most_nodes || T->keys + RW_OPTIONS > T->most_keys; }

static int rw_new_node(rw_tree *T, int parent, rw_u64 key, int seat, int site, const rw_u64 *keys, int count) {
  int number = T->nodes++;
  T->node[number] = (rw_node){key, 0, 0, seat, site, 0, 1, count, T->keys, 0};
  for (int i = 0; i < count; i++) T->key[T->keys++] = keys[i];
  int *link = &T->node[parent].child;
  while (*link) link = &T->node[*link].next;
  *link = number;
  return number;
}

static int rw_below_node(const rw_tree *T, int parent, rw_u64 key) {
  int child = T->node[parent].child;
  while (child && T->node[child].key != key) child = T->node[child].next;
  return child;
}

/* Finds the places of an answer's things among the options offered now, the first ones of each key. Returns whether
   all are there. */
static int rw_find_answer(rw_tree *T, const rw_node *node, int held, int *place) {
  int used[RW_OPTIONS + 1] = {0}, n = 0;
  for (int i = 0; i < node->count; i++) {
    int j = 0;
    while (j < held && (used[j] || T->offer[j] != T->key[node->at + i])) j++;
    if (j == held) return 0;
    used[j] = 1;
  }
  for (int j = 0; j < held; j++)
    if (used[j]) place[n++] = j;
  return 1;
}

/* Sorts keys: equal answers have the same keys in the same order. */
static void rw_sort_keys(rw_u64 *keys, int count) {
  for (int i = 1; i < count; i++) {
    rw_u64 key = keys[i];
    int j = i;
    for (; j && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

/* The first place with the same key. */
static int rw_first_alike(const rw_tree *T, int place) {
  int i = 0;
  while (T->offer[i] != T->offer[place]) i++;
  return i;
}

/* Notes an answer: the places of what it chooses, in the order of the slot, and their keys. */
static int rw_note_answer(rw_tree *T, const int *place, int count) {
  for (int i = 0; i < count; i++) T->chosen[i] = T->offer[place[i]];
  rw_sort_keys(T->chosen, count);
  return count;
}

/* Takes the answer of a bot; -1: a random one. */
static int rw_bot_answer(rw_game *G, rw_tree *T, int bot, int seat, const int *slot) {
  int out[RW_OPTIONS + 1], used[RW_OPTIONS + 1] = {0}, n = 0;
  rw_u64 kept = G->stream;
#if RW_BOTS
  G->policy[seat] = bot < 0 ? 0 : T->policies[bot];
#endif
  G->stream = T->chance;
  int count = rw_chosen(G, seat, slot[1], slot + 5, slot[4], slot[2], slot[3], out);
  T->chance = G->stream;
  G->stream = kept;
  for (int i = 0; i < count; i++) {
    int j = 0;
    while (used[j] || slot[5 + j] != out[i]) j++;
    used[j] = 1;
  }
  for (int j = 0; j < slot[4]; j++)
    if (used[j]) T->new_place[n++] = j;
  return rw_note_answer(T, T->new_place, n);
}

/* Draws an answer: a uniform number of things, then which. */
static int rw_draw_answer(rw_game *G, rw_tree *T, int held, int least, int most) {
  int count = least == most ? least : least + rw_tree_below(G, T, most - least + 1), used[RW_OPTIONS + 1] = {0}, n = 0;
  for (int i = 0; i < held; i++) T->new_place[i] = i;
  for (int i = 0; i < count; i++) {
    int j = i + rw_tree_below(G, T, held - i), place = T->new_place[i];
    T->new_place[i] = T->new_place[j];
    T->new_place[j] = place;
  }
  rw_note_answer(T, T->new_place, count);
  for (int i = 0; i < count; i++) {
    int j = 0;
    while (used[j] || T->offer[j] != T->chosen[i]) j++;
    used[j] = 1;
  }
  for (int j = 0; j < held; j++)
    if (used[j]) T->new_place[n++] = j;
  return count;
}

/* Draws one thing, or nothing, of what was not chosen yet. Returns its number, or -1 if there is none. */
static int rw_draw_thing(rw_game *G, rw_tree *T, int parent, int seat, int site, int held, int least) {
  int fresh = 0, *place = T->new_place;
  if (!least && !rw_below_node(T, parent, rw_answer_key(seat, site, T->offer, 0))) place[fresh++] = -1;
  for (int i = 0; i < held; i++)
    if (rw_first_alike(T, i) == i && !rw_below_node(T, parent, rw_answer_key(seat, site, T->offer + i, 1)))
      place[fresh++] = i;
  if (!fresh) return -1;
  place[0] = place[rw_tree_below(G, T, fresh)];
  return rw_note_answer(T, place, place[0] >= 0);
}

/* Adds a node for another answer: that of a bot, everything, or one that is drawn. Returns -1 if none was found. */
static int rw_widen(rw_game *G, rw_tree *T, int parent, int seat, const int *slot, int *count) {
  int site = slot[1], least = slot[2], most = slot[3], held = slot[4], tries = most == 1 ? 1 : 1 + RW_DRAWS;
  for (int i = 0; i < T->bots + tries; i++) {
    int chosen;
    if (i < T->bots) {
      chosen = rw_bot_answer(G, T, i, seat, slot);
    } else if (most == 1) {
      chosen = rw_draw_thing(G, T, parent, seat, site, held, least);
      if (chosen < 0) return -1;
    } else if (i == T->bots) {
      for (int j = 0; j < most; j++) T->new_place[j] = j;
      chosen = rw_note_answer(T, T->new_place, most);
    } else {
      chosen = rw_draw_answer(G, T, held, least, most);
    }
    rw_u64 key = rw_answer_key(seat, site, T->chosen, chosen);
    if (rw_below_node(T, parent, key)) continue;
    *count = chosen;
    rw_copy(T->place, T->new_place, chosen);
    return rw_new_node(T, parent, key, seat, site, T->chosen, chosen);
  }
  return -1;
}

/* Follows the answer of the bot that a seat has in this world. Returns its node, or -1 if the tree is full. */
static int rw_follow(rw_game *G, rw_tree *T, int parent, int seat, const int *slot, int *count) {
  int chosen = rw_bot_answer(G, T, T->bot[seat], seat, slot);
  rw_u64 key = rw_answer_key(seat, slot[1], T->chosen, chosen);
  int child = rw_below_node(T, parent, key);
  if (!child && rw_full(T)) return -1;
  *count = chosen;
  rw_copy(T->place, T->new_place, chosen);
  if (child) T->node[child].offered++;
  return child ? child : rw_new_node(T, parent, key, seat, slot[1], T->chosen, chosen);
}

/* Chooses the answer to a decision with several. Returns its node, or -1 if no node may be added. */
static int rw_choose(rw_game *G, rw_tree *T, int parent, int seat, const int *slot, int *count) {
  int best = -1, known = 0, site = slot[1], least = slot[2], most = slot[3], held = slot[4];
  long long promising = 0;
  for (int child = T->node[parent].child; child; child = T->node[child].next) {
    rw_node *node = T->node + child;
    if (node->seat != seat || node->site != site || node->count < least || node->count > most) continue;
    if (!rw_find_answer(T, node, held, T->new_place)) continue;
    known++;
    node->offered++;
    long long promise = rw_promise(node, parent ? RW_EXPLORED_BELOW : RW_EXPLORED);
    if (best >= 0 && promise <= promising) continue;
    best = child;
    promising = promise;
    *count = node->count;
    rw_copy(T->place, T->new_place, node->count);
  }
  if (parent && T->node[parent].visits < RW_RIPE) return -1;
  long long widening = (long long)T->node[parent].visits * (parent ? RW_WIDENING_BELOW : RW_WIDENING);
  if (rw_full(T) || known > rw_root(widening / 4)) return best;
  int wider = rw_widen(G, T, parent, seat, slot, count);
  return wider < 0 ? best : wider;
}

/* ------------------------------------------------------------------ one world */

/* Answers the decision of a seat in the tree; `own`: the one that the search is about. Returns the node below, the
   same node if there is only one answer, or -1 if no node may be added. */
static int rw_descend(rw_search *X, rw_tree *T, int parent, int seat, int own) {
  rw_game *G = &X->playing;
  const int *slot = rw_slot(G, seat);
  int site = slot[1], least = slot[2], most = slot[3], held = slot[4], count = 0, kinds = 0, child = parent;
  for (int i = 0; i < held; i++) {
    T->offer[i] = own ? (rw_u64)X->option[i] : rw_option_key(G, seat, site, slot[5 + i]);
    kinds += rw_first_alike(T, i) == i;
  }
  if (most == 0 || least == held || (least == most && kinds == 1)) {
    for (count = 0; count < least; count++) T->place[count] = count;
  } else if (seat != X->seat && rw_tree_below(G, T, 8) >= RW_RIVALS) {
    child = rw_follow(G, T, parent, seat, slot, &count);
  } else {
    child = rw_choose(G, T, parent, seat, slot, &count);
  }
  if (child < 0) return -1;
  for (int i = 0; i < count; i++) X->answer[i] = slot[5 + T->place[i]];
  rw_answer(G, seat, X->answer, count);
  return child;
}

/* Draws a bot for each seat, by its weights. */
static void rw_draw_bots(rw_game *G, rw_tree *T) {
  const int *weights = T->weights;
  for (int seat = 0; seat < RW_SEATS; seat++, weights += T->bots + 1) {
    int all = 0, bot = 0;
    for (int i = 0; i <= T->bots; i++) all += weights[i];
    for (int left = rw_tree_below(G, T, all) - weights[0]; left >= 0; left -= weights[bot]) bot++;
    T->bot[seat] = bot < T->bots ? bot : -1;
  }
}

/* Seats these bots. */
static void rw_seat_bots(rw_game *G, rw_tree *T) {
#if RW_BOTS
  for (int seat = 0; seat < RW_SEATS; seat++) G->policy[seat] = T->bot[seat] < 0 ? 0 : T->policies[T->bot[seat]];
#else
  (void)G, (void)T;
#endif
}

/* Goes down the tree in a world, adds a node, and plays on. Returns 1; 0 if no world was found; -1 if it was cut. */
static int rw_grow_once(rw_search *X, rw_tree *T, rw_u64 seed, rw_u64 number, int depth) {
  rw_game *G = &X->playing;
  int path[RW_DEEPEST + 1], steps = 0;
  path[0] = 0;
  if (rw_imagine(X, rw_seed_state(seed, 3 * number)) != 1) return 0;
  rw_copy_cells(S, X->world.cells);
  G->stream = rw_seed_state(seed, 3 * number + 1);
  T->chance = rw_seed_state(seed, 3 * number + 2);
  G->fault = 0;
  G->stops = 1;
  rw_draw_bots(G, T);
  for (int asked = 0, seat = X->seat; asked < RW_DEEPEST; asked++, seat = 0) {
    while (rw_slot(G, seat)[0] != 1) seat++;
    int next = rw_descend(X, T, path[steps], seat, asked == 0), fresh;
    if (next < 0) break;
    fresh = next != path[steps] && !T->node[next].visits;
    if (next != path[steps]) path[++steps] = next;
    if (rw_advance(G) == RW_CUT) return -1;
    if (fresh || G->fault || S[RW_STATUS] != 1) break;
  }
  rw_seat_bots(G, T);
  if (!G->fault && S[RW_STATUS] == 1) {
    rw_limit(G, depth);
    if (rw_play(G) == RW_CUT) return -1;
  }
  for (int i = 0; i <= steps; i++) {
    rw_node *node = T->node + path[i];
    node->visits++;
    node->total += rw_worth(S, G->fault, node->seat);
  }
  return 1;
}

/* ------------------------------------------------------------------ flat trees */

/* Adds the answers of a flat tree: all that are of one thing, else some. Returns how many there are.

   Options are in an order that tells nothing of the true state. */
static int rw_add_answers(rw_search *X, rw_tree *T) {
  const int *was = rw_slot(&X->before, X->seat);
  int held = 0, added = 0, count;
  for (int option = 0; option < X->options; option++)
    for (int i = 0; i < X->many[option]; i++) T->offer[held++] = (rw_u64)option;
  const int slot[] = {1, was[1], was[2], was[3], held}, most = was[3] == 1 ? held + 1 : RW_WEIGHED;
  for (int i = 0; i < most && !rw_full(T); i++) {
    int child = rw_widen(&X->playing, T, 0, X->seat, slot, &count);
    if (child >= 0) T->racing[added++] = child;
  }
  return added;
}

/* Tries answers in a world, all with the same chance. Returns 1; 0 if no world was found; -1 if it was cut. */
static int rw_try_answers(rw_search *X, rw_tree *T, int left, rw_u64 seed, rw_u64 number, int depth) {
  rw_game *G = &X->playing;
  if (rw_imagine(X, rw_seed_state(seed, 1 + 2 * number)) != 1) return 0;
  for (int n = 0; n < left; n++) {
    if (G->halt && *G->halt) return -1;
    rw_node *node = T->node + T->racing[n];
    int picks[RW_OPTIONS + 1];
    for (int i = 0; i < node->count; i++) picks[i] = (int)T->key[node->at + i];
    rw_copy_cells(S, X->world.cells);
    rw_answer(G, X->seat, X->answer, rw_resolve(X, picks, node->count, X->answer));
    G->stream = rw_seed_state(seed, 2 + 2 * number);
    rw_limit(G, depth);
    if (rw_play(G) == RW_CUT) return -1;
    node->visits++;
    node->total += rw_worth(S, G->fault, X->seat);
  }
  return 1;
}

/* Sorts answers: the best first. */
static void rw_rank_answers(rw_tree *T, int count) {
  for (int i = 1; i < count; i++) {
    int child = T->racing[i], j = i;
    for (; j && T->node[T->racing[j - 1]].total < T->node[child].total; j--) T->racing[j] = T->racing[j - 1];
    T->racing[j] = child;
  }
}

/* Grows a flat tree: tries its answers in the same worlds, and drops the worse half again and again. Returns as
   `rw_grow`. */
static int rw_halve(rw_search *X, rw_tree *T, rw_u64 seed, int each, int depth) {
  T->chance = rw_seed_state(seed, 0);
  int left = rw_add_answers(X, T), rounds = 0, number = 0;
  long long playouts = (long long)each * left;
  while (1 << rounds < left) rounds++;
  for (; left > 1; left = (left + 1) / 2) {
    long long worlds = playouts / (rounds * left);
    for (int i = 0; i < worlds || i == 0; i++, number++) {
      int tried = rw_try_answers(X, T, left, seed, number, depth);
      if (tried != 1) return tried ? 0 : -1;
    }
    rw_rank_answers(T, left);
  }
  return each;
}

/* ------------------------------------------------------------------ exported functions */

RW_PUBLIC int rw_size_of_tree(void) { return (int)sizeof(rw_tree); }

RW_PUBLIC int rw_size_of_node(void) { return (int)sizeof(rw_node); }

/* Begins a tree in the given memory: the nodes, and the keys of what they choose. `bots` policies are those of the
   bots that play on; `weights` say how often each seat is one of them, or a random player. */
RW_PUBLIC void rw_plant(const rw_search *X, rw_tree *T, void *nodes, int most_nodes, void *keys, int most_keys,
                        const int *const *policies, int bots, const int *weights) {
  T->node = nodes;
  T->most_nodes = most_nodes;
  T->key = keys;
  T->most_keys = most_keys;
  T->nodes = 1;
  T->keys = 0;
  T->node[0] = (rw_node){0, 0, 0, X->seat, -1, 0, 0, 0, 0, 0};
  T->policies = policies;
  T->bots = bots;
  T->weights = weights;
}

/* Lets a tree grow `worlds` times, the first time with number `first` of a seed. Returns how often it grew before the
   call was ended by `halt`, or without it by the end of patience; -1 if no world was found.

   A flat tree grows only once, `worlds` times for each of its answers, on average; if the call is ended, it did not. */
RW_PUBLIC int rw_grow(rw_search *X, rw_tree *T, rw_u64 seed, rw_u64 first, int worlds, int depth, int flat,
                      long long patience, const volatile int *halt) {
  X->playing.patience = patience;
  X->playing.halt = halt;
  if (flat) return rw_halve(X, T, seed, worlds, depth);
  for (int i = 0; i < worlds; i++) {
    if (halt && *halt) return i;
    int grown = rw_grow_once(X, T, seed, first + i, depth);
    if (grown != 1) return grown ? i : -1;
  }
  return worlds;
}

/* How many numbers `rw_tried` writes to `picks`, at most as many to the others. */
RW_PUBLIC int rw_width(const rw_tree *T) {
  int count = 0;
  for (int child = T->node[0].child; child; child = T->node[child].next) count += 1 + T->node[child].count;
  return count;
}

/* The answers of the root: for each how often it was visited, its worth in all, and what it chooses: a number of
   options, then these. Returns how many there are. */
RW_PUBLIC int rw_tried(const rw_tree *T, int *visits, long long *totals, int *picks) {
  int count = 0;
  for (int child = T->node[0].child; child; child = T->node[child].next, count++) {
    const rw_node *node = T->node + child;
    visits[count] = node->visits;
    totals[count] = node->total;
    *picks++ = node->count;
    for (int i = 0; i < node->count; i++) *picks++ = (int)T->key[node->at + i];
  }
  return count;
}
