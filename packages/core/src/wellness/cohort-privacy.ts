/** Releases of four weeks that a person is counted in, in all their life with the server. */
export const MAX_RELEASES = 20;

/**
 * What the person reads: of 100 guesses, at most so many are right, where 50 are by chance. Held to the formula by a test.
 *
 * What a figure of a group may give away, for whoever knows everybody else's answers and every move.
 *
 * Each figure is a sum with Gaussian noise. Of a person, one release of four weeks moves nine sums (three measures; organisation,
 * site and team) by 2 where they are below the middle instead of above, with deviation 14; being counted at all moves them by 1 and
 * three counts by 1, with deviation 5. By Dong, Roth and Su, "Gaussian Differential Privacy" (2022), Theorem 2.7 and Corollary 3.3,
 * that is μ-GDP with μ² the sum of the squared shifts over their deviations, and no test tells two cases apart better than one
 * normal distribution from another that is shifted by μ.
 */
export const RIGHT_OF_100 = { one: 57, twelveWeeks: 63, year: 75, life: 84 } as const;
