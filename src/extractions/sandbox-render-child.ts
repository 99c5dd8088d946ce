// The program of a sandbox child that makes pictures of pages. What it shows is as hostile as what is read.
import { readFile } from "node:fs/promises";
import { Fault } from "../errors.ts";
import { serve, type Work } from "./sandbox-serve.ts";

await serve(async (): Promise<Work> => {
  const { renderPage } = await import("../extract/render.ts");

  return async ({ path, name, contentType, options, render }) => {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new Fault("gone") : error;
    });
    const json = await renderPage({ bytes, name, contentType, password: options.password, ...render! });
    return { json, kind: "webp", mimeType: "image/webp", pages: 1, warnings: [] };
  };
});
