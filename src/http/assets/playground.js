// The playground's form: samples, dropping a file, and the same request in curl, Node and Python.
const form = document.getElementById("playground");
const file = form.elements.file;

for (const button of form.querySelectorAll("[data-sample]"))
  button.addEventListener("click", async () => {
    const bytes = await fetch(button.dataset.sample).then((answer) => answer.blob());
    const chosen = new DataTransfer();
    chosen.items.add(new File([bytes], button.dataset.sample.split("/").pop()));
    file.files = chosen.files;
    form.elements["options[preset]"].value = button.dataset.preset;
    write();
  });

for (const kind of ["dragover", "drop"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop" && event.dataTransfer.files.length) {
      file.files = event.dataTransfer.files;
      write();
    }
  });

// Empty fields are not sent: each would be a parameter without a value.
form.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData])
    if (value === "" || (value instanceof File && !value.size && !value.name)) formData.delete(name);
});

function chosen() {
  const fields = [];
  const defaults = { "options[ocr]": "auto", "options[main_content]": "true" };
  for (const [name, value] of new FormData(form)) {
    if (name === "options[password]") fields.push([name, "…"]);
    else if (value instanceof File ? value.name : value && defaults[name] !== value)
      fields.push([name, value instanceof File ? value : String(value)]);
  }
  return fields.some(([name]) => ["file", "url", "text"].includes(name))
    ? fields
    : [["file", new File([], "document.pdf")], ...fields];
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const url = `${form.dataset.base}/api/v1/extract`;
const snippets = {
  curl: (fields) =>
    [
      `curl ${url}`,
      `-H "Authorization: Bearer $API_KEY"`,
      ...fields.map(([name, value]) =>
        value instanceof File ? `-F file=@${quote(value.name)}` : `-F ${quote(`${name}=${value}`)}`,
      ),
    ].join(" \\\n  "),
  Node: (fields) => `import { openAsBlob } from "node:fs";

const form = new FormData();
${fields.map(([name, value]) => (value instanceof File ? `form.append("file", await openAsBlob(${JSON.stringify(value.name)}), ${JSON.stringify(value.name)});` : `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`)).join("\n")}
const answer = await fetch("${url}", {
  method: "POST",
  headers: { authorization: \`Bearer \${process.env.API_KEY}\` },
  body: form,
});
console.log(await answer.json());`,
  Python: (fields) => {
    const name = fields.find(([, value]) => value instanceof File)?.[1].name;
    const rest = fields.filter(([, value]) => !(value instanceof File));
    return `import os, requests

answer = requests.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},
${name ? `    files={"file": open(${JSON.stringify(name)}, "rb")},\n` : ""}${rest.length ? `    data={${rest.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(", ")}},\n` : ""})
print(answer.json())`;
  },
};

const section = document.getElementById("snippets");
const list = section.querySelector("[role=tablist]");
let current = "curl";
for (const name of Object.keys(snippets)) {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.role = "tab";
  tab.textContent = name;
  tab.addEventListener("click", () => {
    current = name;
    write();
  });
  list.append(tab);
}

function write() {
  for (const tab of list.children) tab.ariaSelected = String(tab.textContent === current);
  section.querySelector("pre").textContent = snippets[current](chosen());
}
form.addEventListener("input", write);
section.hidden = false;
write();
