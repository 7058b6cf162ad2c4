/** An absolute http(s) address in its parts. `undefined` means that the part and its delimiter are absent. */
export interface Address {
  readonly scheme: string;
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
  /** Starts with `/`. */
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

/** Splits an address as `URL.href` writes it: every delimiter in its place, `@` and `:` escaped in userinfo. */
export function splitAddress(href: string): Address {
  const [, scheme, userinfo, host, port, path, query, fragment] =
    /^(https?):\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:@]*)(?::(\d*))?(\/[^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
      href,
    ) ?? [];
  if (scheme === undefined || host === undefined || path === undefined)
    throw new Error(`not an address: ${href}`);
  return { scheme, userinfo, host, port, path, query, fragment };
}

/** Scheme, userinfo, host and port as they stand before the path. */
export function writeOrigin({ scheme, userinfo, host, port }: Address): string {
  return `${scheme}://${userinfo === undefined ? '' : `${userinfo}@`}${host}${port === undefined ? '' : `:${port}`}`;
}

export function writeAddress(address: Address): string {
  const query = address.query === undefined ? '' : `?${address.query}`;
  const fragment = address.fragment === undefined ? '' : `#${address.fragment}`;
  return `${writeOrigin(address)}${address.path}${query}${fragment}`;
}
