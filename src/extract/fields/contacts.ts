// E-mail addresses, web addresses, telephone numbers, and the codes that carry a check: IBAN, BIC, VAT.

export interface Found {
  start: number;
  end: number;
  value: string;
  quality: number;
}

function all(
  text: string,
  expression: RegExp,
  read: (match: RegExpExecArray) => { value: string; quality: number } | null,
): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(expression)) {
    const value = read(match as RegExpExecArray);
    if (value) found.push({ start: match.index, end: match.index + match[0].length, ...value });
  }
  return found;
}

export const findEmails = (text: string): Found[] =>
  all(text, /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,24}/gu, (m) => ({
    value: m[0].toLowerCase() === m[0] ? m[0] : m[0],
    quality: 1,
  }));

export const findUrls = (text: string): Found[] =>
  all(
    text,
    /(?:https?:\/\/|www\.)[^\s<>"'()\][{}]{3,2000}[^\s<>"'()\][{}.,;:!?]|(?<![@\p{L}\p{N}.-])(?:[a-z0-9-]{2,40}\.){1,3}(?:com|org|net|io|dev|eu|de|fr|it|es|nl|uk|my|sg)(?:\/[^\s<>"'()]{0,200})?(?![\p{L}\p{N}@])/giu,
    (m) => ({
      value: m[0],
      quality: m[0].startsWith("http") ? 1 : 0.8,
    }),
  );

/** Digits of a telephone number, country code included; E.164 allows 15. */
const PHONE_DIGITS = { min: 7, max: 15 };

export const findPhones = (text: string): Found[] =>
  all(
    text,
    /(?<![\p{L}\p{N}.,/-])(?:\+ ?)?\(?\d{1,15}\)?(?:(?:[ ./–-]{1,3}|(?<=\)))\(?\d{1,8}\)?){0,6}(?![\p{L}\p{N}]|[.,/]\d)/gu,
    (m) => {
      const digits = m[0].replace(/\D/g, "").length;
      if (digits < PHONE_DIGITS.min || digits > PHONE_DIGITS.max) return null;
      if (/\d[.,]\d\d(?:\s|$)/.test(m[0]) || /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(m[0])) return null;
      const plus = /^(\+|00)/.test(m[0]);
      const parted = /[ ()/–-]/.test(m[0].trim());
      return { value: m[0].trim(), quality: plus ? 1 : parted && /^\(?0/.test(m[0]) ? 0.8 : parted ? 0.6 : 0.3 };
    },
  );

/** ISO 7064 mod 97 over letters as 10 to 35. */
function mod97(text: string): number {
  let rest = 0;
  for (const char of text) {
    const digits = /\d/.test(char) ? char : String(char.charCodeAt(0) - 55);
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest;
}

export function isIban(text: string): boolean {
  const flat = text.replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(flat) && mod97(flat.slice(4) + flat.slice(0, 4)) === 1;
}

export const findIbans = (text: string): Found[] => {
  const found: Found[] = [];
  for (const match of text.matchAll(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/gi)) {
    // What follows may be glued on by a space: drop words from the end until the check digits hold.
    let end = match[0].length;
    while (end > 14 && !isIban(match[0].slice(0, end))) {
      const space = match[0].lastIndexOf(" ", end - 1);
      end = space > 0 ? space : 0;
    }
    if (end <= 14) continue;
    const raw = match[0].slice(0, end);
    found.push({
      start: match.index,
      end: match.index + end,
      value: raw.replace(/[\s-]/g, "").toUpperCase(),
      quality: 1,
    });
  }
  return found;
};

export const findBics = (text: string): Found[] =>
  all(text, /(?<![A-Z0-9])[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Z0-9])/g, (m) => ({
    value: m[0],
    quality: /\d/.test(m[0]) || m[0].endsWith("XXX") ? 0.8 : 0.5,
  }));

/** VAT numbers of the European form: country, then its own shape. */
const vatShapes: Record<string, RegExp> = {
  AT: /^U\d{8}$/, BE: /^[01]?\d{9}$/, BG: /^\d{9,10}$/, CHE: /^\d{9}(MWST|TVA|IVA)?$/, CY: /^\d{8}[A-Z]$/, CZ: /^\d{8,10}$/, DE: /^\d{9}$/, DK: /^\d{8}$/, EE: /^\d{9}$/,
  EL: /^\d{9}$/, ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/, FI: /^\d{8}$/, FR: /^[A-Z0-9]{2}\d{9}$/, GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/, HR: /^\d{11}$/, HU: /^\d{8}$/, IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/, LT: /^(\d{9}|\d{12})$/, LU: /^\d{8}$/, LV: /^\d{11}$/, MT: /^\d{8}$/, NL: /^\d{9}B\d{2}$/, PL: /^\d{10}$/, PT: /^\d{9}$/, RO: /^\d{2,10}$/, SE: /^\d{10}01$/, SI: /^\d{8}$/, SK: /^\d{10}$/, NO: /^\d{9}(MVA)?$/,
}; // biome-ignore format: a table

type Check = (body: string) => boolean;
const digitsOf = (body: string): number[] => [...body].filter((char) => /\d/.test(char)).map(Number);
const weighted = (digits: number[], weights: number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);

/** Check digits, for the countries whose rule is public and simple. */
const vatChecks: Record<string, Check> = {
  DE: (body) => {
    let product = 10;
    for (const digit of digitsOf(body).slice(0, 8)) {
      const sum = (digit + product) % 10 || 10;
      product = (2 * sum) % 11;
    }
    return (11 - product) % 10 === digitsOf(body)[8];
  },
  BE: (body) => 97 - (Number(body.slice(0, -2)) % 97) === Number(body.slice(-2)),
  PL: (body) => weighted(digitsOf(body), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digitsOf(body)[9],
  IT: (body) => {
    const sum = digitsOf(body).reduce(
      (total, digit, i) => total + (i % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2),
      0,
    );
    return sum % 10 === 0;
  },
  DK: (body) => weighted(digitsOf(body), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  FI: (body) => (11 - (weighted(digitsOf(body), [7, 9, 10, 5, 8, 4, 2]) % 11)) % 11 === digitsOf(body)[7],
  PT: (body) => Math.max(0, 11 - (weighted(digitsOf(body), [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === digitsOf(body)[8],
};

/** null: not of the form; false: of the form but its check digits are wrong. */
export function checkVat(text: string): boolean | null {
  const flat = text.replace(/[\s.-]/g, "").toUpperCase();
  const country = flat.startsWith("CHE") ? "CHE" : flat.slice(0, 2);
  const body = flat.slice(country.length);
  if (!Object.hasOwn(vatShapes, country) || !vatShapes[country]!.test(body)) return null;
  return vatChecks[country]?.(body) ?? true;
}

export const findVats = (text: string): Found[] =>
  all(
    text,
    /(?<![A-Z0-9])(?:AT ?U|CHE[- ]?|[A-Z]{2} ?)[A-Z0-9]{0,2}(?:[ .-]?\d){6,12}(?: ?B ?\d{2}| ?[A-Z]{1,4})?(?![A-Z0-9])/gi,
    (m) => {
      for (let raw = m[0]; raw.length > 7; raw = raw.slice(0, Math.max(0, raw.trimEnd().lastIndexOf(" ")))) {
        const valid = checkVat(raw);
        if (valid !== null && raw.length === m[0].length)
          return { value: raw.replace(/\s/g, ""), quality: valid ? 1 : 0.4 };
        if (!raw.includes(" ")) break;
      }
      return null;
    },
  );
