/** An error class of lib, its code and its docstring. */
export interface ErrorClass {
  readonly code: string;
  readonly name: string;
  readonly meaning: string;
  /** What to do about it: its tag `@remedy`. */
  readonly remedy: string;
}

export function errorClasses(root?: string): ErrorClass[];
export function classesIn(text: string, path?: string): ErrorClass[];
export function errorPage(): Promise<string>;
