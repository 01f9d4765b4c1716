let names: Intl.DisplayNames | undefined;

/** The English name of a country, e.g. `Ireland` of `IE`; the code where there is none. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames(['en'], { type: 'region' });
  try {
    return names.of(code) ?? code;
  } catch {
    // The platform has codes that no standard knows.
    return code;
  }
}
