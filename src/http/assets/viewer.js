// Builds the view of an extraction from its JSON: pages with boxes, and beside them fields, content, tables and the JSON.
// Whatever lights up on one side lights up on the other: both carry the same data-ref.
const viewer = document.getElementById("viewer");
const base = `/dashboard/extractions/${viewer.dataset.id}`;
const SVG = "http://www.w3.org/2000/svg";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const result = await fetch(`${base}/result.json`).then((answer) => answer.json());
const { document: content, data, evidence } = result;
const found = Object.entries(evidence ?? {}).filter(([, each]) => each.bbox || each.element);

drawPages();
drawTabs();
linkHovers();

function drawPages() {
  const place = viewer.querySelector(".pages");
  if (viewer.dataset.visible !== "true") {
    place.append(drawContent());
    return;
  }
  for (const page of content.pages ?? []) {
    const picture = make("img", {
      src: `${base}/pages/${page.number}${page.unit === "px" ? `?rotation=${page.rotation}` : ""}`,
      alt: `Page ${page.number}`,
      loading: "lazy",
      width: page.width,
      height: page.height,
    });
    picture.addEventListener(
      "error",
      () => picture.replaceWith(make("p", { class: "faint" }, `Page ${page.number} cannot be shown.`)),
      { once: true },
    );
    place.append(
      make(
        "figure",
        { class: "page" },
        picture,
        drawBoxes(page),
        make(
          "figcaption",
          { class: "faint" },
          `${page.number} of ${content.page_count}${page.ocr ? ", read by OCR" : ""}`,
        ),
      ),
    );
  }
}

function drawBoxes(page) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
  svg.setAttribute("aria-hidden", "true");
  const box = (bbox, kind, ref, title) => {
    if (!bbox) return;
    const [x0, y0, x1, y1] = bbox;
    const rect = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({
      x: x0,
      y: y0,
      width: Math.max(0.5, x1 - x0),
      height: Math.max(0.5, y1 - y0),
      class: kind,
      "data-ref": ref,
    }))
      rect.setAttribute(name, value);
    const label = document.createElementNS(SVG, "title");
    label.textContent = title;
    rect.append(label);
    svg.append(rect);
  };
  for (const element of content.elements ?? [])
    if (element.page === page.number) box(element.bbox, `element ${element.type}`, element.id, element.type);
  for (const table of content.tables ?? [])
    if (table.page === page.number)
      for (const cell of table.cells) box(cell.bbox, "cell", `${table.id}.${cell.row}.${cell.column}`, cell.text);
  for (const [pointer, each] of found)
    if (each.page === page.number) box(each.bbox, "field", pointer, `${pointer}: ${each.text}`);
  return svg;
}

function drawTabs() {
  const views = {
    Fields: data === null || data === undefined ? null : drawFields,
    Content: drawContent,
    Tables: content.tables?.length ? drawTables : null,
    Markdown: content.markdown === undefined ? null : () => drawText(content.markdown, "markdown"),
    JSON: () => drawText(JSON.stringify(result, null, 2), "json"),
  };
  const list = viewer.querySelector("[role=tablist]");
  const panel = viewer.querySelector("[role=tabpanel]");
  const show = (tab, draw) => {
    for (const each of list.children) each.setAttribute("aria-selected", String(each === tab));
    panel.replaceChildren(draw());
  };
  for (const [name, draw] of Object.entries(views)) {
    if (!draw) continue;
    const tab = make("button", { type: "button", role: "tab", "aria-selected": "false" }, name);
    tab.addEventListener("click", () => show(tab, draw));
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...list.children];
    if (step) tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length).focus();
  });
  list.firstElementChild.click();
}

function drawFields() {
  const rows = Object.entries(evidence ?? {}).map(([pointer, each]) =>
    make(
      "tr",
      { "data-ref": pointer, class: each.state, tabindex: "0" },
      make("th", { scope: "row" }, pointer.slice(1)),
      make("td", {}, valueAt(pointer)),
      make("td", { class: "number" }, each.state === "missing" ? "" : `${Math.round(each.confidence * 100)} %`),
      make("td", {}, each.state === "found" ? (each.page ? `page ${each.page}` : (each.element ?? "")) : each.state),
    ),
  );
  const header = make(
    "tr",
    {},
    ...["Field", "Value", "Sure", "Where"].map((name) => make("th", { scope: "col" }, name)),
  );
  return make("table", { class: "fields" }, make("thead", {}, header), make("tbody", {}, ...rows));
}

function valueAt(pointer) {
  let value = data;
  for (const step of pointer.split("/").slice(1)) value = value?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  if (value === null || value === undefined) return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function drawContent() {
  const tags = { title: "h2", heading: "h3", code: "pre", list_item: "p", caption: "p" };
  const blocks = (content.elements ?? []).map((element) => {
    if (element.type === "table") {
      const table = content.tables?.find((each) => each.id === element.table);
      return table ? make("div", { class: "scroll", "data-ref": element.id }, drawTable(table)) : null;
    }
    const text = element.type === "list_item" ? `${element.marker ?? "•"} ${element.text}` : element.text;
    return make(
      tags[element.type] ?? "p",
      { class: `block ${element.type}`, "data-ref": element.id },
      text || `[${element.type}]`,
    );
  });
  return make("div", { class: "content" }, ...blocks.filter(Boolean));
}

function drawTables() {
  return make(
    "div",
    {},
    ...content.tables.map((table) =>
      make(
        "section",
        { class: "scroll" },
        make("p", { class: "faint" }, `${table.id}, page ${table.page}: ${table.rows} rows, ${table.columns} columns`),
        drawTable(table),
      ),
    ),
  );
}

function drawTable(table) {
  const rows = Array.from({ length: table.rows }, () => make("tr"));
  for (const cell of table.cells)
    rows[cell.row]?.append(
      make(
        cell.header ? "th" : "td",
        {
          rowspan: cell.row_span > 1 && cell.row_span,
          colspan: cell.column_span > 1 && cell.column_span,
          "data-ref": `${table.id}.${cell.row}.${cell.column}`,
        },
        cell.text,
      ),
    );
  return make("table", { class: "grid" }, make("tbody", {}, ...rows));
}

function drawText(text, name) {
  const button = make("button", { type: "button", class: "quiet" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  });
  return make("div", {}, button, make("pre", { class: name }, text));
}

/** All that stand at one place light up together; a field also lights up its element, where the document has no boxes. */
function linkHovers() {
  const refsOf = (event) => {
    const here = event.target.closest?.("[data-ref]");
    if (!here) return [];
    const stacked = here instanceof SVGElement ? document.elementsFromPoint(event.clientX, event.clientY) : [here];
    const refs = stacked.map((each) => each.dataset?.ref).filter(Boolean);
    return refs.flatMap((ref) =>
      evidence?.[ref] && !evidence[ref].bbox && evidence[ref].element ? [ref, evidence[ref].element] : [ref],
    );
  };
  const light = (event) => {
    for (const lit of viewer.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (event.type === "mouseleave") return;
    for (const ref of refsOf(event))
      for (const match of viewer.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)) match.classList.add("lit");
  };
  for (const kind of ["mouseover", "focusin", "mouseleave"]) viewer.addEventListener(kind, light);
  viewer.addEventListener("click", (event) => {
    const ref = event.target.closest?.("tr[data-ref], .panel [data-ref]")?.dataset.ref;
    const box = ref && viewer.querySelector(`.pages [data-ref="${CSS.escape(ref)}"]`);
    box?.scrollIntoView({ block: "center", behavior: "smooth" });
  });
}
