// PDFium compiled to WebAssembly: loading it, opening a document in it, and reading its C strings and numbers.
// A crash inside it is a JavaScript exception, never a fault of the process.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumModule } from "@hyzyla/pdfium";
import { Fault } from "../../errors.ts";

type Call = (...args: number[]) => number;

/** The functions of PDFium's C headers, with their underscore, and the memory they work on. */
export interface Pdfium extends Record<`_F${string}`, Call> {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
}

export interface PdfFile {
  pdfium: Pdfium;
  document: number;
  pageCount: number;
  /** 64 bytes for out-parameters. */
  scratch: number;
  close(): void;
}

const SCRATCH_BYTES = 64;
const FPDF_ERR_PASSWORD = 4;
const FPDF_ERR_SECURITY = 5;

let loading: Promise<Pdfium> | undefined;

/** What Node has of WebAssembly, as far as it is used here. */
interface Wasm {
  instantiate(
    file: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: Record<string, Call> }; module: object }>;
}

type Start = (options: {
  instantiateWasm(imports: object, done: (instance: object, module: object) => void): object;
}) => Promise<Pdfium>;

async function load(): Promise<Pdfium> {
  const file = await readFile(createRequire(import.meta.url).resolve("@hyzyla/pdfium/pdfium.wasm"));
  const { instantiate } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, Call>>();
  const module = (PDFiumModule as unknown as Start)({
    instantiateWasm(imports, done) {
      instantiate(file, imports).then(({ instance, module }) => {
        resolve(instance.exports);
        done(instance, module);
      }, reject);
      return {};
    },
  });
  const [functions, memory] = await Promise.all([promise, module]);
  // the module wraps each function in checks of its arguments, which cost more than the calls for single characters
  const pdfium: Pdfium = Object.create(memory);
  for (const [name, call] of Object.entries(functions)) if (name.startsWith("F")) pdfium[`_${name as "F"}`] = call;
  pdfium._FPDF_InitLibrary!();
  return pdfium;
}

export async function openPdf(bytes: Uint8Array, password: string | null): Promise<PdfFile> {
  loading ??= load();
  const pdfium = await loading;
  const data = pdfium._malloc(bytes.length);
  if (!data) throw new Fault("document_too_complex", { detail: "The document does not fit into the reader's memory." });
  pdfium.HEAPU8.set(bytes, data);
  const secret = password === null ? 0 : writeString(pdfium, password);
  const document = pdfium._FPDF_LoadMemDocument!(data, bytes.length, secret);
  if (secret) pdfium._free(secret);
  if (!document) {
    const error = pdfium._FPDF_GetLastError!();
    pdfium._free(data);
    if (error === FPDF_ERR_PASSWORD)
      throw new Fault("encrypted_document", {
        detail: password === null ? "The document needs a password." : "The password does not open the document.",
      });
    if (error === FPDF_ERR_SECURITY)
      throw new Fault("encrypted_document", { detail: "The document's encryption is not supported." });
    throw new Fault("corrupt_document", { detail: "The PDF could not be opened." });
  }
  const scratch = pdfium._malloc(SCRATCH_BYTES);
  return {
    pdfium,
    document,
    pageCount: pdfium._FPDF_GetPageCount!(document),
    scratch,
    close() {
      try {
        pdfium._FPDF_CloseDocument!(document);
        pdfium._free(scratch);
        pdfium._free(data);
      } catch {
        // crashed before: its memory is no longer to be trusted
        loading = undefined;
      }
    },
  };
}

export function writeString(pdfium: Pdfium, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const pointer = pdfium._malloc(bytes.length + 1);
  pdfium.HEAPU8.set(bytes, pointer);
  pdfium.HEAPU8[pointer + bytes.length] = 0;
  return pointer;
}

/** Strings longer than this are cut: names, titles and links never are, hostile ones would fill the memory. */
const MAX_STRING_BYTES = 64 * 1024;

/** Calls a PDFium function of the form f(…, buffer, length) → bytes needed, and decodes what it wrote. */
export function readString(
  pdfium: Pdfium,
  encoding: "utf16" | "utf8",
  read: (buffer: number, length: number) => number,
): string {
  const length = read(0, 0);
  const nul = encoding === "utf16" ? 2 : 1;
  if (length <= nul || length > MAX_STRING_BYTES) return "";
  const buffer = pdfium._malloc(length);
  read(buffer, length);
  const bytes = Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + length - nul));
  pdfium._free(buffer);
  return bytes.toString(encoding === "utf16" ? "utf16le" : "utf8").replace(/\0+$/, "");
}
