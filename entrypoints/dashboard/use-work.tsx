import { useRef, useState } from 'preact/hooks';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import type { TextKey } from '#components/i18n.ts';
import type { Progress } from '../views/backup.ts';
import { useDashboard } from './context.ts';

/** Work that may take more than a second: one at a time, with its progress and a way out. */
export function useWork() {
  const text = useText();
  const { run, tell } = useDashboard();
  const [going, setGoing] = useState<{ name: TextKey; done: number; total: number | undefined }>();
  const cancel = useRef<AbortController>(null);
  /** `stopped`: what is said when the person stops it. */
  const start = (name: TextKey, stopped: TextKey, work: (progress: Progress) => Promise<void>): void => {
    const controller = new AbortController();
    cancel.current = controller;
    setGoing({ name, done: 0, total: undefined });
    void run(async () => {
      try {
        const onProgress = (done: number, total?: number) => setGoing({ name, done, total });
        await work({ signal: controller.signal, onProgress });
      } catch (error) {
        if (!controller.signal.aborted) throw error;
        tell(text(stopped));
      }
    }).finally(() => setGoing(undefined));
  };
  const bar = going && (
    <ProgressBar
      label={text(going.name)}
      done={going.done}
      {...(going.total === undefined ? {} : { total: going.total })}
      onCancel={() => cancel.current?.abort(new Error('stopped'))}
    />
  );
  return { isGoing: going !== undefined, start, bar };
}
