// Makes compound files in code: Outlook messages, Word 97 documents.

import { CFB } from "@e965/xlsx";

export function compound(streams: Record<string, Uint8Array>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, Buffer.from(bytes));
  CFB.utils.cfb_del(file, "/\u0001Sh33tJ5");
  return Buffer.from(CFB.write(file, { type: "buffer" }) as Buffer);
}
