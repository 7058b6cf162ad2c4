import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { Choice } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import { ProgressBar } from '#components/Notices.tsx';
import type { StartRound } from '#lib/protocol.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { pasted } from '../views/import-sources.ts';
import { fillRound, sitesOf, type ListSites } from '../views/start-list.ts';
import { startRound } from '../views/start.ts';
import type { ImportSource } from '../views/import-links.ts';
import { useDashboard } from './context.ts';

/** What a round starts from: the site's links, a pasted list, or a round (by its id). */
type From = 'links' | 'list' | `round ${string}`;

/** As the worker takes it. */
const MOST_SITES = 200;

/**
 * Starts a round from the links of a site, from a pasted list, or from any round of its scope. `scope`: of an existing one with its `rounds`; without
 * it the sites are those that are typed or pasted.
 */
export function StartForm({
  scope,
  rounds = [],
  first = false,
}: {
  scope?: Scope;
  rounds?: Round[];
  first?: boolean;
}) {
  const text = useText();
  const id = useId();
  const { now, run, tell } = useDashboard();
  const [from, setFrom] = useState<From>('links');
  const [address, setAddress] = useState('');
  const [wrong, setWrong] = useState(false);
  const list = usePasted();
  const [filling, setFilling] = useState<{ done: number; cancel: () => void }>();

  const start = (wanted: StartRound, origins: string[]): void =>
    void run(async () => {
      const source = from === 'list' ? list.source : undefined;
      const round = await startRound(wanted, origins);
      if (!round) return tell(text('permissionDenied'));
      setAddress('');
      if (!source) return tell(text('roundStarted', round.number));
      const controller = new AbortController();
      const cancel = (): void => controller.abort(new Error('cancelled'));
      setFilling({ done: 0, cancel });
      try {
        const { signal } = controller;
        const onProgress = (done: number): void => setFilling({ done, cancel });
        const { added, takeBack } = await fillRound(round, source, { signal, onProgress });
        list.clear();
        tell(text('listStarted', added, round.number), async () => void (await takeBack()));
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        setFilling(undefined);
      }
    });
  const submit = (): void => {
    const base = from.startsWith('round ') ? from.slice('round '.length) : 'none';
    if (from === 'list' && !list.sites?.pages) return;
    if (scope) return start({ base, scope: { id: scope.id } }, scope.origins);
    if (from === 'list' && list.sites) {
      const { origins, hosts } = list.sites;
      if (origins.length > MOST_SITES) return tell(text('tooManySites'));
      return start({ base, scope: { name: text.list(hosts.slice(0, 3)), origins } }, origins);
    }
    const site = siteOf(address);
    setWrong(site === undefined);
    if (site) start({ base, scope: site }, site.origins);
  };
  return (
    <form
      class="stack start-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="actions">
        <Choice<From>
          label={text('startFrom')}
          value={from}
          options={[
            ...rounds.map((round) => ({
              value: `round ${round.id}` as const,
              text: roundName(round, text, now),
            })),
            { value: 'links', text: text('fromLinks') },
            { value: 'list', text: text('fromList') },
          ]}
          onChange={setFrom}
        />
        {!scope && from !== 'list' && (
          <label class="field">
            <span>{text('site')}</span>
            <input
              type="text"
              inputMode="url"
              autocomplete="off"
              dir="ltr"
              value={address}
              placeholder="shop.example.com"
              aria-invalid={wrong ? 'true' : undefined}
              aria-describedby={`${id}-hint`}
              onInput={(event) => setAddress(event.currentTarget.value)}
            />
          </label>
        )}
        {from !== 'list' && <Submit first={first} />}
      </div>
      {from === 'list' && (
        <>
          <label class="soft" for={`${id}-list`}>
            {text('pagesToVisit')}
          </label>
          <textarea
            id={`${id}-list`}
            class="paste address"
            dir="auto"
            spellcheck={false}
            placeholder={text('pagesToVisitHint')}
            data-testid="start-list"
            value={list.words}
            onInput={(event) => list.write(event.currentTarget.value)}
            onPaste={list.onPaste}
          />
          <p class="soft" role="status">
            {list.sites?.pages
              ? text('listHas', list.sites.pages, text.list(list.sites.hosts.slice(0, 5)))
              : text('listEmpty')}
          </p>
          <div class="actions">
            <Submit first={first} off={!list.sites?.pages} />
          </div>
        </>
      )}
      {filling && (
        <ProgressBar
          label={text('importWriting', text('pastedText'))}
          done={filling.done}
          onCancel={filling.cancel}
        />
      )}
      {!scope && (
        <p id={`${id}-hint`} class="soft prose" role={wrong ? 'alert' : undefined}>
          {wrong ? text('notAnAddress') : text('permissionWhySite')}
        </p>
      )}
    </form>
  );
}

function Submit({ first, off = false }: { first: boolean; off?: boolean }) {
  const text = useText();
  return (
    <Button submit kind={first ? 'primary' : 'plain'} off={off} testid="start-this">
      {text('startFirst')}
    </Button>
  );
}

/** `shop.example.com` or an address, as the scope of its site; nothing where it is none. */
function siteOf(address: string): { name: string; origins: string[] } | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  return { name: url.hostname, origins: [`${url.protocol}//${url.hostname}/*`] };
}

const PAUSE_MS = 200;

/** A pasted list and the sites in it, which are known before the click: the browser asks for permissions only in the click itself. */
function usePasted() {
  const text = useText();
  const [words, setWords] = useState('');
  const [sites, setSites] = useState<ListSites>();
  // What the clipboard had besides the words: a copied stretch of a page still has its links there.
  const copied = useRef<{ words: string; html: string }>(undefined);
  const source = useRef<ImportSource>(undefined);
  useEffect(() => {
    let isOld = false;
    setSites(undefined);
    source.current = undefined;
    if (words.trim() === '') return undefined;
    const look = async (): Promise<void> => {
      const html = copied.current?.words === words ? copied.current.html : undefined;
      const read = pasted(words, html, text('pastedText'));
      const found = await sitesOf(read);
      if (isOld) return;
      source.current = read;
      setSites(found);
    };
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [words]);
  return {
    words,
    sites,
    get source() {
      return source.current;
    },
    write: setWords,
    clear: () => setWords(''),
    onPaste: (event: ClipboardEvent): void => {
      const html = event.clipboardData?.getData('text/html') ?? '';
      const field = event.currentTarget as HTMLTextAreaElement;
      // The text is in the field after this event.
      if (html !== '') setTimeout(() => (copied.current = { words: field.value, html }));
    },
  };
}
