// What most calls do not need, as one file: a browser is sent it by the first that does.
export { loadPacer, nameByToken } from '../pacing/loaded-pacer.js';
export { errorFor } from './failed-reply.js';
export { followed, refused } from './redirects.js';
export { Deadline, TimeLimit, orAborted } from './time-limit.js';
