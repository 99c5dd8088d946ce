// Addresses in a page, made absolute.

// A longer address is a data URL or a trap, not something to follow.
const MAX_URL_CHARS = 4096;

export function resolveUrl(address: string | null, baseUrl: string | null): string | null {
  const trimmed = address?.trim() ?? "";
  if (
    trimmed === "" ||
    trimmed.startsWith("#") ||
    trimmed.length > MAX_URL_CHARS ||
    /^(javascript|data|blob|about):/i.test(trimmed)
  )
    return null;
  try {
    const { href, hash } = new URL(trimmed, baseUrl ?? undefined);
    // A place on this page is not another page.
    if (hash && baseUrl && href.slice(0, -hash.length) === baseUrl.replace(/#.*$/, "")) return null;
    return href;
  } catch {
    return baseUrl ? null : trimmed;
  }
}
