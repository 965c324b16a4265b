/* Bots that rank options. The policy is that of `interpreter.backends.policies`; its layout in
   cells is that of `interpreter.backends.policies`. This text comes after the program's functions and
   the tables of `native.module`. */

#define RW_UNRANKED (-1)
#define RW_SCORED 2
#define RW_SPARSE (-1)
#define RW_NO_MORE 2
#define RW_AVOID 3
#define RW_ANSWER 5

/* Whether a seat sees a card in its place. */
static int rw_in_sight(rw_game *G, int seat, int card) {
  int zone = S[RW_PLACES + card];
  if (zone < 0 || (rw_all_seen[zone] >> seat & 1)) return 1;
  return (rw_top_seen[zone] >> seat & 1) && rw_is_on_top(G, zone, card);
}

/* What a function gives; 0 for a rule error. It uses no fuel. */
static int rw_result(rw_game *G, int function, int seat, const int *parts) {
  int fuel = S[RW_FUEL_CELL], fault = G->fault, at = G->at, result;
  S[RW_FUEL_CELL] = RW_FUEL;
  G->fault = 0;
  result = rw_bot_function(G, function, seat, parts);
  if (G->fault) result = 0;
  S[RW_FUEL_CELL] = fuel;
  G->fault = fault;
  G->at = at;
  return result;
}

/* The rank of an option by a score: above 0, or RW_UNRANKED. */
static int rw_score(rw_game *G, const int *score, int seat, int value) {
  int parts[RW_PARTS], result;
  const int *constants = score + 4 + 2 * score[2];
  for (int i = 0; i < score[2]; i++) {
    int radix = score[5 + 2 * i];
    parts[i] = value;
    if (radix) {
      parts[i] = (int)rw_remainder(value, radix);
      value = (int)rw_quotient(value, radix);
    }
    if (score[4 + 2 * i] && (parts[i] < 0 || !rw_in_sight(G, seat, parts[i]))) return RW_UNRANKED;
  }
  for (int i = 0; i < score[3]; i++) parts[score[2] + i] = constants[i];
  result = rw_result(G, score[1], seat, parts);
  return result > 0 ? result : RW_UNRANKED;
}

/* The rank of an option in the ranking at an address of a policy: lower is worse; RW_UNRANKED is no rank. */
static int rw_rank(rw_game *G, const int *policy, int place, int seat, int value) {
  while (place >= 0) {
    const int *ranking = policy + place;
    int part = value;
    if (ranking[0] == RW_SCORED) return rw_score(G, ranking, seat, value);
    if (ranking[1]) {
      part = (int)rw_remainder(value, ranking[1]);
      value = (int)rw_quotient(value, ranking[1]);
    }
    if (ranking[0]) {
      if (part < 0 || !rw_in_sight(G, seat, part)) return RW_UNRANKED;
      part = rw_face[part];
    }
    place = ranking[4];
    if (ranking[3] == RW_SPARSE) {
      const int *pairs = ranking + 6;
      for (int i = 0; i < ranking[5]; i++)
        if (pairs[2 * i] == part) place = pairs[2 * i + 1];
    } else if (part >= ranking[2] && part - ranking[2] < ranking[3]) {
      place = ranking[5 + part - ranking[2]];
    }
  }
  return place;
}

/* The ranks of options in the ranking at an address of a policy. Returns how many options have one. */
static int rw_ranks(rw_game *G, const int *policy, int place, int seat, const int *options, int count, int *ranks) {
  int ranked = 0;
  for (int i = 0; i < count; i++) {
    ranks[i] = rw_rank(G, policy, place, seat, options[i]);
    ranked += ranks[i] != RW_UNRANKED;
  }
  return ranked;
}

/* Takes options with a rank, the best first, and adds the missing number of others at random. */
static int rw_best(rw_game *G, int site, const int *options, int count, const int *ranks, int ranked, int least,
                   int most, int *out) {
  int chosen[RW_OPTIONS + 1], others[RW_OPTIONS + 1], more[RW_OPTIONS + 1], taken = 0, n = 0;
  for (int i = 0; i < count; i++) chosen[i] = 0;
  for (; taken < ranked && taken < most; taken++) {
    int best = -1;
    for (int i = 0; i < count; i++)
      if (!chosen[i] && ranks[i] != RW_UNRANKED && (best < 0 || ranks[i] > ranks[best])) best = i;
    chosen[best] = 1;
  }
  if (taken < least) {
    int left = 0, found = 0;
    for (int i = 0; i < count; i++)
      if (ranks[i] == RW_UNRANKED) others[left++] = options[i];
    left = rw_random(G, site, others, left, least - taken, least - taken, more);
    for (int i = 0; i < count && found < left; i++)
      if (ranks[i] == RW_UNRANKED && options[i] == more[found]) {
        chosen[i] = 1;
        found++;
      }
  }
  for (int i = 0; i < count; i++)
    if (chosen[i]) others[n++] = i;
  if (rw_of_cards[site]) return rw_canonical(G, options, others, n, out);
  for (int i = 0; i < n; i++) out[i] = options[others[i]];
  return n;
}

/* Stores the options without a rank. Returns their number, or `count` without storing any if they are too few. */
static int rw_avoid(const int *options, int count, const int *ranks, int least, int *out) {
  int left = 0;
  for (int i = 0; i < count; i++) left += ranks[i] == RW_UNRANKED;
  if (!left || left < least || left == count) return count;
  left = 0;
  for (int i = 0; i < count; i++)
    if (ranks[i] == RW_UNRANKED) out[left++] = options[i];
  return left;
}

/* The answer of a seat with a policy, within bounds that fit the options. Returns how many options it chose. */
static int rw_ranked(rw_game *G, int seat, int site, const int *options, int count, int least, int most, int *out) {
  const int *policy = G->policy[seat], *answer = policy + policy[site] + 1;
  int ranks[RW_OPTIONS + 1], others[RW_OPTIONS + 1], answers = policy[site] ? answer[-1] : 0, decisions = G->decisions, ranked = 0, n;
  if (most && least != count) {
    int alone = least == 1 && most == 1 && rw_of_cards[site];
    decisions += !alone || rw_unlike(G, options, count, ranks) > 1;
  }
  for (; answers && !ranked; answers--, answer += RW_ANSWER) {
    if (answer[3] > 1 && rw_below(G, answer[3])) continue;
    if (answer[0] >= 0 && rw_result(G, answer[0], seat, policy + answer[4]) <= 0) continue;
    ranked = rw_ranks(G, policy, answer[1], seat, options, count, ranks);
    if (answer[2] == RW_AVOID) {
      int left = ranked ? rw_avoid(options, count, ranks, least, others) : count;
      if (left < count) {
        options = others;
        count = left;
        most = most < left ? most : left;
      }
      ranked = 0;
      continue;
    }
    if (!ranked && answer[2]) {
      most = answer[2] == RW_NO_MORE ? least : most;
      break;
    }
  }
  if (ranked)
    n = rw_best(G, site, options, count, ranks, ranked, least, most, out);
  else
    n = rw_random(G, site, options, count, least, most, out);
  G->decisions = decisions;
  return n;
}
