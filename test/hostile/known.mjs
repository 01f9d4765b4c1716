/** Defects that are being mended elsewhere: what they cause is shown, and does not fail the run. A row goes with its mend. */
export const KNOWN = [
  {
    name: 'an uninstallation that is signed for something else is believed',
    explains: ({ kind, what }, { delivery }) =>
      kind === 'false accept' && delivery !== undefined && /^(?:deleted|told onUninstall)/.test(what),
  },
  {
    name: 'a shop that forms no URL (xn--)',
    explains: ({ kind }, sent) => ['5xx', 'open redirect'].includes(kind) && `${sent.target}${sent.headers}${sent.body}`.includes('xn--'),
  },
];
