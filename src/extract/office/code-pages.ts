// Windows code pages by number, as TextDecoder calls them.

const named: Record<number, string> = {
  866: "ibm866", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 1200: "utf-16le", 10000: "macintosh", 20127: "windows-1252",
  20866: "koi8-r", 21866: "koi8-u", 28591: "iso-8859-1", 28592: "iso-8859-2", 28595: "iso-8859-5", 28605: "iso-8859-15",
  50220: "iso-2022-jp", 51932: "euc-jp", 54936: "gb18030", 65001: "utf-8",
}; // biome-ignore format: a table

export const codePageName = (page: number): string | undefined =>
  named[page] ?? ((page >= 1250 && page <= 1258) || page === 874 ? `windows-${page}` : undefined);
