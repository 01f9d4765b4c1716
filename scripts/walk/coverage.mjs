import { Session } from 'node:inspector/promises';

/** Counts by V8's precise coverage which files below a URL run. Starts before they are imported. */
export class Coverage {
  #inspector = new Session();

  constructor(baseUrl) {
    this.baseUrl = baseUrl;
  }

  async start() {
    this.#inspector.connect();
    await this.#inspector.post('Profiler.enable');
    await this.#inspector.post('Profiler.startPreciseCoverage', {
      callCount: true,
      detailed: true,
    });
  }

  /** The files of which a function ran during `run`, relative to the base. */
  async filesDuring(run) {
    await this.#take();
    await run();
    const files = await this.#take();
    return files.sort();
  }

  /** The files that ran since the last call: taking the counts sets them to zero. */
  async #take() {
    const { result } = await this.#inspector.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url, functions }) => url.startsWith(this.baseUrl) && functions.some(hasRun))
      .map(({ url }) => url.slice(this.baseUrl.length));
  }

  stop() {
    this.#inspector.disconnect();
  }
}

/** The module itself is an anonymous function from offset 0 on; to import a file does not count. */
function hasRun({ functionName, ranges: [whole] }) {
  return whole.count > 0 && (functionName !== '' || whole.startOffset > 0);
}
