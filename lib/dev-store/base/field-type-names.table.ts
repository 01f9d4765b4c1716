const WITH_LISTS =
  'antenna_gain area battery_charge_capacity battery_energy_capacity capacitance color ' +
  'concentration data_storage_capacity data_transfer_rate date_time date dimension ' +
  'display_density distance duration electric_current electrical_resistance energy frequency ' +
  'illuminance inductance link luminous_flux mass_flow_rate number_decimal number_integer power ' +
  'pressure rating resolution rotational_speed single_line_text_field sound_level speed ' +
  'temperature thermal_power url voltage volume volumetric_flow_rate weight';

const ALONE = 'boolean id json language money multi_line_text_field rich_text_field';

const REFERENCES =
  'company customer product collection variant file product_taxonomy_value metaobject mixed ' +
  'page article order';

const LISTABLE = WITH_LISTS.split(' ');
/** As the platform tells them, `date_time` is before `date`. */
const placeOf = (type: string): string => (type === 'date_time' ? 'date' : type);
const SINGLE = [...LISTABLE, ...ALONE.split(' ')].sort((one, other) =>
  placeOf(one).localeCompare(placeOf(other), 'en'),
);
const UP_TO_LISTS = SINGLE.indexOf('link') + 1;

/** The types of metafields, in the order in which the platform tells them. */
export const FIELD_TYPE_NAMES: readonly string[] = [
  ...SINGLE.slice(0, UP_TO_LISTS),
  ...LISTABLE.map((type) => `list.${type}`),
  ...SINGLE.slice(UP_TO_LISTS),
  ...REFERENCES.split(' ').flatMap((type) => [`${type}_reference`, `list.${type}_reference`]),
];
