// The markers that a browser draws in front of the items of an ordered list.

export function orderedMarker(number: number, type: string | null): string {
  if ((type === "a" || type === "A") && number >= 1 && number <= 26) {
    const letter = String.fromCharCode(96 + number);
    return `${type === "A" ? letter.toUpperCase() : letter}.`;
  }
  if ((type === "i" || type === "I") && number >= 1 && number < 4000) {
    const roman = romanNumber(number);
    return `${type === "I" ? roman : roman.toLowerCase()}.`;
  }
  return `${number}.`;
}

const romanSigns: [number, string][] = [
  [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"], [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
]; // biome-ignore format: a table

function romanNumber(number: number): string {
  let rest = number;
  let roman = "";
  for (const [value, sign] of romanSigns)
    while (rest >= value) {
      roman += sign;
      rest -= value;
    }
  return roman;
}
