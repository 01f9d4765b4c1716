/** The provinces of a country by the platform's names, each with its code in front. */
const PROVINCES: Readonly<Record<string, string>> = {
  CA: 'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  US: 'AA Armed Forces Americas,AE Armed Forces Europe,AK Alaska,AL Alabama,AP Armed Forces Pacific,AR Arkansas,AS American Samoa,AZ Arizona,CA California,CO Colorado,CT Connecticut,DC District of Columbia,DE Delaware,FL Florida,FM Federated States of Micronesia,GA Georgia,GU Guam,HI Hawaii,IA Iowa,ID Idaho,IL Illinois,IN Indiana,KS Kansas,KY Kentucky,LA Louisiana,MA Massachusetts,MD Maryland,ME Maine,MH Marshall Islands,MI Michigan,MN Minnesota,MO Missouri,MP Northern Mariana Islands,MS Mississippi,MT Montana,NC North Carolina,ND North Dakota,NE Nebraska,NH New Hampshire,NJ New Jersey,NM New Mexico,NV Nevada,NY New York,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,PW Palau,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VA Virginia,VI Virgin Islands,VT Vermont,WA Washington,WI Wisconsin,WV West Virginia,WY Wyoming',
};

/**
 * The English name of a province of Canada, or of a state or territory of the United States or a
 * region of its armed forces, e.g. `Ontario` of `CA` and `ON`; undefined for any other.
 */
export function provinceName(country: unknown, code: unknown): string | undefined {
  if (typeof country !== 'string' || typeof code !== 'string' || code === '') return undefined;
  const listed = Object.hasOwn(PROVINCES, country) ? PROVINCES[country] : undefined;
  return listed
    ?.split(',')
    .find((one) => one.startsWith(`${code} `))
    ?.slice(code.length + 1);
}
