/**
 * Whether two values of JSON say the same: fields in any order, a field that is `undefined` being absent. The browser's
 * storage gives fields back in the order of their names, so their texts cannot be compared.
 */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((each, index) => same(each, b[index]));
  }
  const [fieldsA, fieldsB] = [fieldsOf(a), fieldsOf(b)];
  return (
    fieldsA.size === fieldsB.size && [...fieldsA].every(([name, value]) => same(value, fieldsB.get(name)))
  );
}

const fieldsOf = (value: object) =>
  new Map(Object.entries(value).filter(([, field]: [string, unknown]) => field !== undefined));
