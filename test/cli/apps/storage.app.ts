import { stage } from './stage.js';

export const storage = stage.storage;
