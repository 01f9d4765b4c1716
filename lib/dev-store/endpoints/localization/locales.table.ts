/** The languages a shop can be translated into, by their codes, in the order of their names. */
export const LOCALES: readonly string[] =
  'af ak sq am ar hy as az bm bn eu be bs br bg my ca ckb ce zh-CN zh-TW kw hr cs da nl dz en eo et ee fo fil fi fr ff gl lg ka de el gu ha he hi hu is ig id ia ga it ja jv kl kn ks kk km ki rw ko ku ky lo lv ln lt lu lb mk mg ms ml mt gv mr mn mi ne nd se no nb nn or om os ps fa pl pt-BR pt-PT pa qu ro rm rn ru sg sa sc gd sr sn ii sd si sk sl so es su sw sv tg ta tt te th bo ti to tr tk uk ur ug uz vi cy fy wo xh yi yo zu'.split(
    ' ',
  );

/** The language of a shop, which nothing changes. */
export const PRIMARY = 'en';

/** The names that the platform gives languages where others call them otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  'zh-CN': 'Chinese (Simplified)',
  'zh-TW': 'Chinese (Traditional)',
  'pt-BR': 'Portuguese (Brazil)',
  'pt-PT': 'Portuguese (Portugal)',
  ff: 'Fulah',
  nb: 'Norwegian (Bokmål)',
};

let names: Intl.DisplayNames | undefined;

/** The English name of a language. */
export function localeName(code: string): string {
  names ??= new Intl.DisplayNames(['en'], { type: 'language' });
  return NAMES[code] ?? names.of(code) ?? code;
}
