import app from './express.app.js';

/**
 * As an import finds a module whose default export was compiled to CommonJS: its default export is
 * `module.exports`.
 */
export default { __esModule: true, default: app, VERSION: 1 };
