/** Writes one event. Fields are numbers and names; addresses, of pages and of clients, never come here. */
export type Log = (
  event: string,
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** One JSON object a line. */
export function createLog(write: (line: string) => void, now: () => number = Date.now): Log {
  return (event, fields) => write(JSON.stringify({ at: new Date(now()).toISOString(), event, ...fields }));
}

export const SILENT: Log = () => {};
