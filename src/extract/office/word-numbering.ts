// The lists of a DOCX: numbering.xml, and counters that run along while the paragraphs are read in order.

import { plainBullet, writeNumber } from "./number-words.ts";
import { child, childrenNamed, type XmlNode } from "./xml.ts";

export interface ListLevel {
  format: string;
  /** "%1.%2." */
  text: string;
  start: number;
  /** Restarts after a level below this one was used; 0 never. undefined: after any higher one. */
  restart: number | undefined;
  /** All numbers in digits, whatever the levels above use. */
  legal: boolean;
  styleId: string | undefined;
}

interface Definition {
  id: string;
  levels: Map<number, ListLevel>;
}

interface NamedDefinition extends Definition {
  styleLink: string | undefined;
  numStyleLink: string | undefined;
}

export interface List {
  abstract: Definition;
  overrides: Map<number, { start?: number; level?: ListLevel }>;
}

export interface Numbering {
  /** The marker of the next paragraph of this list and level; null where there is no such list. */
  next(numId: string, ilvl: number): { marker: string; ordered: boolean } | null;
  /** The level whose style this is: a style may name its list without a level. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

const LEVELS = 9;
/** Counters past this are garbage. */
const MAX_COUNT = 1_000_000;

const value = (node: XmlNode | undefined, name: string) => child(node, name)?.attrs["w:val"];

function readLevel(node: XmlNode): ListLevel {
  const restart = value(node, "w:lvlRestart");
  const legal = child(node, "w:isLgl");
  return {
    format: value(node, "w:numFmt") ?? "decimal",
    text: value(node, "w:lvlText") ?? "",
    start: Number(value(node, "w:start") ?? 0) || 0,
    restart: restart === undefined ? undefined : Number(restart),
    legal: legal !== undefined && legal.attrs["w:val"] !== "0",
    styleId: value(node, "w:pStyle"),
  };
}

function readLevels(node: XmlNode): Map<number, ListLevel> {
  return new Map(childrenNamed(node, "w:lvl").map((lvl) => [Number(lvl.attrs["w:ilvl"]), readLevel(lvl)]));
}

function readLists(root: XmlNode | undefined): Map<string, List> {
  const abstracts = new Map<string, NamedDefinition>();
  for (const node of childrenNamed(root, "w:abstractNum")) {
    const id = node.attrs["w:abstractNumId"] ?? "";
    abstracts.set(id, {
      id,
      levels: readLevels(node),
      styleLink: value(node, "w:styleLink"),
      numStyleLink: value(node, "w:numStyleLink"),
    });
  }
  // A list that only points to a list style takes the levels from the list that defines the style.
  const defining = new Map([...abstracts.values()].filter((a) => a.styleLink).map((a) => [a.styleLink, a]));
  const lists = new Map<string, List>();
  for (const node of childrenNamed(root, "w:num")) {
    const named = abstracts.get(value(node, "w:abstractNumId") ?? "");
    const abstract = named?.numStyleLink ? (defining.get(named.numStyleLink) ?? named) : named;
    if (!abstract) continue;
    const overrides: List["overrides"] = new Map();
    for (const override of childrenNamed(node, "w:lvlOverride")) {
      const start = value(override, "w:startOverride");
      const lvl = child(override, "w:lvl");
      overrides.set(Number(override.attrs["w:ilvl"]), {
        start: start === undefined ? undefined : Number(start) || 0,
        level: lvl && readLevel(lvl),
      });
    }
    lists.set(node.attrs["w:numId"] ?? "", { abstract, overrides });
  }
  return lists;
}

const levelOf = (list: List, ilvl: number) => list.overrides.get(ilvl)?.level ?? list.abstract.levels.get(ilvl);

/** A level is counted anew when a higher one moved on, unless it says otherwise. */
function restartLower(counters: (number | undefined)[], list: List, ilvl: number): void {
  for (let lower = ilvl + 1; lower < LEVELS; lower++) {
    const restart = levelOf(list, lower)?.restart;
    if (restart === 0 || (restart !== undefined && ilvl >= restart)) continue;
    counters[lower] = undefined;
  }
}

function write(list: List, counters: (number | undefined)[], level: ListLevel): string {
  return level.text
    .replace(/%([1-9])/g, (_, digit) => {
      const at = Number(digit) - 1;
      const other = levelOf(list, at);
      const count = counters[at] ?? other?.start ?? 1;
      return writeNumber(count, level.legal && other?.format !== "none" ? "decimal" : (other?.format ?? "decimal"));
    })
    .trim();
}

export const readNumberingPart = (root: XmlNode | undefined): Numbering => countLists(readLists(root));

export function countLists(lists: Map<string, List>): Numbering {
  // Lists with the same definition count on together, each override restarts once.
  const countersOf = new Map<string, (number | undefined)[]>();
  const restarted = new Set<string>();
  return {
    next(numId, wanted) {
      const list = lists.get(numId);
      const ilvl = Math.min(Math.max(0, wanted), LEVELS - 1);
      const level = list && levelOf(list, ilvl);
      if (!list || !level) return null;
      if (level.format === "bullet") return { marker: plainBullet(level.text), ordered: false };
      const counters = countersOf.get(list.abstract.id) ?? new Array<number | undefined>(LEVELS);
      countersOf.set(list.abstract.id, counters);
      const override = list.overrides.get(ilvl)?.start;
      const once = `${numId}/${ilvl}`;
      if (override !== undefined && !restarted.has(once)) {
        restarted.add(once);
        counters[ilvl] = override;
      } else {
        const before = counters[ilvl];
        counters[ilvl] = before === undefined ? level.start : Math.min(before + 1, MAX_COUNT);
      }
      restartLower(counters, list, ilvl);
      return { marker: write(list, counters, level), ordered: true };
    },
    levelOfStyle(numId, styleId) {
      const list = lists.get(numId);
      if (!list) return undefined;
      for (let ilvl = 0; ilvl < LEVELS; ilvl++) if (levelOf(list, ilvl)?.styleId === styleId) return ilvl;
      return undefined;
    },
  };
}
