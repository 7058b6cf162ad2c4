/** Why an input has no key. `detail` says it in English, with what to do where there is something to do. */
export interface Failure {
  readonly reason: 'empty' | 'unsupported-scheme' | 'invalid';
  readonly detail: string;
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'reason' in value;
}
