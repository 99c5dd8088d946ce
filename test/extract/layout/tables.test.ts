import { describe, expect, it } from "vitest";
import { blocksOf, LOREM, outline, Paper, tableOf } from "./paper.ts";

/** Cells of a grid of rules, given row by row; null leaves a place empty. */
function ruled(paper: Paper, xs: number[], top: number, rows: (string | null)[][], rowHeight = 20): void {
  const ys = Array.from({ length: rows.length + 1 }, (_, i) => top + i * rowHeight);
  paper.grid(xs, ys);
  for (const [r, row] of rows.entries())
    for (const [c, text] of row.entries()) if (text) paper.text(xs[c]! + 4, ys[r]! + 14, text);
}

describe("ruled tables", () => {
  it("have a cell for each place of the grid, with boxes of cells and words", () => {
    const paper = new Paper();
    ruled(paper, [100, 200, 300], 100, [
      ["Ship", "Hour"],
      ["Heron", "7 am"],
    ]);
    const table = blocksOf(paper)[0]?.table;
    expect(tableOf(paper)).toEqual([
      ["Ship", "Hour"],
      ["Heron", "7 am"],
    ]);
    const cell = table?.cells[3];
    expect(cell?.bbox).toEqual([200, 120, 300, 140]);
    expect(cell?.words?.map(({ start, end }) => cell.text.slice(start, end))).toEqual(["7", "am"]);
    expect(table?.cells.map(({ header }) => header)).toEqual([true, true, false, false]);
  });

  it("merge places without a rule between them", () => {
    const paper = new Paper();
    for (const y of [100, 140, 160]) paper.rule(100, y, 400, y);
    paper.rule(200, 120, 400, 120);
    for (const x of [100, 200, 400]) paper.rule(x, 100, x, 160);
    paper.rule(300, 120, 300, 160);
    paper.text(104, 124, "Ship");
    paper.text(250, 114, "Hours");
    paper.text(204, 134, "day");
    paper.text(304, 134, "night");
    paper.text(104, 154, "Heron");
    paper.text(204, 154, "7");
    paper.text(304, 154, "19");
    expect(tableOf(paper)).toEqual([
      ["Ship", "Hours", "↖"],
      ["↖", "day", "night"],
      ["Heron", "7", "19"],
    ]);
  });

  it("keep several lines of one cell together", () => {
    const paper = new Paper();
    paper.grid([100, 200, 300], [100, 140, 160]);
    paper.text(104, 114, "Name of the ship");
    paper.text(104, 128, "and of its owner");
    paper.text(204, 114, "Hour");
    paper.text(104, 154, "Heron");
    paper.text(204, 154, "7");
    expect(tableOf(paper)[0]).toEqual(["Name of the ship and of its owner", "Hour"]);
  });

  it("divide rows that are not ruled by the lines of their figures", () => {
    const paper = new Paper();
    paper.grid([100, 220, 320], [100, 120, 180]);
    paper.text(104, 114, "Ship");
    paper.text(224, 114, "Tons");
    for (const [i, [ship, tons]] of [
      ["Heron", "120"],
      ["Tern", "95"],
      ["Gull", "210"],
    ].entries()) {
      paper.text(104, 134 + i * 15, ship!);
      paper.text(224, 134 + i * 15, tons!);
    }
    expect(tableOf(paper)).toEqual([
      ["Ship", "Tons"],
      ["Heron", "120"],
      ["Tern", "95"],
      ["Gull", "210"],
    ]);
  });

  it("divide columns that are not ruled by their gaps", () => {
    const paper = new Paper();
    for (let i = 0; i < 5; i++) paper.rule(100, 100 + i * 20, 400, 100 + i * 20);
    paper.rule(100, 100, 100, 180);
    paper.rule(400, 100, 400, 180);
    for (const [i, row] of [
      ["Ship", "Tons", "Crew"],
      ["Heron", "120", "8"],
      ["Tern", "95", "5"],
      ["Gull", "210", "12"],
    ].entries())
      for (const [c, text] of row.entries()) paper.text(104 + c * 100, 114 + i * 20, text);
    expect(tableOf(paper)[3]).toEqual(["Gull", "210", "12"]);
  });

  it("on two pages are one, without the head that repeats", () => {
    const [first, second] = [new Paper(1), new Paper(2)];
    ruled(first, [100, 200, 300], 700, [
      ["Ship", "Hour"],
      ["Heron", "7"],
    ]);
    ruled(second, [100, 200, 300], 60, [
      ["Ship", "Hour"],
      ["Tern", "9"],
    ]);
    expect(tableOf(first, second)).toEqual([
      ["Ship", "Hour"],
      ["Heron", "7"],
      ["Tern", "9"],
    ]);
  });

  it("are two when text stands between them", () => {
    const paper = new Paper();
    ruled(paper, [100, 200, 300], 100, [
      ["Ship", "Hour"],
      ["Heron", "7"],
    ]);
    paper.flow(100, 170, 300, LOREM);
    ruled(paper, [100, 200, 300], 300, [
      ["Light", "Oil"],
      ["Cape", "3"],
    ]);
    expect(outline(paper).map(([type]) => type)).toEqual(["table", "paragraph", "table"]);
  });

  it("take the caption beside them", () => {
    const paper = new Paper();
    paper.text(100, 90, "Table 2: Ships of the day");
    ruled(paper, [100, 200, 300], 100, [
      ["Ship", "Hour"],
      ["Heron", "7"],
    ]);
    expect(blocksOf(paper)[1]?.table?.caption).toBe("Table 2: Ships of the day");
  });
});

describe("tables without a grid", () => {
  const ships = [
    ["Ship", "Tons", "Crew", "Hour"],
    ["Heron", "120", "8", "7.10"],
    ["Tern", "95", "5", "7.45"],
    ["Gull", "210", "12", "9.00"],
    ["Plover", "60", "3", "9.30"],
  ];

  it("are found by their columns", () => {
    const paper = new Paper();
    paper.flow(50, 60, 450, LOREM);
    for (const [r, row] of ships.entries())
      for (const [c, text] of row.entries()) paper.text(60 + c * 110, 160 + r * 14, text);
    paper.flow(50, 280, 450, LOREM);
    expect(outline(paper).map(([type]) => type)).toEqual(["paragraph", "table", "paragraph"]);
    expect(tableOf(paper)).toEqual(ships);
  });

  it("are found between rules over and under the head and at the foot", () => {
    const paper = new Paper();
    for (const y of [100, 120, 180]) paper.rule(100, y, 400, y);
    for (const [i, row] of [
      ["Ship", "Tons"],
      ["Heron", "120"],
      ["Tern", "95"],
      ["Gull", "210"],
    ].entries()) {
      const y = i === 0 ? 114 : 119 + i * 15;
      paper.text(104, y, row[0]!);
      paper.text(300, y, row[1]!);
    }
    expect(tableOf(paper)).toEqual([
      ["Ship", "Tons"],
      ["Heron", "120"],
      ["Tern", "95"],
      ["Gull", "210"],
    ]);
  });

  it("are found by shaded stripes", () => {
    const paper = new Paper();
    for (const [r, row] of ships.entries()) {
      if (r % 2 === 1) paper.shade(50, 150 + r * 20, 500, 170 + r * 20);
      for (const [c, text] of row.entries()) paper.text(60 + c * 110, 164 + r * 20, text);
    }
    expect(tableOf(paper)).toEqual(ships);
  });
});

describe("what is no table", () => {
  it.each([
    [
      "two columns of prose",
      (paper: Paper) => {
        paper.flow(50, 100, 220, `${LOREM} ${LOREM}`);
        paper.flow(310, 100, 220, `${LOREM} ${LOREM}`);
      },
    ],
    [
      "a list with its markers set apart",
      (paper: Paper) => {
        for (const [i, text] of ["bring the oil", "light the lamp", "write the log", "sleep"].entries()) {
          paper.text(50, 100 + i * 14, `${i + 1}.`);
          paper.text(80, 100 + i * 14, text);
        }
      },
    ],
    [
      "a table of contents",
      (paper: Paper) => {
        for (const [i, text] of ["Lamp", "Wick", "Horn", "Boat"].entries()) {
          paper.text(50, 100 + i * 14, `${text} ${". ".repeat(30)}.`);
          paper.text(480, 100 + i * 14, String(3 + i * 4));
        }
      },
    ],
    [
      "a box around a paragraph",
      (paper: Paper) => {
        paper.grid([40, 500], [80, 200]);
        paper.flow(50, 100, 440, LOREM);
      },
    ],
    [
      "underlined words",
      (paper: Paper) => {
        for (const y of [100, 114, 128]) {
          const end = paper.text(50, y, "the harbour office");
          paper.rule(50, y + 1, end, y + 1);
        }
      },
    ],
    [
      "lines drawn behind text",
      (paper: Paper) => {
        paper.grid([40, 133, 217, 305, 500], [85, 97, 113, 131, 200]);
        paper.flow(50, 100, 440, LOREM);
      },
    ],
  ])("%s", (_, draw) => {
    const paper = new Paper();
    draw(paper);
    expect(outline(paper).map(([type]) => type)).not.toContain("table");
  });
});
