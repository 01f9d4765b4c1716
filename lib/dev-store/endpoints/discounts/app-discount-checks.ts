import { isBlank } from '../nodes/user-errors.js';
import { at, within, type Part } from './discount-place.js';
import { code, dates } from './discount-terms.js';

/** What the discounts of functions are refused for, which have words of their own. */
export const APP_PARTS: readonly Part[] = [
  (input, place) => {
    if (!place.isNew && !('title' in input)) return [];
    const blank = place.method === 'Code' ? "can't be blank" : "Title can't be blank.";
    if (isBlank(input['title'])) return at(place, 'title', blank, 'INVALID');
    return String(input['title']).length > 255
      ? at(place, 'title', 'is too long (maximum is 255 characters)', 'INVALID')
      : [];
  },
  (input, place) => {
    if (place.method === 'Automatic' || (!place.isNew && !('code' in input))) return [];
    if (isBlank(input['code']))
      return at(place, 'code', "Discount code can't be blank.", 'INVALID');
    return code(input, place);
  },
  (input, place) =>
    place.isNew && input['startsAt'] == null
      ? at(place, 'startsAt', "Starts at can't be blank.", 'INVALID')
      : dates({ startsAt: '', ...input }, place),
  (input, place) =>
    Array.isArray(input['discountClasses']) && input['discountClasses'].length === 0
      ? at(place, 'discountClasses', "Discount classes can't be empty.", 'INVALID')
      : [],
  (input, place) => {
    const lists = ['customers.add', 'customerSegments.add'].map((list) =>
      within(input['customerSelection'], list),
    );
    return lists.some((list) => Array.isArray(list) && list.length === 0)
      ? at(
          place,
          'customerSelection',
          'a minimum of one prerequisite segment or prerequisite customer must be provided',
          'INVALID',
        )
      : [];
  },
];
