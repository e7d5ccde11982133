// The entry for node. It is small since node looks through it for names, which takes its time.
const library = require("./node.js");

exports.Engine = library.Engine;
exports.WorkerEngine = library.WorkerEngine;
exports.WinnableError = library.WinnableError;
exports.games = library.games;
exports.version = library.version;
exports.load = library.load;
