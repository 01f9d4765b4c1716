/** The text of each source file, by its path with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** The files that each file imports or exports from. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function readSources(folder: string): Sources;
export function importGraph(sources: Sources): ImportGraph;
export function longestImportChain(graph: ImportGraph): { chain: string[]; circles: string[][] };
