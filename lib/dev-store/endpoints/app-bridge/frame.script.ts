import { Html, html, scriptValue } from '../../http/page-html.js';

/** The configuration of the admin's frame page. */
interface FrameConfig {
  /** Origin of the app: messages are only accepted from it and sent to it. */
  appOrigin: string;
  /** The URL of session tokens. */
  tokenPath: string;
  /** Proof that a request for a token comes from this page. */
  pageToken: string;
  /** The prefixes of admin URLs, as apps write them; each means `/admin/` here. */
  adminAliases: string[];
}

const SOURCE = `
const frame = document.querySelector('iframe');
const toast = document.querySelector('.toast');
let toastTimer;

const actions = {
  async idToken() {
    const response = await fetch(config.tokenPath, { method: 'POST', headers: { 'X-Page-Token': config.pageToken } });
    if (!response.ok) throw new Error('The store issued no session token (' + response.status + ').');
    return (await response.json()).token;
  },
  navigate({ url }) {
    const alias = config.adminAliases.find((prefix) => url.startsWith(prefix));
    const target = alias ? new URL('/admin/' + url.slice(alias.length), location.origin) : new URL(url);
    if (target.protocol === 'http:' || target.protocol === 'https:') location.assign(target);
  },
  showToast({ message }) {
    toast.textContent = String(message);
    toast.hidden = false;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => { toast.hidden = true; }, 4000);
  },
};

addEventListener('message', async (event) => {
  if (event.origin !== config.appOrigin || event.source !== frame.contentWindow) return;
  const { channel, id, action, detail } = event.data ?? {};
  if (channel !== 'app-bridge' || !Object.hasOwn(actions, action)) return;
  const answer = { channel, id };
  try {
    answer.result = await actions[action](detail);
  } catch (error) {
    answer.error = error.message;
  }
  frame.contentWindow.postMessage(answer, config.appOrigin);
});
`;

/** The script of the admin's frame page: responds to the App Bridge inside the frame. */
export function frameScript(config: FrameConfig): Html {
  return html`(() => { const config = ${scriptValue(config)};${new Html(SOURCE)}})();`;
}
