/** As much of `window` as is needed to name entries of its history. */
interface HistoryOfPage {
  readonly history: Pick<History, 'pushState' | 'replaceState'>;
  readonly location: { readonly href: string };
}

type Write = History['pushState'];

/**
 * Lets a router write the history of a page whose `<base>` is another origin. A router names its
 * entries by paths; browsers would resolve those by the `<base>`, and refuse them. From now on they
 * are resolved by the address of the page. Answers what takes that back.
 * @see https://developer.mozilla.org/docs/Web/API/History/pushState#url
 */
export function nameHistoryByPage({ history, location }: HistoryOfPage): () => void {
  const { pushState, replaceState } = history;
  const byPage =
    (write: Write): Write =>
    (state, unused, url) =>
      write.call(history, state, unused, url == null ? url : new URL(url, location.href));
  const ours = { pushState: byPage(pushState), replaceState: byPage(replaceState) };
  Object.assign(history, ours);
  return () => {
    // Who has wrapped them since keeps what was wrapped.
    if (history.pushState === ours.pushState) history.pushState = pushState;
    if (history.replaceState === ours.replaceState) history.replaceState = replaceState;
  };
}
