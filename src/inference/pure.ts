/** The part of inference that needs neither Node nor the engine, for what also runs in a browser. */

export { entityOf, owned, resolve } from "./decode.ts";
export { cut, type Piece, pieceGroups } from "./pieces.ts";
export { type TaggedEntity, taggedEntities } from "./tagged-entity.ts";
