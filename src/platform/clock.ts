// Time is handed in, so that tests can move it instead of waiting for it.

export interface Clock {
  now(): Date;
  /** Time for statements that compare across machines: null leaves it to the database, whose clock all of them share. */
  inDatabase(): Date | null;
}

export const systemClock: Clock = { now: () => new Date(), inDatabase: () => null };
