// 20 rounds of kill -9 during registrations and rotations. Prints what was acknowledged, what was lost (nothing), and how
// long the restarts took. Bounded: about three minutes.
import { killRounds } from "../test/kill-rounds.ts";

const { rounds, registered, rotated, wrong, restartMs } = await killRounds(Number(process.argv[2] ?? 20));
const sorted = restartMs.toSorted((a, b) => a - b);
console.table({
  rounds,
  "accounts acknowledged": registered,
  "rotations acknowledged": rotated,
  "lost or wrong": wrong.length,
  "restart, median ms": Math.round(sorted[sorted.length >> 1] ?? 0),
  "restart, slowest ms": Math.round(sorted.at(-1) ?? 0),
});
for (const each of wrong) console.log(each);
process.exitCode = wrong.length ? 1 : 0;
