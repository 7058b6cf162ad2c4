import type { Coverage } from '#lib/content/snapshot.ts';
import { useText } from './language.ts';

/** What could not be seen of a page, in one line; nothing where all was seen. */
export function NotCovered({ coverage }: { coverage: Coverage }) {
  const text = useText();
  const parts = [
    ...(coverage.canvases > 0 ? [text('uncoveredCanvases', coverage.canvases)] : []),
    ...(coverage.frames > 0 ? [text('uncoveredFrames', coverage.frames)] : []),
    ...coverage.lists
      .filter(({ shown, of }) => of > shown)
      .map(({ shown, of }) => text('uncoveredRows', shown, of)),
    ...(coverage.cut ? [text('uncoveredCut')] : []),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="soft" data-testid="not-covered">
      {text('notCovered', parts.join(text('listComma')))}
    </p>
  );
}
