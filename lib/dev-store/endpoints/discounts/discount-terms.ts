import type { NodeError } from '../nodes/mutation-shape.js';
import { isBlank, tooLong } from '../nodes/user-errors.js';
import { at, type Part } from './discount-place.js';

/** Refuses the title of a discount. */
export const title: Part = (input, place) => {
  if (!place.isNew && !('title' in input)) return [];
  if (isBlank(input['title'])) return at(place, 'title', "Title can't be blank", 'BLANK');
  return tooLong(`${place.argument}.title`, input['title'], ['Title'], 'TOO_LONG');
};

/** Refuses the code of a discount. */
export const code: Part = (input, place) => {
  if (place.method === 'Automatic' || (!place.isNew && !('code' in input))) return [];
  const text = input['code'];
  const refused = (message: string, reason: string): NodeError[] =>
    at(place, 'code', `Code ${message}`, reason);
  if (text == null) return refused("can't be blank", 'BLANK');
  const problem = codeProblem(String(text));
  if (problem) return refused(problem, CODE_PROBLEMS[problem] ?? 'INVALID');
  return place.isTaken(String(text))
    ? refused('must be unique. Please try a different code.', 'TAKEN')
    : [];
};

/** Why a text cannot be a code; undefined when it can. */
export function codeProblem(text: string): string | undefined {
  if (text === '') return 'is too short (minimum is 1 character)';
  if (/[\r\n]/.test(text)) return 'cannot contain newline characters.';
  return text.length > 255 ? 'is too long (maximum is 255 characters)' : undefined;
}

const CODE_PROBLEMS: Readonly<Record<string, string>> = {
  'is too short (minimum is 1 character)': 'TOO_SHORT',
  'is too long (maximum is 255 characters)': 'TOO_LONG',
};

/** Refuses the dates of a discount. */
export const dates: Part = (input, place) => {
  const { startsAt, endsAt } = input;
  if (startsAt == null && (place.isNew || 'startsAt' in input))
    return at(place, 'startsAt', "Starts at can't be blank", 'BLANK');
  const isBefore =
    endsAt != null &&
    startsAt != null &&
    new Date(String(endsAt)).getTime() <= new Date(String(startsAt)).getTime();
  return isBefore ? at(place, 'endsAt', 'Ends at needs to be after starts_at', 'INVALID') : [];
};
