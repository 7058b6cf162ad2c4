import type { Alias, AliasTarget, Round, Scope } from './types.ts';

/**
 * Whether an original is one page with its target in this round. Derived from what was seen, never stored: so it does not matter
 * in which order it was told.
 */
export function holds(alias: Alias | undefined, round: Round, tokens: Scope['tokens'] = []): boolean {
  if (!alias || alias.undone || alias.strength === 'proposed') return false;
  if (alias.at <= (alias.shownAt ?? -Infinity)) return false;
  const target = currentTarget(alias.targets);
  if (!target || target.to === alias.from) return false;
  if (target.evidence === 'accepted') return true;
  if (tokens.some((token) => hasToken(target.to, token))) return false;
  if (target.strength === 'permanent') return true;
  return target.round === round.id && !round.sinks?.includes(target.place);
}

/** The target that counts: the latest redirect; a proposal only where there is nothing else. */
export function currentTarget(targets: AliasTarget[]): AliasTarget | undefined {
  const rank = (target: AliasTarget) => (target.strength === 'proposed' ? 0 : 1);
  return targets.reduce<AliasTarget | undefined>(
    (best, target) =>
      !best || rank(target) > rank(best) || (rank(target) === rank(best) && target.at > best.at)
        ? target
        : best,
    undefined,
  );
}

/** Whether a key has that parameter, at that host. */
export function hasToken(key: string, { host, name }: { host: string; name: string }): boolean {
  const match = /^https?:\/\/([^/]*)\/[^?#]*\?([^#]*)/.exec(key);
  return match?.[1] === host && match[2]!.split('&').some((pair) => pair.split('=', 1)[0] === name);
}
