// A regular expression matcher that never backtracks, for the `pattern` of a caller's schema.
// JavaScript's own engine can take exponential time on a hostile pattern; this one takes text length × states.
// Look-around and back-references cannot be matched this way and are refused.

/** States after unrolling {m,n}; keeps the worst match of a long value well under a millisecond. */
const MAX_STATES = 2_000;
const MAX_PATTERN_CHARS = 500;
/** Groups inside groups; the parser recurses once per level. */
const MAX_NESTING = 50;

type Test = (char: string, code: number) => boolean;

type Node =
  | { type: "char"; test: Test }
  | { type: "assert"; test: (text: string[], at: number) => boolean }
  | { type: "sequence"; parts: Node[] }
  | { type: "choice"; options: Node[] }
  | { type: "repeat"; part: Node; min: number; max: number };

interface State {
  test?: Test;
  assert?: (text: string[], at: number) => boolean;
  next: number[];
}

export interface Pattern {
  source: string;
  /** Whether the pattern matches somewhere in the text, as JSON Schema defines it. */
  test(text: string): boolean;
  /** The longest match that starts earliest, as [start, end) offsets. */
  find(text: string): [number, number] | null;
}

export class PatternError extends Error {}

const isDigit: Test = (_, code) => code >= 48 && code <= 57;
const isWord: Test = (_, code) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: Test = (char) => /\s/u.test(char);
const not =
  (test: Test): Test =>
  (char, code) =>
    !test(char, code);

const classes: Record<string, Test> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };

function wordAt(text: string[], at: number): boolean {
  const char = text[at];
  return char !== undefined && isWord(char, char.codePointAt(0) ?? 0);
}

class Parser {
  private readonly chars: string[];
  private at = 0;
  private depth = 0;

  constructor(source: string) {
    this.chars = Array.from(source);
  }

  parse(): Node {
    const node = this.choice();
    if (this.at < this.chars.length) throw new PatternError("has a closing parenthesis without an opening one");
    return node;
  }

  private choice(): Node {
    if (++this.depth > MAX_NESTING) throw new PatternError("is nested too deeply");
    const options = [this.sequence()];
    while (this.take("|")) options.push(this.sequence());
    this.depth--;
    return options.length === 1 ? options[0]! : { type: "choice", options };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.chars.length && this.chars[this.at] !== "|" && this.chars[this.at] !== ")") {
      parts.push(this.quantified());
    }
    return { type: "sequence", parts };
  }

  private quantified(): Node {
    const part = this.atom();
    const range = this.quantifier();
    if (!range) return part;
    if (part.type === "assert") throw new PatternError("repeats an anchor");
    this.take("?"); // lazy or greedy: the same set of texts matches
    const next = this.chars[this.at];
    if (next === "*" || next === "+" || next === "?") throw new PatternError("has a quantifier after a quantifier");
    return { type: "repeat", part, ...range };
  }

  private quantifier(): { min: number; max: number } | null {
    if (this.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take("?")) return { min: 0, max: 1 };
    const counted = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.chars.slice(this.at, this.at + 12).join(""));
    if (!counted) return null;
    this.at += counted[0].length;
    const min = Number(counted[1]);
    const max =
      counted[2] === undefined ? min : counted[3] === undefined ? Number.POSITIVE_INFINITY : Number(counted[3]);
    if (max < min) throw new PatternError("has a range whose end is below its start");
    return { min, max };
  }

  private atom(): Node {
    const char = this.chars[this.at++]!;
    if (char === "(") return this.group();
    if (char === "[") return { type: "char", test: this.set() };
    if (char === ".")
      return { type: "char", test: (c) => c !== "\n" && c !== "\r" && c !== "\u2028" && c !== "\u2029" };
    if (char === "^") return { type: "assert", test: (_, at) => at === 0 };
    if (char === "$") return { type: "assert", test: (text, at) => at === text.length };
    if (char === "\\") return this.escape();
    if (char === "*" || char === "+" || char === "?") throw new PatternError("has a quantifier with nothing before it");
    return { type: "char", test: (c) => c === char };
  }

  private group(): Node {
    if (this.take("?")) {
      if (this.take("<")) {
        if (this.chars[this.at] === "=" || this.chars[this.at] === "!") throw new PatternError("uses look-behind");
        while (this.at < this.chars.length && !this.take(">")) this.at++;
      } else if (!this.take(":")) throw new PatternError("uses look-ahead or a group that is not supported");
    }
    const node = this.choice();
    if (!this.take(")")) throw new PatternError("has an opening parenthesis without a closing one");
    return node;
  }

  private escape(): Node {
    const char = this.chars[this.at];
    if (char === "b" || char === "B") {
      this.at++;
      return {
        type: "assert",
        test: (text, at) => (wordAt(text, at - 1) !== wordAt(text, at)) === (char === "b"),
      };
    }
    if (char !== undefined && /[1-9k]/.test(char)) throw new PatternError("uses a back-reference");
    return { type: "char", test: this.escaped().test };
  }

  /** One escaped character or class, after its backslash. */
  private escaped(): { test: Test; char?: string } {
    const char = this.chars[this.at++];
    if (char === undefined) throw new PatternError("ends in a backslash");
    const known = classes[char];
    if (known) return { test: known };
    if (char === "p" || char === "P") return { test: this.property(char === "P") };
    let literal = controls[char] ?? char;
    const hex = char === "x" ? 2 : char === "u" ? 4 : 0;
    if (hex) {
      const digits = this.chars.slice(this.at, this.at + hex).join("");
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < hex)
        throw new PatternError("has a broken character escape");
      literal = String.fromCharCode(Number.parseInt(digits, 16));
      this.at += hex;
    }
    return { test: (c) => c === literal, char: literal };
  }

  private property(negated: boolean): Test {
    const name = /^\{([A-Za-z_]+(?:=[A-Za-z_]+)?)\}/.exec(this.chars.slice(this.at, this.at + 60).join(""));
    if (!name) throw new PatternError("has a broken \\p{…}");
    this.at += name[0].length;
    let expression: RegExp;
    try {
      expression = new RegExp(`^\\${negated ? "P" : "p"}{${name[1]}}$`, "u");
    } catch {
      throw new PatternError(`does not know \\p{${name[1]}}`);
    }
    return (char) => expression.test(char);
  }

  private set(): Test {
    const negated = this.take("^");
    const tests: Test[] = [];
    for (;;) {
      if (this.at >= this.chars.length) throw new PatternError("has an opening bracket without a closing one");
      if (this.take("]")) break;
      const from = this.setMember();
      if (from.char !== undefined && this.chars[this.at] === "-" && this.chars[this.at + 1] !== "]") {
        this.at++;
        const to = this.setMember();
        if (to.char === undefined) throw new PatternError("has a range that ends in a class");
        const low = from.char.codePointAt(0) ?? 0;
        const high = to.char.codePointAt(0) ?? 0;
        if (high < low) throw new PatternError("has a range out of order");
        tests.push((_, code) => code >= low && code <= high);
      } else tests.push(from.test);
    }
    const any: Test = (char, code) => tests.some((test) => test(char, code));
    return negated ? not(any) : any;
  }

  private setMember(): { test: Test; char?: string } {
    const char = this.chars[this.at++];
    if (char === undefined) throw new PatternError("has an opening bracket without a closing one");
    if (char !== "\\") return { test: (c) => c === char, char };
    if (this.take("b")) return { test: (c) => c === "\b", char: "\b" };
    return this.escaped();
  }

  private take(char: string): boolean {
    if (this.chars[this.at] !== char) return false;
    this.at++;
    return true;
  }
}

/** Thompson's construction: each node becomes states that lead to `next`; returns its first state. */
function compile(node: Node, next: number, states: State[]): number {
  const add = (state: State): number => {
    if (states.length >= MAX_STATES) throw new PatternError("repeats too much");
    return states.push(state) - 1;
  };
  switch (node.type) {
    case "char":
      return add({ test: node.test, next: [next] });
    case "assert":
      return add({ assert: node.test, next: [next] });
    case "sequence":
      return node.parts.reduceRight((after, part) => compile(part, after, states), next);
    case "choice":
      return add({ next: node.options.map((option) => compile(option, next, states)) });
    case "repeat": {
      let start = next;
      if (node.max === Number.POSITIVE_INFINITY) {
        start = add({ next: [next] });
        states[start]!.next.unshift(compile(node.part, start, states));
      } else {
        for (let i = node.min; i < node.max; i++) start = add({ next: [compile(node.part, start, states), next] });
      }
      for (let i = 0; i < node.min; i++) start = compile(node.part, start, states);
      return start;
    }
  }
}

function follow(from: number, at: number, text: string[], states: State[], into: Set<number>): void {
  const open = [from];
  while (open.length) {
    const index = open.pop()!;
    if (into.has(index)) continue;
    into.add(index);
    const state = states[index]!;
    if (state.test) continue;
    if (state.assert && !state.assert(text, at)) continue;
    open.push(...state.next);
  }
}

export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_CHARS) throw new PatternError(`is longer than ${MAX_PATTERN_CHARS} characters`);
  const states: State[] = [{ test: () => false, next: [] }];
  const first = compile(new Parser(source).parse(), 0, states);

  /** End of the longest match that starts at `from`, or -1. `from` null: any start (only whether one exists). */
  const run = (text: string[], from: number | null): number => {
    let active = new Set<number>();
    let end = -1;
    for (let at = from ?? 0; at <= text.length; at++) {
      if (from === null || at === from) follow(first, at, text, states, active);
      if (active.has(0)) {
        end = at;
        if (from === null) return end;
      }
      const char = text[at];
      if (char === undefined || (active.size === 0 && from !== null)) break;
      const code = char.codePointAt(0) ?? 0;
      const moved = new Set<number>();
      for (const index of active) {
        const state = states[index]!;
        if (state.test?.(char, code)) follow(state.next[0]!, at + 1, text, states, moved);
      }
      active = moved;
    }
    return end;
  };

  return {
    source,
    test: (text) => run(Array.from(text), null) >= 0,
    find: (text) => {
      const chars = Array.from(text);
      if (run(chars, null) < 0) return null;
      for (let from = 0; from <= chars.length; from++) {
        const end = run(chars, from);
        if (end >= 0) {
          const start = chars.slice(0, from).join("").length;
          return [start, start + chars.slice(from, end).join("").length];
        }
      }
      return null;
    },
  };
}
