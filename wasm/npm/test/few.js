// This file says how many of their inputs the tests take: with TAMP_SHORT=yes (`make test`) some take a part of them, as
// the Go tests do with -short; `make test-all` takes all.

/** Whether tests take a part of their inputs. */
export const few = process.env.TAMP_SHORT === "yes";

/** The options of a test that runs with all inputs only: a variant of one that always runs, or a long one. */
export const later = few ? { skip: "in make test-all" } : {};

/**
 * The list, or one of n elements of it if tests take few.
 * @template T
 * @param {readonly T[]} list
 * @param {number} n
 * @param {number} [from] index of the first, so that lists that belong together can take others
 */
export const some = (list, n, from = 0) => (few ? list.filter((_, i) => i % n === from % n) : [...list]);
