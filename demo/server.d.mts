export interface LogEntry {
  /** ms since the epoch, when the request came. */
  at: number;
  method: string;
  /** Path and query as the browser wrote them. */
  path: string;
  /** 0: the server hung up. */
  status: number;
  /** What the browser wanted it for: `document`, `iframe`, `style`, `empty` … */
  dest: string;
}
export interface Demo {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  url: string;
  log: LogEntry[];
  reset(): void;
  close(): Promise<void>;
}
export function startDemo(options?: { port?: number }): Promise<Demo>;
