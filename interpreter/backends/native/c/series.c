/* Only for a series: begins its next game, with the cells `rw_next` in the ranges `rw_again`. All others stay as
   they are. */
static void rw_restart(rw_game *G) {
  for (int i = 0; i < RW_AGAIN; i++) rw_copy(S + rw_again[i][0], rw_next + rw_again[i][0], rw_again[i][1]);
}
