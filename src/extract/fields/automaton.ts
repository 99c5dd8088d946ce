// Finds all of many phrases in a text in one pass (Aho–Corasick), so that time does not grow with the number of labels.

interface Node {
  next: Map<number, Node>;
  fail: Node | null;
  /** Phrases that end here, longest first through the chain of `fail`. */
  ends: number[];
  /** Nearest node down the `fail` chain with phrases of its own. */
  hop: Node | null;
}

export interface Match {
  phrase: number;
  start: number;
  end: number;
}

export interface Automaton {
  find(text: string): Match[];
}

/** A text of one repeated letter against many phrases could match at every place; labels are short and few per line. */
const MAX_MATCHES = 2_000;

const node = (): Node => ({ next: new Map(), fail: null, ends: [], hop: null });

export function buildAutomaton(phrases: string[]): Automaton {
  const root = node();
  phrases.forEach((phrase, index) => {
    if (!phrase) return;
    let at = root;
    for (let i = 0; i < phrase.length; i++) {
      const code = phrase.charCodeAt(i);
      let next = at.next.get(code);
      if (!next) {
        next = node();
        at.next.set(code, next);
      }
      at = next;
    }
    at.ends.push(index);
  });
  const queue: Node[] = [];
  for (const child of root.next.values()) {
    child.fail = root;
    queue.push(child);
  }
  for (let i = 0; i < queue.length; i++) {
    const parent = queue[i]!;
    for (const [code, child] of parent.next) {
      let back = parent.fail;
      while (back && !back.next.has(code)) back = back.fail;
      child.fail = back?.next.get(code) ?? root;
      child.hop = child.fail.ends.length ? child.fail : child.fail.hop;
      queue.push(child);
    }
  }
  return { find: (text) => search(root, phrases, text) };
}

function search(root: Node, phrases: string[], text: string): Match[] {
  const matches: Match[] = [];
  let at = root;
  for (let i = 0; i < text.length && matches.length < MAX_MATCHES; i++) {
    const code = text.charCodeAt(i);
    while (at !== root && !at.next.has(code)) at = at.fail ?? root;
    at = at.next.get(code) ?? root;
    for (let hit: Node | null = at.ends.length ? at : at.hop; hit; hit = hit.hop) {
      for (const phrase of hit.ends) matches.push({ phrase, start: i + 1 - phrases[phrase]!.length, end: i + 1 });
    }
  }
  return matches;
}
