import type { SafeRecord } from '../format.ts';

/** `URL<TAB>name=value`, as Nutch and StormCrawler read seeds. Values are single words, so nothing needs escaping. */
export function seedLine({ url, state }: SafeRecord): string {
  return state === undefined ? url : `${url}\tonceover.state=${state}`;
}
