import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part whose code is loaded when it is first drawn, so that a first screen without it does not wait for it. */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function Lazy(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      void (async () => {
        loaded = await load();
        setPart(() => loaded);
      })();
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
