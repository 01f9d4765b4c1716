import { createHash } from 'node:crypto';
import { parsedJson } from '../../base/typed-values.js';

/** A file of a theme. */
export interface ThemeFile {
  /** With its folder, e.g. `layout/theme.liquid`. */
  readonly filename: string;
  readonly content: Buffer;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What every new theme has. */
const SEEDS: Readonly<Record<string, string>> = {
  'config/settings_data.json': '{}',
  'config/settings_schema.json': '[]',
  'layout/theme.liquid':
    '<!doctype html><html><head>{{ content_for_header }}</head><body>{{ content_for_layout }}</body></html>',
  'locales/en.default.json': '{}',
  'templates/index.json': '{"sections":{},"order":[]}',
  'templates/product.json': '{"sections":{},"order":[]}',
};

/** The files of the themes of one shop. */
export class ThemeFiles {
  private readonly themes = new Map<string, Map<string, ThemeFile>>();

  constructor(private readonly now: () => Date) {}

  /** The files of a theme in the order of their names. @param id global id of the theme */
  of(id: string): ThemeFile[] {
    return [...this.filesOf(id).values()].sort((a, b) => (a.filename < b.filename ? -1 : 1));
  }

  find(id: string, filename: string): ThemeFile | undefined {
    return this.filesOf(id).get(filename);
  }

  /** Writes a file, in place of the one of its name. */
  write(id: string, filename: string, content: Buffer): ThemeFile {
    const at = this.now();
    const createdAt = this.find(id, filename)?.createdAt ?? at;
    const file = { filename, content, createdAt, updatedAt: at };
    this.filesOf(id).set(filename, file);
    return file;
  }

  /** Returns whether there was such a file. */
  delete(id: string, filename: string): boolean {
    return this.filesOf(id).delete(filename);
  }

  /** Deletes the files of a theme that is no more. */
  deleteTheme(id: string): void {
    this.themes.delete(id);
  }

  /** Gives a new theme the files of another one; without another, those that every theme has. */
  fill(id: string, from?: string): void {
    if (from === undefined)
      for (const [filename, text] of Object.entries(SEEDS))
        this.write(id, filename, Buffer.from(text));
    else for (const { filename, content } of this.of(from)) this.write(id, filename, content);
  }

  private filesOf(id: string): Map<string, ThemeFile> {
    const files = this.themes.get(id) ?? new Map<string, ThemeFile>();
    this.themes.set(id, files);
    return files;
  }
}

/** The checksum of a file, as the platform writes it. */
export function checksum(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

/** Whether a file is a text, by its name. */
export function isText(filename: string): boolean {
  return /\.(?:css|html|js|json|liquid|md|scss|svg|txt)$/.test(filename);
}

/** The type of a file by its name. */
export function contentType(filename: string): string {
  return TYPES[/\.(\w+)$/.exec(filename)?.[1] ?? ''] ?? 'application/octet-stream';
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  js: 'application/javascript',
  json: 'application/json',
  liquid: 'application/x-liquid',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

const FOLDER = /^(?:assets|blocks|config|layout|locales|sections|snippets|templates)\/[\w./-]+$/;

/** Why a file cannot be part of a theme; undefined when it can. */
export function problemOfFile(filename: string, content: Buffer): string | undefined {
  if (!FOLDER.test(filename) || filename.includes('..'))
    return `Filename ${filename} is not in a folder of themes, such as assets/ or sections/`;
  if (!filename.endsWith('.json')) return undefined;
  return parsedJson(content.toString()) === undefined
    ? `File ${filename} is not valid JSON`
    : undefined;
}
